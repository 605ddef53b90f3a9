"""The tab Training: how the checkpoint came about."""

from collections.abc import Sequence
from typing import Any

import gradio as gr

from explorer.recording.app_context import AppContext
from explorer.tabs.training import words
from explorer.tabs.training.now.section import now_section
from explorer.tabs.training.player import training_player
from explorer.tabs.training.record import Record, data_text, model_text, runs_text
from model.checkpoints.record import joined_log, runs_of


def training_tab(app: AppContext) -> None:
    """The checkpoint's story, where it has one, its record, and a model that is trained now."""
    record, story = app.translator.record, app.story
    runs = runs_of(record)
    log = joined_log(runs)
    toy = app.about is not None
    if not toy:
        now_section(app.max_trainings > 0, story=story is not None)
    if told := untold(app, runs, log):
        gr.Markdown(told, elem_classes=["untold-story"])
    if story or log:
        training_player(runs, story, toy=toy)
    with gr.Row(elem_id="record"):
        for text in (runs_text(runs) if runs else model_text(app.translator), data_text(record)):
            with gr.Column(min_width=340):
                gr.Markdown(text, latex_delimiters=[])


def untold(app: AppContext, runs: Sequence[Record], log: Sequence[Any]) -> str:
    """Why there is no story, or no curve."""
    fault, said = app.found_story.fault, []
    if fault:
        said.append(words.STORY_REFUSED.format(fault=fault))
    elif not app.story and not runs:
        return words.NO_RUN["converted" if "origin" in app.translator.record else "unknown"]
    elif not app.story and app.about is None:  # a model that was trained here has none, and needs none
        said.append(words.NO_STORY)
    return "\n\n".join([*said, *([] if log else [words.MISSING["log"]])])
