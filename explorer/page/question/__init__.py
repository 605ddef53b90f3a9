"""The text box above all views, with its button and examples."""

from html import escape
from pathlib import Path

from explorer.recording import MAX_CHARACTERS
from explorer.recording.app_context import AppContext
from explorer.ui.component import Component, file_component
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)


def question(app: AppContext) -> Component:
    """The text to translate, the button, and the examples."""
    options = "".join(
        f'<option value="{escape(example["sentence"])}">{escape(example["shows"])}</option>'
        for example in app.sentences
    )
    texts = {
        "headline": words.HEADLINE,
        "sentence": words.SENTENCE,
        "placeholder": words.PLACEHOLDER,
        "translate": words.TRANSLATE,
        "try": words.EXAMPLES,
        "first": app.first_sentence,
        "examples": options,
    }
    counter = {"limit": MAX_CHARACTERS, "text": words.COUNTER}
    return file_component(FOLDER / "question", texts, {"counter": counter}, id="question")
