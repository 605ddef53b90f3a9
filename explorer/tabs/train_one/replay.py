"""The recorded training of the page's own model: its story, played in an attention view (replay.js)."""

from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import View, viewer_html, viewer_settings
from explorer.recording.app_context import AppContext
from explorer.recording.sentence import examples
from explorer.ui import words as shared_words
from explorer.ui.component import fill_template, transport, url
from explorer.ui.prose import markdown
from explorer.ui.translations import Translations
from model.checkpoints.record import runs_of

FOLDER = Path(__file__).parent
words = Translations(__file__)


def replay_html(app: AppContext) -> str:
    """The player; for a checkpoint without a story that may be shown the reason."""
    if not app.story:
        return f'<h3>{escape(words.REPLAY["replay"])}</h3><div class="markdown">{markdown(why_no_story(app))}</div>'
    controls = transport(words.TRANSPORT, slider="moment", status="where")
    return fill_template(FOLDER / "replay.html", {**words.REPLAY, "transport": controls, "viewer": viewer_html()})


def why_no_story(app: AppContext) -> str:
    """The reason as Markdown, for a checkpoint that has no story to show."""
    if fault := app.story_file.fault:
        return words.STORY_REFUSED.format(fault=fault)
    return words.NO_STORY if runs_of(app.translator.record) else words.NO_RUN


def replay_settings(story: Path) -> dict[str, Any]:
    """The browser fetches the story's file (derived/story.js) once, when the tab is first shown."""
    return {
        **viewer_settings(words.STORY_EXPLANATIONS, words.STORY_QUERIES, words.STORY_WORD_QUERIES),
        "view": asdict(View(level="heads", whole=True, step=0)),
        "takesKeys": False,  # the arrow keys move through the moments, not the steps
        "story": {
            "url": url(story),
            "text": words.STORY,
            "labels": {example["sentence"]: example["shows"] for example in examples()},
            "tokenNames": shared_words.TOKEN_NAMES,
        },
    }
