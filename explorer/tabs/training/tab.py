"""The tab Training: how the checkpoint was trained."""

from collections.abc import Sequence
from html import escape
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.tabs.training import words
from explorer.tabs.training.player import training_player
from explorer.tabs.training.record import Record, data_text, model_text, runs_text, summary_text
from explorer.ui.component import Component
from explorer.ui.prose import markdown, markdown_with_html
from model.checkpoints.record import joined_log, runs_of


def training_tab(app: AppContext) -> list[Component]:
    """The checkpoint's story, if it has one, and its record."""
    record, story = app.translator.record, app.story
    runs = runs_of(record)
    log = joined_log(runs)
    is_toy = app.about is not None
    parts = [Component("summary", html=f"<p>{escape(summary_text(app.translator))}</p>")]
    if reason := why_no_story(app, runs, log):
        parts.append(Component("no-story", html=f'<div class="prose">{markdown(reason)}</div>'))
    if story or log:
        parts.append(training_player(runs, story, is_toy=is_toy))
    texts = (f"{model_text(app.translator)}\n\n{runs_text(runs) if runs else ''}", data_text(record))
    columns = "".join(f'<div class="prose">{markdown_with_html(text)}</div>' for text in texts)
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
