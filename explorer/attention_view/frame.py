"""The heatmap of a kind of attention without its data: colours, axes, fonts, hatching, and what marks a step.

The notebook (`explorer.notebook.heatmap`) and the page (heatmap.js) fill arrays and labels into it; a test compares the
two.
"""

from collections.abc import Mapping

import plotly.graph_objects as go

from explorer.attention_view import words
from explorer.ui.palette import CLEAR, LIGHT, MONOSPACE, ink, page_font


def attention_frame(
    kind: str,
    palette: Mapping[str, str] = LIGHT,
    transposed: bool = False,
    queries: Mapping[str, str] | None = None,
) -> go.Figure:
    """The heatmap of a kind of attention, without data.

    `queries` are the titles of rows by kind, by default pieces.
    """
    axis = {
        "zeroline": False,
        "showgrid": False,
        "ticks": "",
        "tickfont": {"family": page_font(MONOSPACE), "size": 11},
        "ticklabeloverflow": "allow",  # otherwise Plotly measures every label twice, the slowest part
    }
    titles = (
        words.AXES["query"].format(pieces=(queries or words.QUERIES)[kind]),
        words.AXES["key"].format(pieces=words.KEYS[kind]),
    )
    down, along = reversed(titles) if transposed else titles
    layout = {
        "template": "none",
        "xaxis": {**axis, "side": "top", "title": {"text": along}, "tickangle": -60, "automargin": True},
        "yaxis": {**axis, "autorange": False, "title": {"text": down}, "automargin": True},
        "font": {"family": page_font(), "size": 12, "color": palette["text"]},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "modebar": {"bgcolor": CLEAR, "color": palette["text"], "activecolor": palette[kind]},
        "shapes": marks(palette[kind], palette),
    }
    return go.Figure(empty_traces(kind, palette), layout)


def empty_traces(kind: str, palette: Mapping[str, str]) -> list[go.Heatmap | go.Scatter]:
    """The cells, and the hatching of masked ones."""
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
    return [weights, masked]


def marks(colour: str, palette: Mapping[str, str]) -> list[dict[str, object]]:
    """Rectangles over the cells, from the lowest to the topmost; the notebook and the page place them.

    On the page they cover the rows and columns that are not known yet, so that a step changes no value.
    """
    cover = {"fillcolor": palette["ground"], "line": {"width": 0}}
    styles: dict[str, dict[str, object]] = {
        "later": cover,
        "beyond": cover,
        "edge": {"line": {"color": "rgba(128,128,128,0.3)", "width": 1}},
        "pinned": {"line": {"color": colour, "width": 2, "dash": "dash"}},
        "mark": {"line": {"color": colour, "width": 2}},
        "cell": {"line": {"color": palette["ink"], "width": 2}},
    }
    return [{"type": "rect", "name": name, **style} for name, style in styles.items()]
