"""What the entries of numbers ask of the server, and the same files for programs: plain JSON in and out.

Everything counts from zero. What is refused is refused in a sentence.
"""

import base64
import json
from collections.abc import Callable
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.files.described import described
from explorer.files.everything import json_of, npz_of
from explorer.files.matrix import ROLLOUT, Matrix, csv_text, matrix_of
from explorer.page.save import words
from explorer.recording.lengths import lengths
from explorer.recording.opened import Opened
from explorer.recording.trace import Trace
from model.probe import Kind

Several = Literal["mean", "max"]


class Words(TypedDict):
    """The groups of pieces that stand for words in the picture, and what they are called."""

    queries: list[list[int]]
    keys: list[list[int]]
    query_labels: list[str]
    key_labels: list[str]


class Asked(TypedDict):
    """A matrix as the browser asks for it; `experiment` is that of the trace, null for the unchanged one."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

    sentence: str
    experiment: dict[str, Any] | None
    kind: Kind
    layer: int | Several | Literal["rollout"]
    head: int | Several
    measure: Literal["weight", "length"]
    specials: bool
    words: Words | None


ASKED = TypeAdapter(Asked)


class Numbers:
    """The files of one opened checkpoint."""

    def __init__(self, opened: Opened):
        self.opened = opened
        self.laboratory = opened.shared(Laboratory)

    def trace(self, sentence: str, experiment: Experiment | None) -> Trace:
        if experiment is None:
            return self.laboratory.recordings.trace(sentence)
        return self.laboratory.trace(sentence, experiment)

    def matrix(self, asked: Asked) -> Matrix:
        """Raises ValueError, with a sentence, where the model or the sentence has no such matrix."""
        experiment = experiment_of(asked["experiment"]) if asked["experiment"] else None
        trace, kind = self.trace(asked["sentence"], experiment), asked["kind"]
        choices = {"layer": asked["layer"], "head": asked["head"]}
        for (name, choice), count in zip(choices.items(), trace.map(kind).weights.shape[:2], strict=True):
            if isinstance(choice, int) and not 0 <= choice < count:
                raise ValueError(words.REFUSALS["index"].format(name=name, last=count - 1, value=choice))
        found = None
        if asked["measure"] == "length":
            if experiment or asked["layer"] == ROLLOUT:
                raise ValueError(words.REFUSALS["lengths"])
            found = lengths(self.laboratory.recordings.forward_pass(asked["sentence"]), kind)
        return matrix_of(trace, kind, asked["layer"], asked["head"], specials=asked["specials"], lengths=found)

    def content(self, sentence: str, changes: dict[str, Any] | None) -> dict[str, Any]:
        """What `json_of` and `npz_of` take."""
        experiment = experiment_of(changes) if changes else None
        return {
            "trace": self.trace(sentence, None),
            "changed": self.trace(sentence, experiment) if experiment else None,
            "experiment": experiment,
            "model": described(self.opened.translator, self.opened.folder),
        }


def csv_answer(opened: Opened) -> Callable[..., str]:
    numbers = Numbers(opened)

    def answer(given: Any) -> str:
        try:
            asked = ASKED.validate_json(json.dumps(given))
        except ValidationError as error:
            raise ValueError(words.REFUSALS["no_matrix"]) from error
        matrix, said = numbers.matrix(asked), asked["words"]
        if said:
            joined = matrix.joined(said["queries"], said["keys"])
            matrix = Matrix(joined, tuple(said["query_labels"]), tuple(said["key_labels"]))
        return json.dumps({"text": csv_text(matrix)})

    return answer


def json_answer(opened: Opened) -> Callable[..., str]:
    numbers = Numbers(opened)

    def answer(sentence: str, changes: Any) -> str:
        return json.dumps({"text": json_of(**numbers.content(sentence, changes))})

    return answer


def npz_answer(opened: Opened) -> Callable[..., str]:
    numbers = Numbers(opened)

    def answer(sentence: str, changes: Any) -> str:
        return json.dumps({"base64": base64.b64encode(npz_of(**numbers.content(sentence, changes))).decode("ascii")})

    return answer
