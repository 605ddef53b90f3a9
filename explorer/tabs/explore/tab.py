"""The tab Explore: sentence, examples and the attention view, which runs in the browser."""

import json
from functools import partial
from html import escape
from pathlib import Path

from explorer.attention_view.component import attention_viewer
from explorer.recording import MAX_CHARACTERS
from explorer.recording.app_context import AppContext
from explorer.recording.examples import subject_of
from explorer.recording.payload import encode_weights, lengths_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes
from explorer.recording.warnings import warnings
from explorer.ui.component import Component, file_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.translations import Translations
from model.errors import UserError
from model.probe import Kind

FOLDER = Path(__file__).parent
words = Translations(__file__)


def trace_answer(recordings: Recordings, text: str, subject: str = "", *, is_typed: bool = False) -> str:
    """The trace of a text as JSON, or of the form in which what a visitor typed is read.

    Raises UserError if the text is refused.
    """
    trace = recordings.read(text) if is_typed else recordings.trace(text)
    return trace_payload(trace, notes(trace), warnings=warnings(trace), subject=subject, text=text.strip())


def weights_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """The weights of one kind, for a trace that is too large for one response."""
    return encode_weights(recordings.trace(sentence), kind)


def lengths_answer(recordings: Recordings, sentence: str, kind: Kind) -> str:
    """The vector lengths of one kind (explorer/recording/lengths.py)."""
    return lengths_payload(recordings.forward_pass(sentence), kind)


def explore_tab(app: AppContext) -> list[Component]:
    """The text box and the attention view, which starts with the trace of the first example."""
    add_questions(app)
    first = app.sentences[0]["sentence"] if app.sentences else ""
    is_toy = app.about is not None  # a toy has no German
    view = attention_viewer(first_trace(app, first), app.tabs["inside"], app.tabs["lab"], beam=not is_toy)
    return [question(app, first), view]


def add_questions(app: AppContext) -> None:
    """Registers the questions of the attention view."""

    def translate(text: str, is_typed: bool = False) -> str:
        return trace_answer(app.recordings, text, subject_of(text, app.sentences), is_typed=is_typed)

    app.questions.add("translate", translate, translates=True)
    app.questions.add("weights", partial(weights_answer, app.recordings))
    app.questions.add("lengths", partial(lengths_answer, app.recordings))


def question(app: AppContext, first: str) -> Component:
    """The text to translate, the button, and the examples."""
    buttons = "".join(
        f'<button type="button" class="gallery-item" data-sentence="{escape(example["sentence"])}">'
        f"{escape(example['shows'])}</button>"
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
    settings = {"language": LANGUAGE_CONTEXT.get().language, "counter": counter}
    return file_component(FOLDER / "explore", texts, settings, id="question")


def first_trace(app: AppContext, first: str) -> str:
    """The trace of the first example, or an error if this model refuses it.

    The command does not start with such a model (require_translatable); a page that is built in Python does.
    """
    try:
        return trace_answer(app.recordings, first, subject_of(first, app.sentences))
    except UserError as reason:
        return json.dumps({"error": str(reason)})
