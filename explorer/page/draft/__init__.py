"""One line for the whole page: a translation is awaited, or the text typed is not what the picture shows."""

import json
from pathlib import Path

import gradio as gr

from explorer.page import words
from explorer.shared.component import component, module

FOLDER = Path(__file__).parent


def draft() -> gr.HTML:
    """Stands beside the tabs, so that it is there in every room."""
    return component(
        "",
        html=(FOLDER / "draft.html").read_text(encoding="utf-8"),
        css=(FOLDER / "draft.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'draft.js')}.then(({{ mount }}) => "
        "mount(element.querySelector('.draft'), JSON.parse(props.settings)));",
        settings=json.dumps(words.DRAFT),
        elem_id="draft",
    )
