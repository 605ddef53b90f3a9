"""What the entries of numbers ask of the server, and the same files for programs: plain JSON in and out.

Everything counts from zero. What is refused is refused in a sentence.
"""

import base64
import json
from collections.abc import Callable, Collection
from typing import Any, Literal

from pydantic import ConfigDict
from typing_extensions import TypedDict

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import shared_laboratory
from explorer.files.described import described
from explorer.files.everything import json_of, npz_of
from explorer.files.matrix import ROLLOUT, Matrix, csv_text, matrix_of
from explorer.page.save import words
from explorer.recording.app_context import AppContext
from explorer.recording.lengths import lengths
from explorer.recording.trace import Trace
from explorer.ui.questions import require_index
from model.probe import Kind

Several = Literal["mean", "max"]
LONGEST = 10_000  # characters of a label; two words of 128 pieces each have fewer


class Words(TypedDict):
    """The groups of pieces that stand for words in the picture, and what they are called.

    Keys are counted with the special ones, hidden or not.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

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


class Numbers:
    """The files of one opened checkpoint."""

    def __init__(self, app: AppContext):
        self.app = app
        self.laboratory = shared_laboratory(app)

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
            if isinstance(choice, int):
                require_index(name, choice, count)
        found = None
        if asked["measure"] == "length":
            if experiment or asked["layer"] == ROLLOUT:
                raise ValueError(words.REFUSALS["lengths"])
            found = lengths(self.laboratory.recordings.forward_pass(asked["sentence"]), kind)
        matrix = matrix_of(trace, kind, asked["layer"], asked["head"], specials=asked["specials"], lengths=found)
        shown = [i for i, piece in enumerate(trace.map(kind).keys) if asked["specials"] or not piece.special]
        return in_words(matrix, asked["words"], shown) if asked["words"] else matrix

    def content(self, sentence: str, changes: Any) -> dict[str, Any]:
        """What `json_of` and `npz_of` take."""
        experiment = experiment_of(changes) if changes else None
        return {
            "trace": self.trace(sentence, None),
            "changed": self.trace(sentence, experiment) if experiment else None,
            "experiment": experiment,
            "model": described(self.app.translator, self.app.folder),
        }


def in_words(matrix: Matrix, said: Words, shown: list[int]) -> Matrix:
    """The matrix with words for pieces, the keys of its columns being `shown`. Raises ValueError where none fit."""
    columns = {key: column for column, key in enumerate(shown)}
    queries, keys = said["queries"], said["keys"]
    if not (
        fits(queries, said["query_labels"], range(len(matrix.queries))) and fits(keys, said["key_labels"], columns)
    ):
        raise ValueError(words.REFUSALS["no_matrix"])
    joined = matrix.joined(queries, [[columns[key] for key in group] for group in keys])
    return Matrix(joined, tuple(said["query_labels"]), tuple(said["key_labels"]))


def fits(groups: list[list[int]], labels: list[str], known: Collection[int]) -> bool:
    """Whether groups are of what is known, with a label each, and no more than a browser has reason to ask for."""
    return (
        0 < len(groups) == len(labels) <= len(known)
        and all(0 < len(group) <= len(known) and all(i in known for i in group) for group in groups)
        and all(len(label) <= LONGEST for label in labels)
    )


def csv_answer(app: AppContext) -> Callable[..., str]:
    numbers = Numbers(app)

    def answer(asked: Asked) -> str:
        return json.dumps({"text": csv_text(numbers.matrix(asked))})

    return answer


def json_answer(app: AppContext) -> Callable[..., str]:
    numbers = Numbers(app)

    def answer(sentence: str, changes: Any) -> str:
        return json.dumps({"text": json_of(**numbers.content(sentence, changes))})

    return answer


def npz_answer(app: AppContext) -> Callable[..., str]:
    numbers = Numbers(app)

    def answer(sentence: str, changes: Any) -> str:
        return json.dumps({"base64": base64.b64encode(npz_of(**numbers.content(sentence, changes))).decode("ascii")})

    return answer
