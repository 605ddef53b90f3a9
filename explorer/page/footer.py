"""The footer of the page: the teacher's guide, the source, the licences (explorer/server/documents.py), and the API."""

from pathlib import Path

from explorer.page import words
from explorer.ui.component import Component, fill_template

FOLDER = Path(__file__).parent


def footer() -> Component:
    return Component("footer", fill_template(FOLDER / "footer.html", words.FOOTER), module=FOLDER / "footer.js")
