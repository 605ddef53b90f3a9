"""One map of attention weights as a plotly figure, for a notebook.

Queries go down the rows, keys along the columns, unless a picture is asked for transposed. The page draws the same
picture in the browser (explorer/attention_view/heatmap.js); a test compares the two.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from explorer.attention_view import words
from explorer.attention_view.frame import attention_frame
from explorer.ui.figures import MAX_COLUMN_LETTERS, MAX_ROW_LETTERS, ticks
from explorer.ui.language import LANGUAGE_CONTEXT, use_language
from explorer.ui.palette import LIGHT
from explorer.ui.scripts import isolate
from model.languages import Languages

MOST_WITH_GAPS = 40  # pieces; beyond, the lines between cells would take more room than the cells


def attention_heatmap(
    weights: Float[np.ndarray, "query key"],
    queries: Sequence[str],
    keys: Sequence[str],
    kind: str,
    *,
    step: int | None = None,
    special: tuple[Collection[int], Collection[int]] = ((), ()),
    transposed: bool = False,
    palette: Mapping[str, str] = LIGHT,
    languages: Languages | None = None,
) -> go.Figure:
    """One head's weights; in the decoder's own attention the future, which is masked, is hatched.

    With a `step` (zero-based) a map of the decoder ends there, and that row is marked. The queries and keys in
    `special` are set in italics. Axes are numeric with the labels as tick texts, because category axes merge
    repeated pieces. The axes name the `languages`, those of a translator, or of the page where there is one.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys")
    known = len(queries) if step is None or kind == "encoder" else step + 1
    shown = seen(weights, kind, known)
    text = sentences(queries, keys, shown)
    outline = masked_outline(known) if kind == "decoder" else ([], [])
    mark = ([-0.5, len(keys) - 0.5], [known - 1.5, known - 0.5])
    rows, columns = (queries, known, special[0]), (keys, known if kind == "decoder" else len(keys), special[1])
    if transposed:
        shown, text, outline, mark, (rows, columns) = shown.T, text.T, outline[::-1], mark[::-1], (columns, rows)
    gap = 1 if max(weights.shape) <= MOST_WITH_GAPS else 0
    figure = frame(kind, palette, transposed, languages)
    cells = {"z": shown.astype(np.float32), "text": text, "xgap": gap, "ygap": gap}
    figure.update_traces(cells, selector={"type": "heatmap"})
    figure.update_traces({"x": outline[0], "y": outline[1]}, selector={"type": "scatter"})
    figure.update_xaxes(**ticks(*columns, MAX_COLUMN_LETTERS), range=[-0.5, len(columns[0]) - 0.5])
    figure.update_yaxes(**ticks(*rows, MAX_ROW_LETTERS), range=[len(rows[0]) - 0.5, -0.5])
    place = dict(zip(("x0", "x1", "y0", "y1"), (*mark[0], *mark[1]), strict=True))
    marked = step is not None and kind != "encoder"
    figure.layout.shapes = [shape.update(place) for shape in figure.select_shapes({"name": "mark"}) if marked]
    return figure


def seen(weights: Float[np.ndarray, "query key"], kind: str, known: int) -> Float[np.ndarray, "query key"]:
    """The weights without what is masked and what is not decoded yet, which are no numbers."""
    found = weights.astype(np.float64)
    if kind == "decoder":
        found[np.triu_indices(len(found), 1)] = np.nan
    found[known:] = np.nan
    return found


def frame(kind: str, palette: Mapping[str, str], transposed: bool, languages: Languages | None) -> go.Figure:
    """The empty figure, with the languages in its axes; without any, with those of the page."""
    voice = LANGUAGE_CONTEXT.get()
    with use_language(replace(voice, languages=languages or voice.languages)):
        return attention_frame(kind, palette, transposed)


def sentences(queries: Sequence[str], keys: Sequence[str], weights: Float[np.ndarray, "query key"]) -> np.ndarray:
    """What hovering over each cell says."""
    rows = (thousandths(weights) / 1000).tolist()
    return np.array(
        [
            [sentence(query, key, weight) for key, weight in zip(keys, row, strict=True)]
            for query, row in zip(queries, rows, strict=True)
        ]
    )


def thousandths(numbers: Float[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes"]:
    """What is printed of numbers, as an integer; a half goes up, as in JavaScript."""
    return np.floor(1000 * numbers + 0.5)


def sentence(query: str, key: str, weight: float) -> str:
    """What hovering over a cell says; nothing where the cell is empty."""
    text = "" if np.isnan(weight) else words.CELL.format(query=isolate(query), key=isolate(key), weight=f"{weight:.3f}")
    return escape(text, quote=False)


def masked_outline(rows: int) -> tuple[list[float], list[float]]:
    """x and y of the line around the cells above the diagonal, of the first `rows` rows."""
    x, y = [], []
    for row in range(rows - 1):
        x += [row + 0.5, row + 0.5]
        y += [row - 0.5, row + 0.5]
    return ([*x, rows - 0.5, rows - 0.5], [*y, rows - 1.5, -0.5]) if x else ([], [])
