"""A tab that is one component of its own and follows what Explore shows."""

import json
from collections.abc import Callable
from typing import Any

import gradio as gr

from explorer import prose
from explorer.palette import DARK, LIGHT, MONOSPACE
from explorer.viewer import FOLDER, component, url


def room(name: str, settings: dict[str, Any], serve: Callable[[list[Any]], str]) -> gr.HTML:
    """The component made of viewer/NAME.html, .css and .js, which asks `serve` for its numbers."""
    look = {"kinds": prose.KINDS, "colours": {"light": LIGHT, "dark": DARK}, "monospace": MONOSPACE}
    module = url(FOLDER / f"{name}.js")
    return component(
        "",
        html=(FOLDER / f"{name}.html").read_text(),
        css="".join((FOLDER / f"{part}.css").read_text() for part in ("room", name)),
        script=f'import("{module}").then(({{ mount }}) => mount(element, JSON.parse(props.settings), server));',
        server_functions=[serve],
        settings=json.dumps({**look, **settings}),
        elem_id=name,
    )
