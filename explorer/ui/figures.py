"""Shared parts of figures: layout, hover texts, and axis labels."""

from collections.abc import Collection, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go  # types in quotes: the first that is looked up imports all of Plotly

from explorer.ui.palette import CLEAR, NEUTRAL, page_font
from explorer.ui.scripts import isolate

MAX_LABELS = 30  # per axis; longer axes label every second, third, ... piece
MAX_ROW_LETTERS, MAX_COLUMN_LETTERS = 28, 14  # longer labels are shortened


def ticks(labels: Sequence[str], known: int, special: Collection[int], letters: int) -> dict[str, Any]:
    """At most MAX_LABELS axis labels; those from index `known` on are transparent."""
    stride = -(-len(labels) // MAX_LABELS)
    positions = list(range(0, len(labels), stride))
    texts = []
    for i in positions:
        text = isolate(labels[i] if len(labels[i]) <= letters else f"{labels[i][: letters - 1]}…")
        text = f"<i>{escape(text, quote=False)}</i>" if i in special else escape(text, quote=False)
        texts.append(text if i < known else f'<span style="color:{CLEAR}">{text}</span>')
    return {"tickvals": positions, "ticktext": texts}


def hover_template(sentence: str, **values: object) -> str:
    """A hover template without Plotly's box for the trace name, filled with `values`.

    Strings are escaped, because Plotly would interpret HTML and %{names}.
    """
    escaped = {name: escape_plotly(value) if isinstance(value, str) else value for name, value in values.items()}
    return f"{sentence.format(**escaped) if escaped else sentence}<extra></extra>"


def escape_plotly(text: str) -> str:
    """The text with the characters of Plotly's templates escaped."""
    return escape(isolate(text), quote=False).replace("{", "&#123;")


def create_panels(titles: Sequence[str], *, across: bool, gap: float) -> "go.Figure":
    """A figure with empty panels, side by side or stacked, each with its title above it at the left.

    `gap` between two panels is a share of the figure.
    """
    from plotly.subplots import make_subplots  # not above: it imports all of Plotly

    count = max(1, len(titles))
    figure = make_subplots(
        **({"cols": count, "horizontal_spacing": gap} if across else {"rows": count, "vertical_spacing": gap})
    )
    for number, title in enumerate(titles, start=1):
        axis = "" if number == 1 else number
        place = {"xref": f"x{axis} domain", "yref": f"y{axis} domain", "x": 0, "y": 1}
        figure.add_annotation(text=title, **place, xanchor="left", yanchor="bottom", showarrow=False)
    return figure


def apply_neutral_layout(figure: "go.Figure", height: int, **more: Any) -> "go.Figure":
    """The figure with the shared layout: transparent background, neutral text colour, height in pixels; and `more`."""
    return figure.update_layout(
        template="none",
        height=height,
        font={"family": page_font(), "size": 12, "color": NEUTRAL},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        **{"margin": {"l": 60, "r": 20, "t": 20, "b": 56}, **more},
    )
