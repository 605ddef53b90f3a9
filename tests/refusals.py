"""How a hostile checkpoint is refused: in one sentence, and soon."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError


@contextmanager
def soon(seconds: int = 20) -> Iterator[None]:
    """What hangs ends in an error, and not the whole suite with it."""

    def too_late(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refusal(folder: Path) -> str:
    with soon(), pytest.raises(CheckpointError) as refused:
        checkpoint.load(str(folder))
    sentence = str(refused.value)
    assert sentence.endswith(".") and "\n" not in sentence and "Errno" not in sentence
    return sentence


def write(folder: Path, name: str, changes: dict[str, Any]) -> None:
    old = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps({**old, **changes}), encoding="utf-8")
