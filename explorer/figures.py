"""Figures: arrays and labels in, a plotly figure out. The page, a notebook and an export draw the same picture.

Queries go down the rows, keys along the columns, unless a picture is asked for transposed. The browser takes the
empty figure of a kind from here (`attention_frame`) and only swaps arrays and labels into it, by the rules of
`attention_heatmap` (explorer/viewer/explore/heatmap.js follows them; a test compares the two).
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from explorer.digits import thousandths
from explorer.palette import CLEAR, FONT, LIGHT, MONOSPACE, NEUTRAL, ink

QUERIES = {
    "encoder": "English piece",
    "decoder": "German piece fed → predicted",
    "cross": "German piece fed → predicted",
}
KEYS = {"encoder": "English piece", "decoder": "German piece fed so far", "cross": "English piece"}
MOST_LABELS = 30  # an axis; beyond, every second, third, ... piece is labelled
ROW_LETTERS, COLUMN_LETTERS = 28, 14  # longer labels are cut
MOST_WITH_GAPS = 40  # pieces; beyond, the lines between cells would take more room than the cells

# What a training's log holds, by its lines' names: a panel each, with the names of its curves.
LOSSES = {"loss, nats a piece": {"loss": "training", "dev_loss": "validation"}}
PACE = {"learning rate": {"lr": ""}, "German pieces a second": {"tokens_per_s": ""}}
PANEL_GAP = 0.06  # of the figure's width


def attention_frame(
    kind: str,
    palette: Mapping[str, str] = LIGHT,
    transposed: bool = False,
    queries: Mapping[str, str] = QUERIES,
) -> go.Figure:
    """The heatmap of a kind of attention, without data: colours, axes, fonts, hatching, a mark for the current row.

    `queries` says for each kind what its rows are.
    """
    axis = {
        "zeroline": False,
        "showgrid": False,
        "ticks": "",
        "tickfont": {"family": MONOSPACE, "size": 11},
        "ticklabeloverflow": "allow",  # else Plotly measures every label twice, which takes longer than all the rest
    }
    titles = f"query: {queries[kind]}", f"key: {KEYS[kind]}"
    down, along = reversed(titles) if transposed else titles
    weights = go.Heatmap(
        colorscale=ink(palette[kind]),
        zmin=0,
        zmax=1,
        hoverongaps=False,
        hovertemplate="%{text}<extra></extra>",
        colorbar={"thickness": 10, "len": 1, "outlinewidth": 0, "tickvals": [0, 0.25, 0.5, 0.75, 1]},
    )
    hatching = {"shape": "/", "fgcolor": palette["masked"], "bgcolor": CLEAR, "size": 6, "solidity": 0.2}
    masked = go.Scatter(
        mode="lines", line={"width": 0}, fill="toself", fillpattern=hatching, hoverinfo="skip", showlegend=False
    )
    return go.Figure([weights, masked]).update_layout(
        template="none",
        xaxis={**axis, "side": "top", "title": {"text": along}, "tickangle": -60, "automargin": True},
        yaxis={**axis, "autorange": False, "title": {"text": down}, "automargin": True},
        font={"family": FONT, "size": 12, "color": palette["text"]},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        shapes=[{"type": "rect", "line": {"color": palette[kind], "width": 2}}],
    )


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
) -> go.Figure:
    """One head's weights; in the decoder's own attention the future, which is masked, is hatched.

    With a `step` (zero-based) a map of the decoder ends there, and that row is marked. The queries and keys in
    `special` are set in italics. Axes are numeric with the labels as tick texts, because category axes merge
    repeated pieces.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys")
    known = len(queries) if step is None or kind == "encoder" else step + 1
    shown = weights.astype(np.float64)
    if kind == "decoder":
        shown[np.triu_indices(len(shown), 1)] = np.nan
    shown[known:] = np.nan
    text = np.array(
        [
            [sentence(query, key, weight) for key, weight in zip(keys, row, strict=True)]
            for query, row in zip(queries, (thousandths(shown) / 1000).tolist(), strict=True)
        ]
    )
    outline = masked_outline(known) if kind == "decoder" else ([], [])
    mark = ([-0.5, len(keys) - 0.5], [known - 1.5, known - 0.5])
    rows, columns = (queries, known, special[0]), (keys, known if kind == "decoder" else len(keys), special[1])
    if transposed:
        shown, text, outline, mark, (rows, columns) = shown.T, text.T, outline[::-1], mark[::-1], (columns, rows)
    gap = 1 if max(weights.shape) <= MOST_WITH_GAPS else 0
    figure = attention_frame(kind, palette, transposed)
    figure.update_traces(
        {"z": shown.astype(np.float32), "text": text, "xgap": gap, "ygap": gap}, selector={"type": "heatmap"}
    )
    figure.update_traces({"x": outline[0], "y": outline[1]}, selector={"type": "scatter"})
    figure.update_xaxes(**ticks(*columns, COLUMN_LETTERS), range=[-0.5, len(columns[0]) - 0.5])
    figure.update_yaxes(**ticks(*rows, ROW_LETTERS), range=[len(rows[0]) - 0.5, -0.5])
    if step is None or kind == "encoder":
        figure.layout.shapes = ()
    else:
        figure.update_shapes(dict(zip(("x0", "x1", "y0", "y1"), (*mark[0], *mark[1]), strict=True)))
    return figure


def sentence(query: str, key: str, weight: float) -> str:
    """What hovering over a cell says; nothing where the cell is empty."""
    text = "" if np.isnan(weight) else f"{query} attends to {key}: {weight:.3f}"
    return escape(text, quote=False)


def ticks(labels: Sequence[str], known: int, special: Collection[int], letters: int) -> dict[str, Any]:
    """Labels for an axis, at most MOST_LABELS. One of the future takes its room but cannot be read."""
    stride = -(-len(labels) // MOST_LABELS)
    shown = list(range(0, len(labels), stride))
    texts = []
    for i in shown:
        text = labels[i] if len(labels[i]) <= letters else f"{labels[i][: letters - 1]}…"
        text = f"<i>{escape(text, quote=False)}</i>" if i in special else escape(text, quote=False)
        texts.append(text if i < known else f'<span style="color:{CLEAR}">{text}</span>')
    return {"tickvals": shown, "ticktext": texts}


def masked_outline(rows: int) -> tuple[list[float], list[float]]:
    """x and y of the line around the cells above the diagonal, of the first `rows` rows."""
    x, y = [], []
    for row in range(rows - 1):
        x += [row + 0.5, row + 0.5]
        y += [row - 0.5, row + 0.5]
    return ([*x, rows - 0.5, rows - 0.5], [*y, rows - 1.5, -0.5]) if x else ([], [])


def training_curves(
    log: Sequence[Mapping[str, float | int]],
    panels: Mapping[str, Mapping[str, str]],
    beginnings: Sequence[int] = (),
    palette: Mapping[str, str] = LIGHT,
) -> go.Figure:
    """Panels (LOSSES, PACE) of a training over its steps, side by side; what the log lacks is left out.

    `beginnings` are the steps after which another run went on with the training: a dotted line marks each of them.
    """
    known = {title: names for title, names in panels.items() if any(name in line for line in log for name in names)}
    width = (1 - PANEL_GAP * (len(known) - 1)) / max(1, len(known))
    figure = plain(go.Figure(), height=150)
    for number, (title, names) in enumerate(known.items()):
        panel, left = str(number + 1) if number else "", number * (width + PANEL_GAP)
        across, down = {"xref": f"x{panel}"}, {"yref": f"y{panel} domain"}
        colours = dict(zip(names, (palette["text"], palette["encoder"]), strict=False))
        for name, colour in colours.items():
            figure.add_trace(training_curve(log, beginnings, name, colour, panel))
        named = ", ".join(f'<span style="color:{colours[name]}">{names[name]}</span>' for name in names if names[name])
        place = {"xref": f"x{panel} domain", **down, "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
        figure.add_annotation(**place, showarrow=False, text=f"{title}: {named}" if named else title)
        x, y = training_axis(palette, anchor=f"y{panel}"), training_axis(palette, anchor=f"x{panel}")
        figure.update_layout({f"xaxis{panel}": {**x, "domain": [left, left + width], "tickformat": ","}})
        figure.update_layout({f"yaxis{panel}": {**y, "rangemode": "tozero"}})
        dotted = {"color": palette["text"], "width": 1, "dash": "dot"}
        for step in beginnings:
            figure.add_shape(type="line", x0=step, x1=step, y0=0, y1=1, line=dotted, **across, **down)
    return figure.update_layout(
        font={"color": palette["text"]}, showlegend=False, margin={"l": 44, "r": 12, "t": 22, "b": 22}
    )


def training_curve(
    log: Sequence[Mapping[str, float | int]], beginnings: Sequence[int], name: str, colour: str, panel: str
) -> go.Scatter:
    """One figure of the log's lines over their steps, interrupted where another run begins."""
    points = [(line["step"], line[name]) for line in log if name in line]
    gaps = [(step, None) for step in beginnings]
    drawn = sorted([*points, *gaps], key=lambda point: (point[0], point[1] is None))
    return go.Scatter(
        x=[step for step, _ in drawn],
        y=[value for _, value in drawn],
        mode="lines+markers" if name == "dev_loss" or len(points) == 1 else "lines",
        marker={"size": 4},
        line={"color": colour, "width": 1.5},
        name=name,
        xaxis=f"x{panel}",
        yaxis=f"y{panel}",
        hovertemplate="step %{x:,}: %{y:,.4~g}<extra></extra>",
    )


def training_axis(palette: Mapping[str, str], **options: Any) -> dict[str, Any]:
    """An axis of the training curves."""
    plain_numbers = {"exponentformat": "none", "separatethousands": True}
    return {
        "gridcolor": palette["masked"],
        "griddash": "dot",
        "zeroline": False,
        "nticks": 5,
        **plain_numbers,
        **options,
    }


def plain(figure: go.Figure, height: int) -> go.Figure:
    """The frame that all figures share: transparent ground, neutral type, explicit height in pixels."""
    return figure.update_layout(
        template="none",
        height=height,
        font={"family": FONT, "size": 12, "color": NEUTRAL},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 20, "t": 20, "b": 56},
    )
