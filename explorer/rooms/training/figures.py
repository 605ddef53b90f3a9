"""The curves of a training: what its log holds, over its steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.rooms.training.words import PANEL, POINT
from explorer.shared.figures import neutral
from explorer.shared.palette import LIGHT

PANEL_GAP = 0.06  # of the figure's width


def training_curves(
    log: Sequence[Mapping[str, float | int]],
    panels: Mapping[str, Mapping[str, str]],
    beginnings: Sequence[int] = (),
    palette: Mapping[str, str] = LIGHT,
) -> go.Figure:
    """Panels (LOSSES and PACE of words.py) of a training over its steps, side by side; what the log lacks is left out.

    `beginnings` are the steps after which another run went on with the training: a dotted line marks each of them.
    """
    known = {title: names for title, names in panels.items() if any(name in line for line in log for name in names)}
    width = (1 - PANEL_GAP * (len(known) - 1)) / max(1, len(known))
    figure = neutral(go.Figure(), height=150)
    for number, (title, names) in enumerate(known.items()):
        panel, left = str(number + 1) if number else "", number * (width + PANEL_GAP)
        across, down = {"xref": f"x{panel}"}, {"yref": f"y{panel} domain"}
        colours = dict(zip(names, (palette["text"], palette["encoder"]), strict=False))
        for name, colour in colours.items():
            figure.add_trace(training_curve(log, beginnings, name, colour, panel))
        named = ", ".join(f'<span style="color:{colours[name]}">{names[name]}</span>' for name in names if names[name])
        place = {"xref": f"x{panel} domain", **down, "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
        figure.add_annotation(
            **place, showarrow=False, text=PANEL.format(title=title, curves=named) if named else title
        )
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
        hovertemplate=f"{POINT}<extra></extra>",
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
