"""The first word that each example sentence shows, as stored in assets/examples.json for the shipped checkpoint."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.default_step import default_step
from explorer.recording.examples import primary_subtag
from explorer.recording.trace import record
from model.decoding import Translator
from model.files import write_atomically

MIN_CLEAR_WEIGHT = 0.8  # a row with a weight above it is easy to read


class Opening(NamedTuple):
    """The default step of an example with a translator."""

    sentence: str
    translation: str
    word: str
    weight: float  # the largest in its row of the last layer's mean
    is_inner: bool  # neither the first step nor the last

    @property
    def is_clear(self) -> bool:
        return self.is_inner and self.weight > MIN_CLEAR_WEIGHT


def find_opening(translator: Translator, sentence: str) -> Opening:
    trace = record(translator, sentence)
    step = default_step(trace)
    weight = float(trace.cross.matrix(-1, "mean")[step].max())
    word = trace.steps[step].predicted.text.removeprefix("·")
    return Opening(sentence, trace.translation, word, weight, 0 < step < len(trace.steps) - 1)


def read_examples(path: Path, translator: Translator) -> tuple[dict[str, list[dict[str, Any]]], str]:
    """The examples of a file by language, and the code of the model's source language.

    Raises ValueError with a sentence if the file has none in that language.
    """
    examples, code = json.loads(path.read_text(encoding="utf-8")), primary_subtag(translator.languages.source)
    if code not in examples:
        raise ValueError(f"{path}: it has no sentences in the language that the model reads ({code}).")
    return examples, code


def format_examples(examples: dict[str, list[dict[str, Any]]]) -> str:
    """The text of the file, one example per line."""
    parts = (
        f'  "{code}": [\n' + ",\n".join(f"    {json.dumps(example, ensure_ascii=False)}" for example in group) + "\n  ]"
        for code, group in examples.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def find_openings(translator: Translator, path: Path) -> list[Opening]:
    """The openings of a file's examples in the model's source language."""
    examples, code = read_examples(path, translator)
    return [find_opening(translator, example["sentence"]) for example in examples[code]]


def update_openings(translator: Translator, path: Path, openings: Sequence[Opening]) -> None:
    """Writes the openings of the source language's examples into the file; other languages stay unchanged."""
    examples, code = read_examples(path, translator)
    updated = [{**example, "opens_at": opening.word} for example, opening in zip(examples[code], openings, strict=True)]
    write_atomically(path, format_examples({**examples, code: updated}).encode())
