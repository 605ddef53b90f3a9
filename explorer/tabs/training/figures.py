"""The curves of a training log over its steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.tabs.training import words
from explorer.ui.figures import apply_neutral_layout, create_panels
from explorer.ui.language import join_list
from explorer.ui.palette import LIGHT

PANEL_GAP = 0.06  # of the figure's width


def training_curves(
    log: Sequence[Mapping[str, float | int]],
    panel_curves: Sequence[Sequence[Any]],
    run_starts: Sequence[int] = (),
    palette: Mapping[str, str] = LIGHT,
) -> go.Figure:
    """The curves of a training, in panels side by side; curves that the log lacks are left out.

    `panel_curves` are the panels, LOSSES or PACE of the words: a title, and the names of curves by their keys.
    `run_starts` are the steps after which another run continued the training; a dotted line marks each.
    """
    available = {title: names for title, names in panel_curves if any(name in line for line in log for name in names)}
    line_colours = (palette["text"], palette["encoder"])
    colours = {title: dict(zip(names, line_colours, strict=False)) for title, names in available.items()}
    titles = [training_title(title, names, colours[title]) for title, names in available.items()]
    figure = apply_neutral_layout(create_panels(titles, across=True, gap=PANEL_GAP), height=150)
    for column, title in enumerate(available, start=1):
        for name, colour in colours[title].items():
            figure.add_trace(training_curve(log, run_starts, name, colour), row=1, col=column)
    for step in run_starts:
        figure.add_vline(step, line={"color": palette["text"], "width": 1, "dash": "dot"})
    figure.update_xaxes(**training_axis(palette), tickformat=",")
    figure.update_yaxes(**training_axis(palette), rangemode="tozero")
    return figure.update_layout(
        font={"color": palette["text"]}, showlegend=False, margin={"l": 44, "r": 12, "t": 22, "b": 22}
    )


def training_title(title: str, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """A panel's title with the names of its curves in their colours, if they have names."""
    curve_names = join_list(
        f'<span style="color:{colours[name]}">{label}</span>' for name, label in names.items() if label
    )
    return words.PANEL.format(title=title, curves=curve_names) if curve_names else title


def training_curve(
    log: Sequence[Mapping[str, float | int]], run_starts: Sequence[int], name: str, colour: str
) -> go.Scatter:
    """One value of the log over its steps, interrupted at the start of each further run."""
    points = [(line["step"], line[name]) for line in log if name in line]
    gaps = [(step, None) for step in run_starts]
    rows = sorted([*points, *gaps], key=lambda point: (point[0], point[1] is None))
    return go.Scatter(
        x=[step for step, _ in rows],
        y=[value for _, value in rows],
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
