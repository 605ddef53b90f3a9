"""The footer of the page: the teacher's guide, the source, the licence (explorer/server/documents.py), and the API."""

from pathlib import Path

from explorer.page import words
from explorer.ui.component import Component, fill_template
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT

FOLDER = Path(__file__).parent


def footer() -> Component:
    language = LANGUAGE_CONTEXT.get().language
    guide = "guide.md" if language == FIRST else f"guide.{language}.md"
    html = fill_template(FOLDER / "footer.html", {**words.FOOTER, "guide_file": guide})
    return Component("footer", html, module=FOLDER / "footer.js")
