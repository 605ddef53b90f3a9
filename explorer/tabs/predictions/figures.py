"""Figures of the Predictions tab: functions from arrays and labels to Plotly figures in the colours of a theme."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from explorer.tabs.predictions import words
from explorer.tabs.predictions.output import Residual
from explorer.ui.figures import apply_neutral_layout, create_panels, hover_template
from explorer.ui.palette import CLEAR, LIGHT

BINS = 60
PANEL_GAP = 0.14  # of the figure's height


def axis(palette: Mapping[str, str], **options: Any) -> dict[str, Any]:
    return {"gridcolor": palette["masked"], "griddash": "dot", "zeroline": False, **options}


def sublayer_name(layer: int, sublayer: str) -> str:
    return words.FIGURES["sublayer"].format(layer=layer + 1, name=words.FIGURES[sublayer])


def state_strip(state: Float[np.ndarray, "d_model"], palette: Mapping[str, str] = LIGHT) -> go.Figure:
    """A vector as a row of colours: blue above zero, orange below, transparent at zero."""
    limit = float(np.abs(state).max())
    figure = go.Figure(
        go.Heatmap(
            z=[state.tolist()],
            zmin=-limit,
            zmax=limit,
            colorscale=[(0.0, palette["decoder"]), (0.5, CLEAR), (1.0, palette["encoder"])],
            showscale=False,
            hovertemplate=hover_template(words.FIGURES["state"]),
        )
    )
    figure.update_yaxes(visible=False)
    figure.update_xaxes(zeroline=False, showgrid=False, nticks=8)
    return with_frame(figure, palette, height=52)


def logits_histogram(logits: Float[np.ndarray, "vocab"], chosen: int, palette: Mapping[str, str] = LIGHT) -> go.Figure:
    """A histogram of the logits with the chosen piece marked; leaves out impossible pieces."""
    counts, edges = np.histogram(logits[np.isfinite(logits)], BINS)
    figure = go.Figure(
        go.Bar(
            x=((edges[:-1] + edges[1:]) / 2).tolist(),
            y=counts.tolist(),
            marker={"color": palette["text"]},
            hovertemplate=hover_template(words.FIGURES["logits"]),
        )
    )
    place = float(logits[chosen])
    figure.add_vline(place, line={"color": palette["decoder"], "width": 2})
    label = {"text": words.FIGURES["chosen"].format(logit=place), "font": {"color": palette["decoder"]}}
    figure.add_annotation(x=place, y=1, yref="paper", xanchor="right", xshift=-4, showarrow=False, **label)
    figure.update_yaxes(**axis(palette, type="log", dtick=1, title=words.FIGURES["pieces"], exponentformat="none"))
    figure.update_xaxes(**axis(palette, title={"text": words.FIGURES["logit"], "standoff": 4}))
    return with_frame(figure, palette, height=150).update_layout(bargap=0.1)


def add_other_pieces(figure: go.Figure, stream: Residual, chosen: int, grey: str) -> None:
    """Thin lines and dots for all pieces but the chosen one."""
    line, marker = {"width": 1, "color": grey}, {"size": 4, "color": grey}
    places = list(range(1, len(stream.shares) + 1))
    for number, piece in enumerate(stream.pieces):
        if number != chosen:
            norms, shares = stream.norms[:, number].tolist(), stream.shares[:, number].tolist()
            label = hover_template(words.FIGURES["other"], piece=piece.text)
            figure.add_scatter(y=norms, mode="lines", line=line, hovertemplate=label, row=1, col=1)
            figure.add_scatter(x=places, y=shares, mode="markers", marker=marker, hovertemplate=label, row=2, col=1)


def residual_figure(
    stream: Residual, chosen: int, side: Literal["encoder", "decoder"], palette: Mapping[str, str] = LIGHT
) -> go.Figure:
    """The length of the stream after each sub-layer (top), and the share that each sub-layer added (bottom).

    The chosen piece is highlighted; the others are grey. A few outliers lie beyond the axis of shares, so that the rest
    stays readable.
    """
    norms, shares = stream.norms, stream.shares
    upper_limit = max(float(shares[:, chosen].max()), float(np.quantile(shares, 0.95)))
    stages = [words.FIGURES["embedding"], *(sublayer_name(*sublayer) for sublayer in stream.sublayers)]
    figure = create_panels([words.FIGURES["lengths"], words.FIGURES["shares"]], across=False, gap=PANEL_GAP)
    places = list(range(1, len(stages)))
    add_other_pieces(figure, stream, chosen, palette["masked"])
    highlight = {"color": palette[side]}
    figure.add_scatter(
        y=norms[:, chosen].tolist(),
        mode="lines+markers",
        line={"width": 2.5, **highlight},
        hovertemplate=hover_template(words.FIGURES["length"]),
        row=1,
        col=1,
    )
    figure.add_bar(
        x=places,
        y=shares[:, chosen].tolist(),
        marker={**highlight, "opacity": 0.6},
        hovertemplate=hover_template(words.FIGURES["share"]),
        row=2,
        col=1,
    )
    labels = {"tickvals": list(range(len(stages))), "ticktext": stages, "tickangle": -40}
    figure.update_xaxes(**axis(palette, **labels, range=[-0.5, len(stages) - 0.5], matches="x"))
    figure.update_xaxes(showticklabels=False, row=1, col=1)
    figure.update_yaxes(**axis(palette, rangemode="tozero"), row=1, col=1)
    figure.update_yaxes(**axis(palette, range=[0, 1.1 * upper_limit]), row=2, col=1)
    margin = {"l": 40, "r": 10, "t": 24, "b": 60}
    return with_frame(figure, palette, height=320).update_layout(margin=margin, showlegend=False)


def with_frame(figure: go.Figure, palette: Mapping[str, str], height: int) -> go.Figure:
    """The figure with the common layout, small margins, and the theme's text colour."""
    figure = apply_neutral_layout(figure, height).update_layout(margin={"l": 44, "r": 10, "t": 8, "b": 34})
    return figure.update_layout(font={"color": palette["text"]})
