"""One line for the whole page: what is awaited, or that the text typed is not what the picture shows."""

import json
from pathlib import Path

import gradio as gr

from explorer.page import words
from explorer.ui import words as shared_words
from explorer.ui.component import component, filled, module

FOLDER = Path(__file__).parent


def draft() -> gr.HTML:
    """Stands beside the tabs, so that it is there in every room."""
    return component(
        "",
        html=filled((FOLDER / "draft.html").read_text(encoding="utf-8"), {"stop": shared_words.WAITING["stop"]}),
        css=(FOLDER / "draft.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'draft.js')}.then(({{ mount }}) => "
        "mount(element.querySelector('.draft'), JSON.parse(props.settings)));",
        settings=json.dumps({**words.DRAFT, **shared_words.WAITING}),
        elem_id="draft",
    )
