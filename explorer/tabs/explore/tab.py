"""The tab Explore: sentence, examples and the attention view, which runs in the browser."""

import json
import sys
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import attention_viewer
from explorer.derived.german_words import is_all_german
from explorer.engine.calls import ModelCalls
from explorer.experiments.head_measurements import measured_heads, named_heads
from explorer.recording import MAX_CHARACTERS
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.ui.component import Component, file_component
from explorer.ui.translations import Translations
from model.errors import UserError

FOLDER = Path(__file__).parent
words = Translations(__file__)


def explore_tab(app: AppContext) -> list[Component]:
    """The text box and the attention view, which starts with the trace of the first example."""
    ModelCalls(app).register(app.questions)
    first = app.sentences[0]["sentence"] if app.sentences else ""
    is_toy = app.about is not None  # a toy has no German
    view = attention_viewer(first_trace(app, first), named=head_names(app), has_tabs=True, lab=True, beam=not is_toy)
    return [question(app, first), view]


def question(app: AppContext, first: str) -> Component:
    """The text to translate, the button, and the examples."""
    buttons = "".join(
        f'<button type="button" data-sentence="{escape(example["sentence"])}">{escape(example["shows"])}</button>'
        for example in app.sentences
    )
    texts = {
        "headline": words.HEADLINE,
        "sentence": words.SENTENCE,
        "placeholder": words.PLACEHOLDER,
        "translate": words.TRANSLATE,
        "try": words.EXAMPLES,
        "first": first,
        "examples": buttons,
    }
    counter = {"limit": MAX_CHARACTERS, "text": words.COUNTER}
    return file_component(FOLDER / "explore", texts, {"counter": counter}, id="question")


def head_names(app: AppContext) -> dict[str, Any] | None:
    """`named_heads` of the page's model; None without measurements."""
    try:
        measured = measured_heads(app)
    except UserError:
        return None  # the tab What if says why
    return named_heads(measured) if measured else None


def first_trace(app: AppContext, first: str) -> str:
    """The trace of the first example, or an error if this model refuses it.

    The command does not start with such a model (require_translatable); a page that is built in Python does.
    """
    try:
        trace = app.recordings.trace(first)
        shown = trace_json(trace, max_characters=sys.maxsize)
        return json.dumps({**shown, "isAllGerman": is_all_german(trace.translation)})
    except UserError as reason:
        return json.dumps({"error": str(reason)})
