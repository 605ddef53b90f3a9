"""The tab Training: how the checkpoint came about."""

import gradio as gr

from explorer.recording.opened import Opened
from explorer.rooms.training import words
from explorer.rooms.training.now.section import now_section
from explorer.rooms.training.player import training_player
from explorer.rooms.training.record import data_text, runs_text
from model.record import joined_log, runs_of


def training_tab(opened: Opened) -> None:
    """The checkpoint's story, where it has one, its record, and a model that is trained now."""
    record, story = opened.translator.record, opened.story
    runs = runs_of(record)
    log = joined_log(runs)
    toy = opened.about is not None
    if not toy:
        now_section(opened.trains > 0, story=story is not None)
    if not story and not toy:
        fault = opened.found_story.fault
        told = words.STORY_REFUSED.format(fault=fault) if fault else words.NO_STORY
        gr.Markdown(told, elem_classes=["untold-story"])
    if not log:
        gr.Markdown(words.MISSING["log"], elem_classes=["untold-story"])
    if story or log:
        training_player(runs, story, toy=toy)
    with gr.Row(elem_id="record"):
        for text in (runs_text(runs), data_text(record)):
            with gr.Column(min_width=340):
                gr.Markdown(text, latex_delimiters=[])
