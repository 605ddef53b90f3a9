"""The numbers of a worksheet: the cross-attention that a first visit shows, in words, and what can be asked of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.handout import words
from explorer.recording.default_step import default_step
from explorer.recording.splitting import is_punctuation, joined_text, joined_words
from explorer.recording.trace import Trace

MOST_WORDS = 24  # of a side of paper: of the sentence, its end included, and of the translation
MOST_ASKED = 12
READ = 2  # rows whose weights are to be read


class TooLong(ValueError):
    """A sentence has more words than a side has room for."""


@dataclass(frozen=True, eq=False)
class Worksheet:
    """A picture in words, and the rows of it that are asked about."""

    sentence: str
    translation: str
    columns: tuple[str, ...]  # words of the sentence, its end included
    rows: tuple[str, ...]  # words of the translation, without its end
    weights: Float[np.ndarray, "row column"]
    asked: tuple[int, ...]  # rows whose strongest column is to be guessed
    read: tuple[int, ...]  # rows whose weights are to be read to one decimal
    heads: int

    @property
    def strongest(self) -> list[int]:
        """The column of every row that is looked at most."""
        return self.weights.argmax(axis=1).tolist()

    @property
    def crossings(self) -> int:
        """How many pairs of the lines from the rows asked about to their strongest columns cross."""
        ends = [self.strongest[row] for row in self.asked]
        return sum(first > second for i, first in enumerate(ends) for second in ends[i + 1 :])


def worksheet_of(trace: Trace) -> Worksheet:
    """Raises TooLong, with a sentence that can be shown, where the sentence has more words than a side has room for."""
    keys = joined_words(trace.source)
    written = (trace.steps[0].fed, *(step.predicted for step in trace.steps))
    groups = [group for group in joined_words(written) if not written[group[0]].special]
    if max(len(keys), len(groups)) > MOST_WORDS:
        count = max(len(keys), len(groups))
        raise TooLong(words.TOO_LONG.format(words=count, limit=MOST_WORDS))
    queries = [[place - 1 for place in group] for group in groups]  # what is written at a place is a row before it
    layers, heads, *_ = trace.cross.weights.shape
    weights = joined(trace.cross.matrix(layers - 1, "mean"), queries, keys)
    asked = chosen([joined_text(written, group) for group in groups])
    telling = next((row for row, query in enumerate(queries) if default_step(trace) in query), 0)
    return Worksheet(
        sentence=trace.sentence,
        translation=trace.translation,
        columns=tuple(joined_text(trace.source, group) for group in keys),
        rows=tuple(joined_text(written, group) for group in groups),
        weights=weights,
        asked=asked,
        read=read(weights, asked, telling),
        heads=heads,
    )


def joined(
    weights: Float[np.ndarray, "query key"], queries: list[list[int]], keys: list[list[int]]
) -> Float[np.ndarray, "row column"]:
    """Summed over the pieces of a word that is looked at, averaged over those of a word that looks."""
    return np.array([[weights[np.ix_(row, column)].sum() / len(row) for column in keys] for row in queries])


def chosen(rows: list[str]) -> tuple[int, ...]:
    """At most so many words, the longest, in their order; no punctuation."""
    told = [row for row, text in enumerate(rows) if not is_punctuation(text)]
    return tuple(sorted(sorted(told, key=lambda row: -len(rows[row]))[:MOST_ASKED]))


def read(weights: Float[np.ndarray, "row column"], asked: Sequence[int], telling: int) -> tuple[int, ...]:
    """The telling row, and the one of those asked about whose weights are spread most."""
    entropy = -(weights * np.log(np.maximum(weights, 1e-12))).sum(axis=1)
    spread = sorted((row for row in asked if row != telling), key=lambda row: -entropy[row])
    return tuple(sorted((telling, *spread[: READ - 1])))
