"""The word at which each of our examples opens, as assets/examples.json names it for the shipped checkpoint."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.default_step import default_step
from explorer.recording.examples import primary_subtag
from explorer.recording.trace import record
from model.decoding import Translator
from model.files import write_atomically

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
    step = default_step(trace)
    weight = float(trace.cross.matrix(-1, "mean")[step].max())
    word = trace.steps[step].predicted.text.removeprefix("·")
    return Opening(sentence, trace.translation, word, weight, 0 < step < len(trace.steps) - 1)


def read(path: Path, translator: Translator) -> tuple[dict[str, list[dict[str, Any]]], str]:
    """The examples of every language in a file, and the code of the one that the model reads.

    Raises ValueError, with a sentence, where the file has none in it.
    """
    examples, code = json.loads(path.read_text(encoding="utf-8")), primary_subtag(translator.languages.source)
    if code not in examples:
        raise ValueError(f"{path}: it has no sentences in the language that the model reads ({code}).")
    return examples, code


def written(examples: dict[str, list[dict[str, Any]]]) -> str:
    """The file's text: an example a line."""
    parts = (
        f'  "{code}": [\n' + ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in those) + "\n  ]"
        for code, those in examples.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def openings(translator: Translator, path: Path) -> list[Opening]:
    """Where the examples of a file in the model's language open."""
    examples, code = read(path, translator)
    return [opening(translator, one["sentence"]) for one in examples[code]]


def reopen(translator: Translator, path: Path, found: Sequence[Opening]) -> None:
    """Writes into the file where those examples open, and leaves the other languages as they are."""
    examples, code = read(path, translator)
    changed = [{**one, "opens_at": now.word} for one, now in zip(examples[code], found, strict=True)]
    write_atomically(path, written({**examples, code: changed}).encode())
