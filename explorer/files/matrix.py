"""One attention matrix with the labels of its rows and columns, and its export as CSV."""

import csv
import io
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.recording.rollout import rollout
from explorer.recording.trace import Choice, Trace, reduce_axis
from explorer.ui.translations import Translations
from model.probe import Kind

words = Translations(__file__)
ROLLOUT = "rollout"  # a choice of layer, besides a number, "mean" and "max"
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")  # spreadsheets read such cells as formulas


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


def matrix_of(
    trace: Trace,
    kind: Kind,
    layer: Choice | str,
    head: Choice,
    *,
    specials: bool = True,
    lengths: Float[np.ndarray, "layer head query key"] | None = None,
) -> Matrix:
    """The weights of one or several heads, or their rollout; with `lengths`, those instead of weights.

    Without `specials`, columns of special pieces are removed. Weights are then divided by the sum of their row, as in
    Heads; rows of zeros stay 0.
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
    remaining = numbers[:, kept]
    if lengths is None:
        sums = remaining.sum(axis=1, keepdims=True, dtype=np.float64)
        remaining = remaining / np.where(sums > 0, sums, 1)
    return Matrix(remaining, queries, tuple(keys[i] for i in kept))


def csv_text(matrix: Matrix) -> str:
    """A matrix as CSV (RFC 4180). The first row contains the keys, the first column the queries; masked cells are 0.

    Numbers have all their digits: float32 values survive a round trip. Labels that a spreadsheet would read as formulas
    get an apostrophe in front.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([words.CORNER, *map(escape_formula, matrix.keys)])
    for query, row in zip(matrix.queries, matrix.numbers, strict=True):
        writer.writerow([escape_formula(query), *map(str, row)])
    return text.getvalue()


def escape_formula(label: str) -> str:
    """The label, with an apostrophe in front if a spreadsheet would read it as a formula."""
    return f"'{label}" if label.startswith(FORMULA_PREFIXES) else label


def csv_of(trace: Trace, kind: Kind, layer: Choice | str, head: Choice, *, specials: bool = True) -> str:
    """One matrix of a trace as CSV. Layer (or "mean", "max", "rollout") and head (or "mean", "max") are zero-based.

    For a spreadsheet, write the file with a byte order mark: `path.write_text(text, encoding="utf-8-sig")`.
    """
    return csv_text(matrix_of(trace, kind, layer, head, specials=specials))
