"""The tab Training: how the checkpoint was trained."""

from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLES, View, viewer_html, viewer_settings
from explorer.recording.app_context import AppContext
from explorer.recording.sentence import examples
from explorer.tabs.model_training.curves import training_curves
from explorer.tabs.model_training.record import Record, data_text, model_text, runs_text, summary_text
from explorer.ui import words as shared_words
from explorer.ui.component import Component, file_component, transport, url
from explorer.ui.prose import markdown, markdown_with_html
from explorer.ui.translations import Translations
from model.checkpoints.record import joined_log, runs_of, start_steps

FOLDER = Path(__file__).parent
words = Translations(__file__)


def training_tab(app: AppContext) -> list[Component]:
    """The checkpoint's story, if it has one, and its record."""
    record, story = app.translator.record, app.story
    runs = runs_of(record)
    log = joined_log(runs)
    is_toy = app.about is not None
    parts = [Component("summary", html=f"<p>{escape(summary_text(app.translator))}</p>")]
    if reason := why_no_story(app, runs, log):
        parts.append(Component("no-story", html=f'<div class="markdown">{markdown(reason)}</div>'))
    if story or log:
        parts.append(training_player(runs, story, is_toy=is_toy))
    texts = (f"{model_text(app.translator)}\n\n{runs_text(runs) if runs else ''}", data_text(record))
    columns = "".join(f'<div class="markdown">{markdown_with_html(text)}</div>' for text in texts)
    return [*parts, Component("record", html=f'<div class="columns">{columns}</div>')]


def why_no_story(app: AppContext, runs: Sequence[Record], log: Sequence[Any]) -> str:
    """Why there is no story or no curve; empty if there are both."""
    fault, reasons = app.story_file.fault, []
    if fault:
        reasons.append(words.STORY_REFUSED.format(fault=fault))
    elif not app.story and not runs:
        return words.NO_RUN["converted" if "origin" in app.translator.record else "unknown"]
    elif not app.story and app.about is None:  # a toy model needs no story
        reasons.append(words.NO_STORY)
    return "\n\n".join([*reasons, *([] if log else [words.MISSING["log"]])])


def training_player(runs: list[dict[str, Any]], story: Path | None, *, is_toy: bool = False) -> Component:
    """The curves of runs that have a log, and the player of a story above an attention view, if there is one.

    The browser fetches the story's file (story.py) once, when the component is first shown, and sends no other
    requests. The training of a toy model has no dropout or label smoothing.
    """
    controls = transport(words.TRANSPORT, slider="moment", status="where")
    texts = {**words.HTML, "tab_label": words.TAB, "transport": controls, "viewer": viewer_html() if story else ""}
    log, later_starts, panels = joined_log(runs), start_steps(runs)[1:], (words.LOSSES, words.PACE)
    curves = {
        "figures": [training_curves(log, curves, later_starts) for curves in panels],
        "steps": [line["step"] for line in log],
        "hint": "" if is_toy else f"{words.CURVES} {words.CURVES_OF_RUNS}" if later_starts else words.CURVES,
    }
    story_settings = {
        "text": words.STORY,
        "labels": {example["sentence"]: example["shows"] for example in examples()},
        "tokenNames": shared_words.TOKEN_NAMES,
    }
    settings = {
        **viewer_settings(words.STORY_EXPLANATIONS, words.STORY_QUERIES, words.STORY_WORD_QUERIES),
        "view": asdict(View(level="heads", whole=True, step=0)),
        "takesKeys": False,  # the arrow keys move through the moments, not the steps
        "curves": curves if log else None,
        "story": {"url": url(story), **story_settings} if story else None,
    }
    files = [story.resolve()] if story else []
    return file_component(FOLDER / "model_training", texts, settings, STYLES, id="training", files=files)
