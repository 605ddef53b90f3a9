"""What visitors change in a run, and the bar that says so above all views."""

from pathlib import Path

from explorer.ui.component import Component, file_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)


def change_bar() -> Component:
    """What is changed, which run is shown, and what the change does; and the button that opens the drawer."""
    settings = {"text": words.CHANGES, "codes": LANGUAGE_CONTEXT.get().codes()}
    return file_component(FOLDER / "change_bar", words.HTML, settings)
