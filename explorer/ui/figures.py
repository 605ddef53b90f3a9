"""What figures share: their frame, and the labels of an axis."""

from collections.abc import Collection, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from explorer.ui.palette import CLEAR, FONT, NEUTRAL
from explorer.ui.scripts import isolated

MOST_LABELS = 30  # an axis; beyond, every second, third, ... piece is labelled
ROW_LETTERS, COLUMN_LETTERS = 28, 14  # longer labels are cut


def ticks(labels: Sequence[str], known: int, special: Collection[int], letters: int) -> dict[str, Any]:
    """Labels for an axis, at most MOST_LABELS. One of the future takes its room but cannot be read."""
    stride = -(-len(labels) // MOST_LABELS)
    shown = list(range(0, len(labels), stride))
    texts = []
    for i in shown:
        text = isolated(labels[i] if len(labels[i]) <= letters else f"{labels[i][: letters - 1]}…")
        text = f"<i>{escape(text, quote=False)}</i>" if i in special else escape(text, quote=False)
        texts.append(text if i < known else f'<span style="color:{CLEAR}">{text}</span>')
    return {"tickvals": shown, "ticktext": texts}


def hover(sentence: str, **values: object) -> str:
    """A hover text without Plotly's box for the name of the trace; values stand in it where there are some.

    Plotly would read HTML and %{names} in them: they are text.
    """
    told = {name: literal(value) if isinstance(value, str) else value for name, value in values.items()}
    return f"{sentence.format(**told) if told else sentence}<extra></extra>"


def literal(text: str) -> str:
    """Text that Plotly shows as it is."""
    return escape(isolated(text), quote=False).replace("{", "&#123;")


def panels(titles: Sequence[str], *, across: bool, gap: float) -> go.Figure:
    """Room for several panels, side by side or one below the other, each with its title above it at the left.

    `gap` between two of them is a share of the whole figure.
    """
    count = max(1, len(titles))
    figure = make_subplots(
        **({"cols": count, "horizontal_spacing": gap} if across else {"rows": count, "vertical_spacing": gap})
    )
    for number, title in enumerate(titles, start=1):
        axis = "" if number == 1 else number
        place = {"xref": f"x{axis} domain", "yref": f"y{axis} domain", "x": 0, "y": 1}
        figure.add_annotation(text=title, **place, xanchor="left", yanchor="bottom", showarrow=False)
    return figure


def neutral(figure: go.Figure, height: int) -> go.Figure:
    """The frame that all figures share: transparent ground, neutral type, explicit height in pixels."""
    return figure.update_layout(
        template="none",
        height=height,
        font={"family": FONT, "size": 12, "color": NEUTRAL},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 60, "r": 20, "t": 20, "b": 56},
    )
