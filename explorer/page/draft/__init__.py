"""One line for the whole page: what is awaited, or that the text typed is not what the picture shows."""

from pathlib import Path

from explorer.page import words
from explorer.ui import words as shared_words
from explorer.ui.component import Component, fill_template, read_css

FOLDER = Path(__file__).parent


def draft() -> Component:
    """Stands beside the tabs, so that every tab shows it."""
    return Component(
        "draft",
        html=fill_template(FOLDER / "draft.html", {"stop": shared_words.WAITING["stop"]}),
        css=read_css(FOLDER / "draft.css"),
        module=FOLDER / "draft.js",
        settings={**words.DRAFT, **shared_words.WAITING},
    )
