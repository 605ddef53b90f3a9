"""The word at which each of our examples opens, as assets/examples.json names it for the shipped checkpoint."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.recording.telling import telling_step
from explorer.recording.trace import record
from model.decoding import Translator
from model.saving import write_atomically

CLEAR = 0.8  # the weight from which on the row that an example opens at is a picture easy to read


class Opening(NamedTuple):
    """Where an example opens with a translator."""

    sentence: str
    translation: str
    word: str
    weight: float  # the strongest in its row of the last layer's mean
    inside: bool  # neither the first step nor the last

    @property
    def is_clear(self) -> bool:
        return self.inside and self.weight > CLEAR


def opening(translator: Translator, sentence: str) -> Opening:
    trace = record(translator, sentence)
    step = telling_step(trace)
    weight = float(trace.cross.matrix(-1, "mean")[step].max())
    word = trace.steps[step].predicted.text.removeprefix("·")
    return Opening(sentence, trace.translation, word, weight, 0 < step < len(trace.steps) - 1)


def written(examples: list[dict[str, object]]) -> str:
    """The file's text: an example a line."""
    return "[\n" + ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in examples) + "\n]\n"


def openings(translator: Translator, path: Path) -> list[Opening]:
    """Where the examples of a file open."""
    return [opening(translator, one["sentence"]) for one in json.loads(path.read_text(encoding="utf-8"))]


def reopen(path: Path, found: Sequence[Opening]) -> None:
    """Writes into the file where its examples open."""
    examples = json.loads(path.read_text(encoding="utf-8"))
    changed = [{**one, "opens_at": now.word} for one, now in zip(examples, found, strict=True)]
    write_atomically(path, written(changed).encode())
