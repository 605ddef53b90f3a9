"""Figures of the Positions tab: functions from arrays and labels to Plotly figures.

Both themes share them: the background is transparent, and the colours are readable on either.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go  # types in quotes: the first that is looked up imports all of Plotly
from jaxtyping import Float

from explorer.tabs.positions import words
from explorer.tabs.positions.sinusoids import Measure, Similarities, pair_dimensions, wave
from explorer.ui.figures import (
    MAX_COLUMN_LETTERS,
    MAX_LABELS,
    apply_neutral_layout,
    create_panels,
    hover_template,
    ticks,
)
from explorer.ui.language import format_decimal
from explorer.ui.palette import CLEAR, LIGHT, MONOSPACE, NEUTRAL, ink, page_font
from explorer.ui.scripts import isolate
from model.config import Positions

GRID = "rgba(128,128,128,0.25)"
# Symmetric about zero, which is transparent.
SIGNED_SCALE = [(0.0, LIGHT["decoder"]), (0.5, "rgba(128,128,128,0)"), (1.0, LIGHT["encoder"])]
CURVE_COLOURS = [LIGHT["encoder"], LIGHT["decoder"], LIGHT["cross"], "#cc79a7", "#56b4e9", "#e69f00", "#7a7a7a"]
COLORBAR = {"thickness": 10, "outlinewidth": 0}
BARE_AXIS = {"zeroline": False, "showgrid": False, "ticks": ""}  # an axis without lines, for heatmaps
DECIMALS = 3  # in hover texts
MARGIN = {"l": 56, "r": 16, "t": 10, "b": 44}
Table = Float[np.ndarray, "position d_model"]


def signed_heatmap(matrix: Float[np.ndarray, "row column"], hover: str) -> "go.Heatmap":
    """A matrix on a symmetric colour scale, on which zero is transparent.

    The numbers are sent as text with the decimals of the hover text, a quarter of their bytes compressed.
    """
    limit = float(np.abs(matrix).max())
    z = np.round(matrix.astype(np.float64), DECIMALS).tolist()
    return go.Heatmap(z=z, zmin=-limit, zmax=limit, colorscale=SIGNED_SCALE, hovertemplate=hover, colorbar=COLORBAR)


def positions_heatmap(table: Table, cell: tuple[int, int] | None = None, trained: int | None = None) -> "go.Figure":
    """The positional encodings: positions down the rows, dimensions along the columns.

    `cell` (position, dimension) is marked; a line marks the longest sentence of the training, in positions.
    """
    figure = go.Figure(signed_heatmap(table, hover_template(words.FIGURES["cell"])))
    if cell and cell[0] < len(table):
        frame = {"symbol": "circle", "size": 11, "color": "white", "line": {"width": 3, "color": "black"}}
        figure.add_scatter(x=[cell[1]], y=[cell[0]], mode="markers", marker=frame, hoverinfo="skip", showlegend=False)
    if trained is not None and trained < len(table):
        mark_trained(figure, trained, at=trained - 0.5, across=(-0.5, table.shape[1] - 0.5))
    figure.update_yaxes(range=[len(table) - 0.5, -0.5], title=words.FIGURES["place"], **BARE_AXIS)
    figure.update_xaxes(title=words.FIGURES["dimension"], **BARE_AXIS, range=[-0.5, table.shape[1] - 0.5])
    return apply_neutral_layout(figure, height=310, margin=MARGIN)


def mark_trained(figure: "go.Figure", trained: int, *, at: float, across: tuple[float, float]) -> None:
    """A dashed line along the x axis, at the longest sentence of the training."""
    figure.add_scatter(
        x=across,
        y=[at, at],
        mode="lines+text",
        line={"color": NEUTRAL, "width": 2, "dash": "dash"},
        text=["", words.FIGURES["trained"].format(trained=trained)],
        textposition="top left",
        hoverinfo="skip",
        showlegend=False,
    )


def positions_curves(
    table: Table,
    dimensions: Sequence[int],
    wavelengths: Float[np.ndarray, "pair"] | None = None,
    order: Positions = "sinusoidal",
) -> "go.Figure":
    """The encodings of chosen dimensions along the sentence, named with their wavelength where they have one."""
    figure = go.Figure()
    for number, dimension in enumerate(dimensions):
        pair, cosine = wave(dimension, table.shape[1], order)
        length = {} if wavelengths is None else {"wavelength": wavelengths[pair]}
        figure.add_scatter(
            y=table[:, dimension].astype(np.float32),
            mode="lines+markers",
            marker={"size": 4},
            line={"color": CURVE_COLOURS[number % len(CURVE_COLOURS)], "dash": "dot" if cosine else "solid"},
            name=words.FIGURES["wave" if length else "curve"].format(dimension=dimension, **length),
            hovertemplate=hover_template(words.FIGURES["point"], dimension=dimension),
        )
    limit = 1.08 * float(np.abs(table).max())
    figure.update_yaxes(title=words.FIGURES["value"], range=[-limit, limit], gridcolor=GRID, zeroline=False)
    figure.update_xaxes(title=words.FIGURES["place"], gridcolor=GRID, zeroline=False)
    # Above the curves, so that a phone has their whole width.
    return apply_neutral_layout(
        figure,
        height=250,
        margin=MARGIN,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "font": {"size": 11}},
    )


def wavelength_figure(
    wavelengths: Float[np.ndarray, "pair"], trained: int | None = None, order: Positions = "sinusoidal"
) -> "go.Figure":
    """The wavelength of each pair in positions, on a logarithmic scale, at the dimension of its sine."""
    sines, cosines = np.transpose(
        [pair_dimensions(pair, 2 * len(wavelengths), order) for pair in range(len(wavelengths))]
    )
    figure = go.Figure(
        go.Scatter(
            x=sines,
            y=wavelengths,
            customdata=cosines,
            mode="lines",
            line={"color": LIGHT["encoder"]},
            hovertemplate=hover_template(words.FIGURES["wavelength"]),
            showlegend=False,
        )
    )
    if trained is not None:
        mark_trained(figure, trained, at=float(trained), across=(0.0, float(sines[-1])))
    title = {"text": words.FIGURES["wavelengths"], "font": {"size": 12}}  # as long as the axis is high
    figure.update_yaxes(type="log", dtick=1, title=title, gridcolor=GRID, exponentformat="none")
    figure.update_xaxes(title=words.FIGURES["dimension"], gridcolor=GRID, zeroline=False)
    return apply_neutral_layout(figure, height=190, margin=MARGIN)


def similarity_heatmap(similar: Float[np.ndarray, "position other"], measure: Measure) -> "go.Figure":
    """The similarity of all pairs of positions, on a symmetric colour scale."""
    figure = go.Figure(
        signed_heatmap(similar, hover_template(words.FIGURES["similar"], measure=words.MEASURES[measure]))
    )
    figure.update_yaxes(autorange="reversed", title=words.FIGURES["position"], **BARE_AXIS)
    figure.update_xaxes(title=words.FIGURES["position"], **BARE_AXIS)
    return apply_neutral_layout(figure, height=260, margin=MARGIN)


def similarity_curve(similarities: Similarities, measure: Measure) -> "go.Figure":
    """The similarity by distance: the mean over all pairs at that distance, and a band from minimum to maximum."""
    distances = np.arange(len(similarities.mean))
    figure = go.Figure()
    figure.add_scatter(y=similarities.least, mode="lines", line={"width": 0}, hoverinfo="skip", showlegend=False)
    band = {"fill": "tonexty", "fillcolor": "rgba(128,128,128,0.3)", "line": {"width": 0}, "mode": "lines"}
    figure.add_scatter(y=similarities.greatest, hoverinfo="skip", showlegend=False, **band)
    figure.add_scatter(
        x=distances,
        y=similarities.mean,
        mode="lines",
        line={"color": LIGHT["encoder"]},
        showlegend=False,
        hovertemplate=hover_template(words.FIGURES["apart"], measure=words.MEASURES[measure]),
    )
    figure.update_yaxes(title=words.MEASURES[measure], gridcolor=GRID, zeroline=False)
    figure.update_xaxes(title=words.FIGURES["distances"], gridcolor=GRID, zeroline=False)
    return apply_neutral_layout(figure, height=260, margin=MARGIN)


def turn_figure(
    plane: Float[np.ndarray, "position 2"],
    position: int,
    distance: int,
    turn: float | None,
    order: Positions = "sinusoidal",
) -> "go.Figure":
    """A pair of dimensions as a plane with all positions; two positions, `distance` apart, are highlighted.

    `turn` is the angle between the two in radians, drawn as an arc; None if it is not constant.
    """
    figure = go.Figure()
    figure.add_scatter(
        x=plane[:, 1],
        y=plane[:, 0],
        mode="markers",
        marker={"size": 5, "color": "rgba(128,128,128,0.45)"},
        hovertemplate=hover_template(words.FIGURES["plane"]),
        showlegend=False,
    )
    for place, colour in ((position, LIGHT["encoder"]), (position + distance, LIGHT["decoder"])):
        figure.add_scatter(
            x=[0, plane[place, 1].item()],
            y=[0, plane[place, 0].item()],
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": [0, 11]},
            name=words.FIGURES["one"].format(position=place),
            hovertemplate=hover_template(words.FIGURES["hand"], position=place),
        )
    if turn is not None:
        add_arc(figure, math.atan2(plane[position, 0], plane[position, 1]), turn)
    limit = 1.12 * float(np.abs(plane).max())
    axis = {"range": [-limit, limit], "gridcolor": GRID, "zerolinecolor": GRID, "constrain": "domain"}
    across, up = words.PLANES["learned" if turn is None else order]
    figure.update_xaxes(title=across, **axis)
    figure.update_yaxes(title=up, scaleanchor="x", **axis)
    return apply_neutral_layout(
        figure, height=290, margin=MARGIN, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    )


def add_arc(figure: "go.Figure", start: float, turn: float) -> None:
    """A dotted arc around the origin, in radians; more than one turn is drawn as a full one."""
    bow = start + np.linspace(0, min(turn, 2 * math.pi), 60)
    arc = {"mode": "lines", "line": {"color": NEUTRAL, "width": 2, "dash": "dot"}, "hoverinfo": "skip"}
    figure.add_scatter(x=0.5 * np.cos(bow), y=0.5 * np.sin(bow), showlegend=False, **arc)


def token_strips(
    labels: Sequence[str], strips: Sequence[tuple[str, Table]], norms: Sequence[Float[np.ndarray, "position"]]
) -> "go.Figure":
    """Named rows of numbers for each piece, one below the other on one colour scale, every norm at its right.

    The scale ends where the largest hundredth of the numbers begins: to the very largest, all others would look pale.
    """
    most = float(np.quantile(np.abs([rows for _, rows in strips]), 0.99))
    figure = create_panels([name for name, _ in strips], across=False, gap=0.05)
    for row, ((name, rows), lengths) in enumerate(zip(strips, norms, strict=True), start=1):
        figure.add_heatmap(
            z=rows.astype(np.float32),
            zmin=-most,
            zmax=most,
            colorscale=SIGNED_SCALE,
            showscale=row == 1,
            colorbar={**COLORBAR, "orientation": "h", "len": 0.5, "y": 0, "yanchor": "top", "x": 0.5},
            hovertemplate=hover_template(words.FIGURES["strip"], name=name),
            row=row,
            col=1,
        )
        figure.update_xaxes(**BARE_AXIS, showticklabels=False, range=[-0.5, rows.shape[1] - 0.5], row=row)
        figure.update_yaxes(
            **BARE_AXIS, **downward_axis(labels), tickfont={"family": page_font(MONOSPACE), "size": 10}, row=row
        )
        # The norms are labels of an additional axis at the right, which Plotly draws only for a trace.
        panel, own = "" if row == 1 else row, row + len(strips)
        beside = {"overlaying": f"y{panel}", "side": "right", "anchor": f"x{panel}", "tickfont": {"size": 10}}
        norm_labels = [format_decimal(float(norm), 1) for norm in lengths]
        figure.update_layout({f"yaxis{own}": {**BARE_AXIS, **downward_axis(norm_labels), **beside}})
        unseen = {"marker": {"color": CLEAR}, "hoverinfo": "skip", "showlegend": False}
        figure.add_scatter(x=[0], y=[0], xaxis=f"x{panel}", yaxis=f"y{own}", **unseen)
    height = 130 + 10 * len(strips) * min(len(labels), MAX_LABELS)
    return apply_neutral_layout(figure, height=height, margin={"l": 90, "r": 40, "t": 24, "b": 50})


def distance_panels(
    rows: Sequence[str], columns: Sequence[str], matrices: Sequence[tuple[str, Float[np.ndarray, "row column"]]]
) -> "go.Figure":
    """Distances between the vectors of two sentences, side by side on one scale: the darker, the nearer."""
    limit = max(float(distances.max()) for _, distances in matrices)
    near = [(0.0, LIGHT["encoder"]), (1.0, ink(LIGHT["encoder"])[0][1])]
    font = {"tickfont": {"family": page_font(MONOSPACE), "size": 11}, "automargin": True}
    figure = create_panels([name for name, _ in matrices], across=True, gap=0.09)
    for column, (_, distances) in enumerate(matrices, start=1):
        figure.add_heatmap(
            z=distances.astype(np.float32),
            zmin=0,
            zmax=limit,
            colorscale=near,
            showscale=column == 1,
            colorbar={**COLORBAR, "title": {"text": words.FIGURES["distance"], "side": "right"}},
            text=distance_texts(rows, columns, distances),
            hovertemplate="%{text}<extra></extra>",
            xgap=1,
            ygap=1,
            row=1,
            col=column,
        )
    figure.update_xaxes(**BARE_AXIS, **ticks(columns, len(columns), (), MAX_COLUMN_LETTERS), tickangle=-60, **font)
    figure.update_yaxes(**BARE_AXIS, **downward_axis(rows), **font)
    figure.update_yaxes(showticklabels=False, col=2)
    height = 120 + 22 * min(len(rows), MAX_LABELS)
    return apply_neutral_layout(figure, height=height, margin={"l": 20, "r": 10, "t": 28, "b": 20})


def distance_texts(rows: Sequence[str], columns: Sequence[str], distances: Float[np.ndarray, "row column"]) -> Any:
    """The hover text of each cell."""
    return np.array(
        [
            [
                escape(
                    words.FIGURES["pair"].format(row=isolate(row), column=isolate(column), distance=distance),
                    quote=False,
                )
                for column, distance in zip(columns, line, strict=True)
            ]
            for row, line in zip(rows, distances.tolist(), strict=True)
        ]
    )


def downward_axis(labels: Sequence[str]) -> dict[str, Any]:
    """A labelled axis whose rows go down the page."""
    return {**ticks(labels, len(labels), (), MAX_COLUMN_LETTERS), "range": [len(labels) - 0.5, -0.5]}
