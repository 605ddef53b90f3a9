"""Damaged files, a bound on the memory and time that reading them may take, and how a checkpoint is refused."""

import copy
import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fuzzing import guarded as soon
from fuzzing import odd
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError

ROOM = 700_000_000  # bytes


@contextmanager
def bounded() -> Iterator[None]:
    """Raises MemoryError in code that takes much memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@st.composite
def damaged(draw: DrawFn, whole: bytes) -> bytes:
    """Bytes with up to three places cut out, filled in, doubled or flipped, most of them at the head."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, min(200, len(whole))) | st.integers(0, len(whole)))
        end = min(len(whole), start + draw(st.sampled_from([0, 1, 1, 4, 64, 10**9])))
        part = whole[start:end]
        flipped = bytes(byte ^ (1 << draw(st.integers(0, 7))) for byte in part[:1]) + part[1:]
        new = draw(
            st.sampled_from([b"", part * 2, flipped, flipped, bytes(len(part)), b"\xff" * 8]) | st.binary(max_size=9)
        )
        whole = whole[:start] + new + whole[end:]
    return whole


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object within a value, with each of its keys."""
    found, waiting = [], [value]
    while waiting:
        held = waiting.pop()
        keys = [*held] if isinstance(held, dict) else [*range(len(held))] if isinstance(held, list) else []
        found += [(held, key) for key in keys]
        waiting += [held[key] for key in keys]
    return found


@st.composite
def altered(draw: DrawFn, whole: Any) -> Any:
    """A value with one or two of its parts odd, gone or of another name."""
    whole = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 2))):
        held, key = draw(st.sampled_from(places_in(whole) or [({"": ""}, "")]))
        how = draw(st.sampled_from(["odd", "odd", "odd", "gone", "more"]))
        if how == "odd":
            held[key] = draw(odd)
        elif how == "gone":
            del held[key]
        elif isinstance(held, dict):
            held[draw(st.text(max_size=8))] = draw(odd)
        else:
            held.append(draw(odd))
    return whole


def refusal(folder: Path) -> str:
    with soon(), pytest.raises(CheckpointError) as refused:
        checkpoint.load(str(folder))
    sentence = str(refused.value)
    assert sentence.endswith(".") and "\n" not in sentence and "Errno" not in sentence
    return sentence


def write(folder: Path, name: str, changes: dict[str, Any]) -> None:
    old = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps({**old, **changes}), encoding="utf-8")


def change_config(folder: Path, **changes: Any) -> None:
    write(folder, "config.json", changes)
