"""One map of attention weights as a plotly figure, for a notebook.

Rows are queries and columns are keys, unless the figure is transposed. The page draws the same figure in the browser
(explorer/attention_view/heatmap.js); a test compares the two.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go  # types in quotes: the first that is looked up imports all of Plotly
from jaxtyping import Float

from explorer.attention_view.component import attention_frame, words
from explorer.ui.language import LANGUAGE_CONTEXT, format_decimal, use_language
from explorer.ui.palette import CLEAR, LIGHT
from explorer.ui.scripts import isolate
from model.languages import Languages

LABEL_HEIGHT, LABEL_WIDTH = 12, 13  # pixels from one label to the next
ABOVE, BESIDE = 150, 320  # pixels that labels and titles take of a figure's height and width, at most
USUAL = {"height": 450, "width": 700}  # pixels of a figure that says nothing about them
MAX_ROW_LETTERS, MAX_COLUMN_LETTERS = 28, 14  # longer labels are shortened
MAX_PIECES_WITH_GAPS = 40  # with more, gaps would be wider than cells


def attention_heatmap(
    weights: Float[np.ndarray, "query key"] | Sequence[Sequence[float]],
    queries: Sequence[str],
    keys: Sequence[str],
    kind: str,
    *,
    step: int | None = None,
    special: tuple[Collection[int], Collection[int]] = ((), ()),
    transposed: bool = False,
    palette: Mapping[str, str] = LIGHT,
    languages: Languages | None = None,
) -> "go.Figure":
    """A heatmap of one head's weights; masked cells of decoder self-attention are hatched.

    With a `step` (zero-based), maps of the decoder end at that row, which is marked. `special` are the indices of the
    queries and keys in italics. Axes are numeric with the labels as tick texts, because category axes merge repeated
    pieces. The axis titles name the `languages` (default: those of the page).
    """
    weights = np.asarray(weights)
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys")
    n_decoded = len(queries) if step is None or kind == "encoder" else step + 1
    visible = hide_unknown(weights, kind, n_decoded)
    text = hover_texts(queries, keys, visible)
    outline = hatched_outline(n_decoded if kind == "decoder" else 0)
    mark = ([-0.5, len(keys) - 0.5], [n_decoded - 1.5, n_decoded - 0.5])
    rows, columns = (queries, n_decoded, special[0]), (keys, n_decoded if kind == "decoder" else len(keys), special[1])
    if transposed:
        visible, text, outline, mark, (rows, columns) = visible.T, text.T, outline[::-1], mark[::-1], (columns, rows)
    gap = 1 if max(weights.shape) <= MAX_PIECES_WITH_GAPS else 0
    figure = empty_figure(kind, palette, transposed, languages)
    cells = {"z": visible.astype(np.float32), "text": text, "xgap": gap, "ygap": gap}
    figure.update_traces(cells, selector={"type": "heatmap"})
    figure.update_traces({"x": outline[0], "y": outline[1]}, selector={"type": "scatter"})
    figure.update_xaxes(**ticks(*columns, MAX_COLUMN_LETTERS), range=[-0.5, len(columns[0]) - 0.5])
    figure.update_yaxes(**ticks(*rows, MAX_ROW_LETTERS), range=[len(rows[0]) - 0.5, -0.5])
    corners = dict(zip(("x0", "x1", "y0", "y1"), (*mark[0], *mark[1]), strict=True))
    has_mark = step is not None and kind != "encoder"
    give_labels_room(figure, len(rows[0]), len(columns[0]))
    figure.layout.shapes = [shape.update(corners) for shape in figure.select_shapes({"name": "mark"}) if has_mark]
    return figure


def hide_unknown(weights: Float[np.ndarray, "query key"], kind: str, n_decoded: int) -> Float[np.ndarray, "query key"]:
    """The weights as float64, with NaN where cells are masked or not decoded yet."""
    values = weights.astype(np.float64)
    if kind == "decoder":
        values[np.triu_indices(len(values), 1)] = np.nan
    values[n_decoded:] = np.nan
    return values


def empty_figure(kind: str, palette: Mapping[str, str], transposed: bool, languages: Languages | None) -> "go.Figure":
    """The empty figure; its axis titles name the given languages, or those of the page."""
    context = LANGUAGE_CONTEXT.get()
    with use_language(replace(context, languages=languages or context.languages)):
        return go.Figure(attention_frame(kind, palette, transposed))


def give_labels_room(figure: "go.Figure", rows: int, columns: int) -> None:
    """Makes a figure larger than Plotly would, if it has so many rows or columns that labels would hide others."""
    sizes = {"height": ABOVE + rows * LABEL_HEIGHT, "width": BESIDE + columns * LABEL_WIDTH}
    figure.update_layout({name: size for name, size in sizes.items() if size > USUAL[name]})


def ticks(labels: Sequence[str], known: int, special: Collection[int], letters: int) -> dict[str, Any]:
    """A label for every piece of an axis; those from index `known` on are transparent."""
    texts = []
    for i, label in enumerate(labels):
        text = isolate(label if len(label) <= letters else f"{label[: letters - 1]}…")
        text = f"<i>{escape(text, quote=False)}</i>" if i in special else escape(text, quote=False)
        texts.append(text if i < known else f'<span style="color:{CLEAR}">{text}</span>')
    return {"tickvals": list(range(len(labels))), "ticktext": texts}


def hover_texts(queries: Sequence[str], keys: Sequence[str], weights: Float[np.ndarray, "query key"]) -> np.ndarray:
    """The hover text of each cell."""
    rows = (thousandths(weights) / 1000).tolist()
    return np.array(
        [
            [hover_text(query, key, weight) for key, weight in zip(keys, row, strict=True)]
            for query, row in zip(queries, rows, strict=True)
        ]
    )


def thousandths(numbers: Float[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes"]:
    """Numbers in thousandths, rounded to integers; halves go up, as in JavaScript."""
    return np.floor(1000 * numbers + 0.5)


def hover_text(query: str, key: str, weight: float) -> str:
    """The hover text of a cell; empty if the weight is NaN."""
    if np.isnan(weight):
        return ""
    text = words.TEXT["cell"].format(query=isolate(query), key=isolate(key), weight=format_decimal(weight, 3))
    return escape(text, quote=False)


def hatched_outline(rows: int) -> tuple[list[float | None], list[float | None]]:
    """x and y of the cells above the diagonal in the first `rows` rows, a rectangle for each row; None ends it."""
    x, y = [], []
    for row in range(rows - 1):
        left, right, top, bottom = row + 0.5, rows - 0.5, row - 0.5, row + 0.5
        x += [left, right, right, left, None]
        y += [top, top, bottom, bottom, None]
    return x, y
