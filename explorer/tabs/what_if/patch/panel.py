"""The panel Patch."""

from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.patch import words
from explorer.tabs.what_if.patch.answer import patching_answer
from explorer.tabs.what_if.patch.partners import PARTNERS
from explorer.ui import words as shared_words


def settings(app: AppContext) -> dict[str, Any]:
    """The sentences to take from, which are English, and how the kinds of heads are called."""
    return {"partners": PARTNERS if app.reads_english else {}, "kindNames": shared_words.KIND_NAMES}


PATCH = Panel(Path(__file__).parent, words, {"patching": patching_answer}, settings)
