"""The buttons beside the heading, which belong to the whole page."""

import json
from pathlib import Path

import gradio as gr

from explorer.page import words
from explorer.shared.component import component, filled, module

FOLDER = Path(__file__).parent


def toolbar() -> gr.HTML:
    """Buttons that the browser brings to life."""
    return component(
        "",
        html=filled((FOLDER / "toolbar.html").read_text(encoding="utf-8"), words.TOOLS),
        css=(FOLDER / "toolbar.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'toolbar.js')}.then(({{ mount }}) => mount(element, JSON.parse(props.settings)));",
        settings=json.dumps({"text": words.TOOLBAR}),
        elem_id="toolbar",
    )
