"""The tab Training: how the checkpoint came about."""

from pathlib import Path

import gradio as gr

from explorer import training_prose
from explorer.player import training_player
from explorer.training import data_text, runs_text
from model.decoding import Translator
from model.record import joined_log, runs_of


def training_tab(translator: Translator, story: Path | None) -> None:
    """The checkpoint's story, where it has one, and its record."""
    record = translator.record
    runs = runs_of(record)
    log = joined_log(runs)
    if not story:
        gr.Markdown(training_prose.NO_STORY)
    if not log:
        gr.Markdown(training_prose.MISSING["log"])
    if story or log:
        training_player(runs, story)
    with gr.Row(elem_id="record"):
        for text in (runs_text(runs), data_text(record)):
            with gr.Column(min_width=340):
                gr.Markdown(text, latex_delimiters=[])
