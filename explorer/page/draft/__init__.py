"""The status line of the page: the pending request, or a note that the typed text differs from the shown sentence."""

from pathlib import Path

from explorer.page import words
from explorer.ui import words as shared_words
from explorer.ui.component import Component, fill_words, read_css
from explorer.ui.language import LANGUAGE_CONTEXT

FOLDER = Path(__file__).parent
TEMPLATE = '<p class="draft"><span role="status"></span> <button type="button" hidden>{stop}</button></p>'


def draft() -> Component:
    """The component, which is outside the tabs, so that all tabs show it."""
    return Component(
        "draft",
        html=fill_words(TEMPLATE, {"stop": shared_words.WAITING["stop"]}),
        css=read_css(FOLDER / "draft.css"),
        module=FOLDER / "draft.js",
        settings={**words.DRAFT, **shared_words.WAITING, "sourceCode": LANGUAGE_CONTEXT.get().codes()["source"]},
    )
