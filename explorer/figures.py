"""Figures: arrays and labels in, a plotly figure out. The page, a notebook and an export draw the same picture.

Queries go down the rows, keys along the columns, always. The browser takes the empty figure of a kind from
here (`attention_frame`) and only swaps arrays and labels into it.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from explorer.palette import FONT, LIGHT, MONOSPACE, NEUTRAL, ink

QUERY_TITLES = {
    "encoder": "query: English piece",
    "decoder": "query: German piece fed → predicted",
    "cross": "query: German piece fed → predicted",
}
KEY_TITLES = {
    "encoder": "key: English piece",
    "decoder": "key: German piece fed so far",
    "cross": "key: English piece",
}


def attention_frame(kind: str, palette: Mapping[str, str] = LIGHT) -> go.Figure:
    """The heatmap of a kind of attention, without data: colours, axes, fonts, a mark for the current row."""
    axis = {"zeroline": False, "showgrid": False, "ticks": "", "tickfont": {"family": MONOSPACE, "size": 12}}
    figure = go.Figure(
        go.Heatmap(
            colorscale=ink(palette[kind]),
            zmin=0,
            zmax=1,
            xgap=1,
            ygap=1,
            hoverongaps=False,
            hovertemplate="%{text}<extra></extra>",
            colorbar={"thickness": 10, "len": 1, "outlinewidth": 0, "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        )
    )
    figure.update_layout(
        template="none",
        xaxis={**axis, "side": "top", "title": {"text": KEY_TITLES[kind]}, "tickangle": -60},
        yaxis={**axis, "autorange": False, "title": {"text": QUERY_TITLES[kind]}, "automargin": True},
        font={"family": FONT, "size": 12, "color": palette["text"]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        shapes=[
            {"type": "rect", "line": {"color": palette[kind], "width": 2}, "x0": -0.5, "x1": -0.5, "y0": 0, "y1": 0}
        ],
    )
    figure.update_xaxes(automargin=True)
    return figure


def attention_heatmap(
    weights: Float[np.ndarray, "query key"], queries: Sequence[str], keys: Sequence[str], kind: str
) -> go.Figure:
    """One head's weights; in the decoder's own attention the future, which is masked, stays empty.

    Axes are numeric with the labels as tick texts, because category axes merge repeated pieces.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys")
    shown = weights.astype(np.float32)
    if kind == "decoder":
        shown[np.triu_indices(len(shown), 1)] = np.nan
    figure = attention_frame(kind)
    text = [
        [f"{query} attends to {key}: {weight:.3f}" for key, weight in zip(keys, row, strict=True)]
        for query, row in zip(queries, weights, strict=True)
    ]
    figure.update_traces(z=shown, text=text)
    figure.update_xaxes(tickvals=list(range(len(keys))), ticktext=list(keys), range=[-0.5, len(keys) - 0.5])
    figure.update_yaxes(tickvals=list(range(len(queries))), ticktext=list(queries), range=[len(queries) - 0.5, -0.5])
    return figure


def positions_heatmap(positions: Float[np.ndarray, "position d_model"]) -> go.Figure:
    """The positional encodings: positions down the rows, dimensions along the columns."""
    figure = go.Figure(
        go.Heatmap(
            z=positions.astype(np.float32),
            zmin=-1,
            zmax=1,
            colorscale=[(0.0, LIGHT["decoder"]), (0.5, "rgba(128,128,128,0)"), (1.0, LIGHT["encoder"])],
            hovertemplate="position %{y}, dimension %{x}: %{z:.3f}<extra></extra>",
            colorbar={"thickness": 10, "outlinewidth": 0, "tickvals": [-1, -0.5, 0, 0.5, 1]},
        )
    )
    figure.update_yaxes(autorange="reversed", title="position in the sentence", zeroline=False)
    figure.update_xaxes(title="dimension of the encoding", zeroline=False)
    return plain(figure, height=420)


def positions_curves(positions: Float[np.ndarray, "position d_model"], dimensions: Sequence[int]) -> go.Figure:
    """The encodings of chosen dimensions along the sentence."""
    colours = [LIGHT["encoder"], LIGHT["decoder"], LIGHT["cross"], "#cc79a7", "#56b4e9", "#e69f00", "#7a7a7a"]
    figure = go.Figure()
    for number, dimension in enumerate(dimensions):
        figure.add_scatter(
            y=positions[:, dimension].astype(np.float32),
            mode="lines+markers",
            marker={"size": 4},
            line={"color": colours[number % len(colours)], "dash": "solid" if dimension % 2 == 0 else "dot"},
            name=f"dimension {dimension}",
            hovertemplate=f"position %{{x}}, dimension {dimension}: %{{y:.3f}}<extra></extra>",
        )
    figure.update_yaxes(title="value", range=[-1.08, 1.08], gridcolor="rgba(128,128,128,0.25)", zeroline=False)
    figure.update_xaxes(title="position in the sentence", gridcolor="rgba(128,128,128,0.25)", zeroline=False)
    return plain(figure, height=320)


def plain(figure: go.Figure, height: int) -> go.Figure:
    """The frame that all figures share: transparent ground, neutral type, explicit height in pixels."""
    return figure.update_layout(
        template="none",
        height=height,
        font={"family": FONT, "size": 12, "color": NEUTRAL},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 20, "t": 20, "b": 50},
    )
