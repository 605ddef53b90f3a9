"""One matrix with the labels of its rows and columns, as a visitor has it in front of him: exact, and as CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.files import words
from explorer.recording.rollout import rollout
from explorer.recording.trace import Choice, Trace, reduce_axis
from model.probe import Kind

ROLLOUT = "rollout"  # a choice of layer, beside a number, "mean" and "max": across all of them
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a text that begins with one of these is a formula to a spreadsheet


@dataclass(frozen=True, eq=False)
class Matrix:
    """Numbers with a label for every row and column."""

    numbers: Float[np.ndarray, "query key"]
    queries: tuple[str, ...]
    keys: tuple[str, ...]

    def __post_init__(self):
        if self.numbers.shape != (len(self.queries), len(self.keys)):
            shape, rows, columns = list(self.numbers.shape), len(self.queries), len(self.keys)
            raise ValueError(f"numbers {shape} do not fit {rows} queries and {columns} keys")

    def joined(self, queries: Sequence[Sequence[int]], keys: Sequence[Sequence[int]]) -> Float[np.ndarray, "query key"]:
        """A row and a column for every group, as words are made of pieces: summed over keys, averaged over queries."""
        columns = np.stack([self.numbers[:, list(group)].sum(axis=1) for group in keys], axis=1)
        return np.stack([columns[list(group)].mean(axis=0) for group in queries])


def matrix_of(
    trace: Trace,
    kind: Kind,
    layer: Choice | str,
    head: Choice,
    *,
    specials: bool = True,
    lengths: Float[np.ndarray, "layer head query key"] | None = None,
) -> Matrix:
    """The weights of one head or of several together, or their rollout; with `lengths`, those in the place of weights.

    Without `specials` the columns of special pieces are left out; of weights the rest of a row is divided by its sum,
    as Explore does it, and a row of which nothing is left stays 0.
    """
    attention = trace.map(kind)
    if layer == ROLLOUT:
        numbers = rollout(trace, kind)
    elif lengths is None:
        numbers = attention.matrix(layer, head)  # pyright: ignore[reportArgumentType]
    else:
        numbers = reduce_axis(reduce_axis(lengths, head, axis=1), layer, axis=0)  # pyright: ignore[reportArgumentType]
    queries, keys = tuple(query.label for query in attention.queries), tuple(piece.text for piece in attention.keys)
    if specials:
        return Matrix(numbers, queries, keys)
    kept = [i for i, piece in enumerate(attention.keys) if not piece.special]
    rest = numbers[:, kept]
    if lengths is None:
        sums = rest.sum(axis=1, keepdims=True, dtype=np.float64)
        rest = rest / np.where(sums > 0, sums, 1)
    return Matrix(rest, queries, tuple(keys[i] for i in kept))


def csv_text(matrix: Matrix) -> str:
    """RFC 4180: the first row labels the keys, the first column the queries; what no query may see is 0.

    Numbers have all their digits: those of 32-bit floats read back as the same 32-bit floats. A label that a
    spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([words.CORNER, *map(harmless, matrix.keys)])
    for query, row in zip(matrix.queries, matrix.numbers, strict=True):
        lines.writerow([harmless(query), *map(str, row)])
    return text.getvalue()


def harmless(label: str) -> str:
    """The label, or, where a spreadsheet would compute it, the label after an apostrophe."""
    return f"'{label}" if label.startswith(FORMULA) else label


def csv_of(trace: Trace, kind: Kind, layer: Choice | str, head: Choice, *, specials: bool = True) -> str:
    """One matrix of a trace as CSV: a layer (or "mean", "max", "rollout") and a head (or "mean", "max") from zero on.

    In a file for a spreadsheet it begins best with a byte order mark: `path.write_text(text, encoding="utf-8-sig")`.
    """
    return csv_text(matrix_of(trace, kind, layer, head, specials=specials))
