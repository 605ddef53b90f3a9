"""Patch: activation patching, from another sentence's run into this one's."""

from pathlib import Path
from typing import Any

from explorer.drawer import Panel
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words

PARTNERS = {
    "A man in a blue shirt is standing on a ladder cleaning a window.": "A man in a red shirt is standing on a "
    "ladder cleaning a window.",
    "The dog is tired because it has played all day.": "The horse is tired because it has played all day.",
    "I know that he bought a new car yesterday.": "I know that he sold a new car yesterday.",
    "Two children are playing at the playground.": "Two dogs are playing at the playground.",
    "She does not want to go home yet.": "He does not want to go home yet.",
    "The man saw the man who saw the dog.": "The man saw the man who saw the cat.",
    "Why didn't you tell me the truth?": "Why didn't you tell her the truth?",
    "The old man plays the accordion.": "The old woman plays the accordion.",
}


def settings(app: AppContext) -> dict[str, Any]:
    """The donor sentences, which are English, and the names of the kinds of heads."""
    return {"partners": PARTNERS if app.reads_english else {}, "kindNames": shared_words.KIND_NAMES}


PATCH = Panel(Path(__file__).parent, settings, is_wide=True)
