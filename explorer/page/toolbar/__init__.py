"""The buttons beside the heading, which belong to the whole page."""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path

import gradio as gr

from explorer.page import words
from explorer.shared.component import component, filled, module

FOLDER = Path(__file__).parent


def key_rows(keys: Iterable[tuple[str, str]]) -> str:
    """HTML of table rows: keys, separated by spaces, and what they do."""

    def row(names: str, does: str) -> str:
        caps = " ".join(f"<kbd>{escape(name)}</kbd>" for name in names.split())
        return f'<tr><th scope="row">{caps}</th><td>{escape(does)}</td></tr>'

    return "".join(row(*key) for key in keys)


def toolbar() -> gr.HTML:
    """Buttons that the browser brings to life."""
    return component(
        "",
        html=filled(
            (FOLDER / "toolbar.html").read_text(encoding="utf-8"), {**words.TOOLS, "key_rows": key_rows(words.KEYS)}
        ),
        css=(FOLDER / "toolbar.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'toolbar.js')}.then(({{ mount }}) => mount(element, JSON.parse(props.settings)));",
        settings=json.dumps({"text": words.TOOLBAR}),
        elem_id="toolbar",
    )
