"""The answers to the entries of numbers, and the same files for programs: plain JSON in and out.

All indices are zero-based. Errors are sentences.
"""

import base64
import json
from collections.abc import Collection
from typing import Any, Literal

from pydantic import ConfigDict
from typing_extensions import TypedDict

from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import shared_laboratory
from explorer.files.export_trace import describe_model, json_of, npz_of
from explorer.files.matrix import ROLLOUT, Matrix, csv_text, matrix_of
from explorer.recording.app_context import AppContext
from explorer.recording.lengths import lengths
from explorer.recording.trace import Trace
from explorer.ui.questions import require_index
from explorer.ui.translations import Translations
from model.errors import UserError
from model.probe import Kind

words = Translations(__file__)

Aggregate = Literal["mean", "max"]
MAX_LABEL_CHARS = 10_000  # characters of a label; two words of 128 pieces each have fewer


class WordGroups(TypedDict):
    """The groups of pieces that form words in the picture, and their labels.

    Indices of keys include special pieces, hidden or not.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

    queries: list[list[int]]
    keys: list[list[int]]
    query_labels: list[str]
    key_labels: list[str]


class MatrixRequest(TypedDict):
    """The browser's request for a matrix; `experiment` is null for the unchanged trace."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

    sentence: str
    experiment: dict[str, Any] | None
    kind: Kind
    layer: int | Aggregate | Literal["rollout"]
    head: int | Aggregate
    measure: Literal["weight", "length"]
    specials: bool
    words: WordGroups | None


class Numbers:
    """The files of one checkpoint."""

    def __init__(self, app: AppContext):
        self.app = app
        self.laboratory = shared_laboratory(app)

    def trace(self, sentence: str, experiment: Experiment | None) -> Trace:
        if experiment is None:
            return self.laboratory.recordings.trace(sentence)
        return self.laboratory.trace(sentence, experiment)

    def matrix(self, request: MatrixRequest) -> Matrix:
        """The requested matrix. Raises UserError if the model or the sentence has no such matrix."""
        experiment = experiment_of(request["experiment"]) if request["experiment"] else None
        trace, kind = self.trace(request["sentence"], experiment), request["kind"]
        choices = {"layer": request["layer"], "head": request["head"]}
        for (name, choice), count in zip(choices.items(), trace.map(kind).weights.shape[:2], strict=True):
            if isinstance(choice, int):
                require_index(name, choice, count)
        found = None
        if request["measure"] == "length":
            if experiment or request["layer"] == ROLLOUT:
                raise UserError(words.REFUSALS["lengths"])
            found = lengths(self.laboratory.recordings.forward_pass(request["sentence"]), kind)
        matrix = matrix_of(trace, kind, request["layer"], request["head"], specials=request["specials"], lengths=found)
        visible_keys = [i for i, piece in enumerate(trace.map(kind).keys) if request["specials"] or not piece.special]
        return merge_words(matrix, request["words"], visible_keys) if request["words"] else matrix

    def content(self, sentence: str, changes: Any) -> dict[str, Any]:
        """The arguments of `json_of` and `npz_of`."""
        experiment = experiment_of(changes) if changes else None
        return {
            "trace": self.trace(sentence, None),
            "changed": self.trace(sentence, experiment) if experiment else None,
            "experiment": experiment,
            "model": describe_model(self.app.translator, self.app.folder),
        }

    def csv_answer(self, request: MatrixRequest) -> str:
        return json.dumps({"text": csv_text(self.matrix(request))})

    def json_answer(self, sentence: str, changes: Any) -> str:
        return json.dumps({"text": json_of(**self.content(sentence, changes))})

    def npz_answer(self, sentence: str, changes: Any) -> str:
        return json.dumps({"base64": base64.b64encode(npz_of(**self.content(sentence, changes))).decode("ascii")})


def merge_words(matrix: Matrix, groups: WordGroups, visible_keys: list[int]) -> Matrix:
    """The matrix with words for pieces, the keys of its columns being `shown`. Raises UserError where none fit."""
    columns = {key: column for column, key in enumerate(visible_keys)}
    queries, keys = groups["queries"], groups["keys"]
    if not (
        is_grouping(queries, groups["query_labels"], range(len(matrix.queries)))
        and is_grouping(keys, groups["key_labels"], columns)
    ):
        raise UserError(words.REFUSALS["no_matrix"])
    joined = matrix.group_pieces(queries, [[columns[key] for key in group] for group in keys])
    return Matrix(joined, tuple(groups["query_labels"]), tuple(groups["key_labels"]))


def is_grouping(groups: list[list[int]], labels: list[str], known: Collection[int]) -> bool:
    """Whether groups contain known indices only, have a label each, and are of bounded size."""
    return (
        0 < len(groups) == len(labels) <= len(known)
        and all(0 < len(group) <= len(known) and all(i in known for i in group) for group in groups)
        and all(len(label) <= MAX_LABEL_CHARS for label in labels)
    )
