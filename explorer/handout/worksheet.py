"""The content of a worksheet: the last layer's mean cross-attention by words, and the rows that exercises use."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.handout import words
from explorer.recording.default_step import default_step
from explorer.recording.splitting import is_punctuation, joined_text, joined_words
from explorer.recording.trace import Trace

MAX_WORDS = 24  # of the sentence, with its end, and of the translation
MAX_ROWS_TO_GUESS = 12
ROWS_TO_READ = 2


class TooManyWordsError(ValueError):
    """The sentence or its translation has too many words for a page."""


@dataclass(frozen=True, eq=False)
class Worksheet:
    """A word-level attention map, and the rows that exercises use."""

    sentence: str
    translation: str
    columns: tuple[str, ...]  # words of the sentence, with its end
    rows: tuple[str, ...]  # words of the translation, without its end
    weights: Float[np.ndarray, "row column"]
    rows_to_guess: tuple[int, ...]  # students guess the strongest column
    rows_to_read: tuple[int, ...]  # students read the weights to one decimal
    heads: int

    @property
    def strongest(self) -> list[int]:
        """The strongest column of every row."""
        return self.weights.argmax(axis=1).tolist()

    @property
    def crossings(self) -> int:
        """The number of crossings of the lines from the rows to guess to their strongest columns."""
        ends = [self.strongest[row] for row in self.rows_to_guess]
        return sum(first > second for i, first in enumerate(ends) for second in ends[i + 1 :])


def worksheet_of(trace: Trace) -> Worksheet:
    """The worksheet of a trace. Raises TooManyWordsError with a sentence for the user."""
    keys = joined_words(trace.source)
    target = (trace.steps[0].fed, *(step.predicted for step in trace.steps))
    groups = [group for group in joined_words(target) if not target[group[0]].special]
    if max(len(keys), len(groups)) > MAX_WORDS:
        count = max(len(keys), len(groups))
        raise TooManyWordsError(words.TOO_LONG.format(words=count, limit=MAX_WORDS))
    queries = [[place - 1 for place in group] for group in groups]  # a piece is predicted in the row before its own
    layers, heads, *_ = trace.cross.weights.shape
    weights = sum_by_words(trace.cross.matrix(layers - 1, "mean"), queries, keys)
    rows_to_guess = select_rows_to_guess([joined_text(target, group) for group in groups])
    default_row = next((row for row, query in enumerate(queries) if default_step(trace) in query), 0)
    return Worksheet(
        sentence=trace.sentence,
        translation=trace.translation,
        columns=tuple(joined_text(trace.source, group) for group in keys),
        rows=tuple(joined_text(target, group) for group in groups),
        weights=weights,
        rows_to_guess=rows_to_guess,
        rows_to_read=select_rows_to_read(weights, rows_to_guess, default_row),
        heads=heads,
    )


def sum_by_words(
    weights: Float[np.ndarray, "query key"], queries: list[list[int]], keys: list[list[int]]
) -> Float[np.ndarray, "row column"]:
    """Weights between words: summed over the pieces of a key, averaged over those of a query."""
    return np.array([[weights[np.ix_(row, column)].sum() / len(row) for column in keys] for row in queries])


def select_rows_to_guess(rows: list[str]) -> tuple[int, ...]:
    """The longest words, at most MAX_ROWS_TO_GUESS, in their order, without punctuation."""
    candidates = [row for row, text in enumerate(rows) if not is_punctuation(text)]
    return tuple(sorted(sorted(candidates, key=lambda row: -len(rows[row]))[:MAX_ROWS_TO_GUESS]))


def select_rows_to_read(
    weights: Float[np.ndarray, "row column"], rows_to_guess: Sequence[int], default_row: int
) -> tuple[int, ...]:
    """The row of the default step, and the row to guess whose weights have the highest entropy."""
    entropy = -(weights * np.log(np.maximum(weights, 1e-12))).sum(axis=1)
    by_entropy = sorted((row for row in rows_to_guess if row != default_row), key=lambda row: -entropy[row])
    return tuple(sorted((default_row, *by_entropy[: ROWS_TO_READ - 1])))
