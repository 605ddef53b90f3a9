"""The tab of the attention view, which runs in the browser."""

import json
import sys
from typing import Any

from explorer.attention_view.component import attention_viewer
from explorer.derived.german_words import is_all_german
from explorer.engine.calls import ModelCalls
from explorer.experiments.head_measurements import measured_heads, named_heads
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.ui.component import Component
from explorer.ui.translations import Translations
from model.errors import UserError

words = Translations(__file__)


def explore_tab(app: AppContext) -> list[Component]:
    """The attention view, which starts with the trace of the first example."""
    ModelCalls(app).register(app.questions)
    return [attention_viewer(first_trace(app, app.first_sentence), named=head_names(app), has_tabs=True)]


def head_names(app: AppContext) -> dict[str, Any] | None:
    """`named_heads` of the page's model; None without measurements."""
    try:
        measured = measured_heads(app)
    except UserError:
        return None  # the panel Rank heads says why
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
