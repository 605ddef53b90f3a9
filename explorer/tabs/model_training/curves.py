"""The curves of a training, as Plotly's JSON, in the light page's colours (model_training.js has the dark ones).

They are plain dictionaries: Plotly's own objects validate every number, and took longer than all else on the page.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.tabs.model_training.record import words
from explorer.ui.language import join_list
from explorer.ui.palette import CLEAR, LIGHT, NO_TEMPLATE, page_font

HEIGHT = 150  # pixels
PANEL_GAP = 0.06  # of the figure's width
Log = Sequence[Mapping[str, float | int]]
Json = dict[str, Any]


def training_curves(log: Log, panel_curves: Sequence[Sequence[Any]], run_starts: Sequence[int] = ()) -> Json:
    """The curves of a training, in panels side by side; curves that the log lacks are left out.

    `panel_curves` are the panels, PANELS of the words: a title, and the names of curves by their keys.
    `run_starts` are the steps after which another run continued the training; a dotted line marks each.
    """
    panels = [(title, names) for title, names in panel_curves if any(name in line for line in log for name in names)]
    suffixes = ["", *map(str, range(2, len(panels) + 1))]  # of the names of axes
    traces, axes, titles = [], {}, []
    for number, (suffix, (title, names)) in enumerate(zip(suffixes, panels, strict=False)):
        colours = dict(zip(names, (LIGHT["text"], LIGHT["encoder"]), strict=False))
        traces += [training_curve(log, run_starts, name, colour, suffix) for name, colour in colours.items()]
        axes |= training_axes(suffix, panel_domain(number, len(panels)))
        titles.append(panel_title(training_title(title, names, colours), suffix))
    layout = {
        "template": NO_TEMPLATE,
        **axes,
        "annotations": titles,
        "font": {"family": page_font(), "size": 12, "color": LIGHT["text"]},
        "margin": {"l": 52, "r": 12, "t": 22, "b": 22},
        "height": HEIGHT,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "shapes": [run_line(step, suffix) for step in run_starts for suffix in suffixes],
        "showlegend": False,
    }
    return {"data": traces, "layout": layout}


def training_title(title: str, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """A panel's title with the names of its curves in their colours, if they have names."""
    curve_names = join_list(
        f'<span style="color:{colours[name]}">{label}</span>' for name, label in names.items() if label
    )
    return words.PANEL.format(title=title, curves=curve_names) if curve_names else title


def training_curve(log: Log, run_starts: Sequence[int], name: str, colour: str, suffix: str) -> Json:
    """One value of the log over its steps, interrupted at the start of each further run."""
    points = [(line["step"], line[name]) for line in log if name in line]
    gaps = [(step, None) for step in run_starts]
    rows = sorted([*points, *gaps], key=lambda point: (point[0], point[1] is None))
    return {
        "hovertemplate": f"{words.POINT}<extra></extra>",
        "line": {"color": colour, "width": 1.5},
        "marker": {"size": 4},
        "mode": "lines+markers" if name == "dev_loss" or len(points) == 1 else "lines",
        "name": name,
        "x": [step for step, _ in rows],
        "y": [value for _, value in rows],
        "type": "scatter",
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
    }


def panel_domain(number: int, count: int) -> list[float]:
    """Where one of several panels begins and ends, in shares of the figure's width."""
    width = (1 - PANEL_GAP * (count - 1)) / count
    start = number * (width + PANEL_GAP)
    return [start, start + width]


def training_axes(suffix: str, domain: list[float]) -> Json:
    """Both axes of a panel."""
    axis_style = {
        "gridcolor": LIGHT["masked"],
        "griddash": "dot",
        "zeroline": False,
        "nticks": 5,
        "exponentformat": "none",
        "separatethousands": True,
    }
    return {
        f"xaxis{suffix}": {"anchor": f"y{suffix}", "domain": domain, **axis_style, "tickformat": ","},
        f"yaxis{suffix}": {"anchor": f"x{suffix}", "domain": [0.0, 1.0], **axis_style, "rangemode": "tozero"},
    }


def panel_title(text: str, suffix: str) -> Json:
    """A title above a panel, at its left."""
    across = {"x": 0, "xanchor": "left", "xref": f"x{suffix} domain"}
    up = {"y": 1, "yanchor": "bottom", "yref": f"y{suffix} domain"}
    return {"showarrow": False, "text": text, **across, **up}


def run_line(step: int, suffix: str) -> Json:
    """A dotted line through a panel where another run begins."""
    line = {"color": LIGHT["text"], "dash": "dot", "width": 1}
    ends = {"x0": step, "x1": step, "xref": f"x{suffix}", "y0": 0, "y1": 1, "yref": f"y{suffix} domain"}
    return {"line": line, "type": "line", **ends}
