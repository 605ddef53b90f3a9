"""The curves of a training: what its log holds, over its steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.tabs.training import words
from explorer.ui.figures import neutral, panels
from explorer.ui.palette import LIGHT

PANEL_GAP = 0.06  # of the figure's width


def training_curves(
    log: Sequence[Mapping[str, float | int]],
    shown: Sequence[tuple[str, Mapping[str, str]]],
    beginnings: Sequence[int] = (),
    palette: Mapping[str, str] = LIGHT,
) -> go.Figure:
    """A training over its steps, in panels side by side; what the log lacks is left out.

    `shown` are the panels, LOSSES or PACE of its words. `beginnings` are the steps after which another run went on with
    the training: a dotted line marks each of them.
    """
    known = {title: names for title, names in shown if any(name in line for line in log for name in names)}
    colours = {
        title: dict(zip(names, (palette["text"], palette["encoder"]), strict=False)) for title, names in known.items()
    }
    titles = [training_title(title, names, colours[title]) for title, names in known.items()]
    figure = neutral(panels(titles, across=True, gap=PANEL_GAP), height=150)
    for column, title in enumerate(known, start=1):
        for name, colour in colours[title].items():
            figure.add_trace(training_curve(log, beginnings, name, colour), row=1, col=column)
    for step in beginnings:
        figure.add_vline(step, line={"color": palette["text"], "width": 1, "dash": "dot"})
    figure.update_xaxes(**training_axis(palette), tickformat=",")
    figure.update_yaxes(**training_axis(palette), rangemode="tozero")
    return figure.update_layout(
        font={"color": palette["text"]}, showlegend=False, margin={"l": 44, "r": 12, "t": 22, "b": 22}
    )


def training_title(title: str, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """A panel's title with the names of its curves, where they have some, in their colours."""
    named = ", ".join(f'<span style="color:{colours[name]}">{names[name]}</span>' for name in names if names[name])
    return words.PANEL.format(title=title, curves=named) if named else title


def training_curve(
    log: Sequence[Mapping[str, float | int]], beginnings: Sequence[int], name: str, colour: str
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
        hovertemplate=f"{words.POINT}<extra></extra>",
    )


def training_axis(palette: Mapping[str, str]) -> dict[str, Any]:
    """An axis of the training curves."""
    return {
        "gridcolor": palette["masked"],
        "griddash": "dot",
        "zeroline": False,
        "nticks": 5,
        "exponentformat": "none",
        "separatethousands": True,
    }
