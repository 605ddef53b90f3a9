"""The first word that each example sentence shows with a checkpoint."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from explorer.recording.default_step import default_step
from explorer.recording.examples import primary_subtag
from explorer.recording.trace import record
from model.decoding import Translator

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


def find_opening(translator: Translator, sentence: str, subject: str = "") -> Opening:
    trace = record(translator, sentence)
    step = default_step(trace, subject)
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


def find_openings(translator: Translator, path: Path) -> list[Opening]:
    """The openings of a file's examples in the model's source language."""
    examples, code = read_examples(path, translator)
    return [find_opening(translator, example["sentence"], example.get("subject", "")) for example in examples[code]]
