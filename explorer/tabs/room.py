"""A tab that is one component of its own and follows what Explore shows."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import gradio as gr

from explorer import prose
from explorer.glossary import linked
from explorer.palette import DARK, LIGHT, MONOSPACE
from explorer.viewer import FOLDER, component, url


def room(
    name: str,
    settings: dict[str, Any],
    serve: Callable[[Any], str],
    styles: tuple[str, ...] = (),
    words: Mapping[str, str] | None = None,
) -> gr.HTML:
    """The component made of NAME.html, .css and .js in viewer/NAME, which asks `serve` for its numbers.

    `styles` are further style sheets of viewer/, put before its own. `words` stand in the HTML where it says
    WORD_TEXT, with their terms linked.
    """
    look = {"kinds": prose.KINDS, "colours": {"light": LIGHT, "dark": DARK}, "monospace": MONOSPACE}
    html = (FOLDER / name / f"{name}.html").read_text()
    for word, text in (words or {}).items():
        html = html.replace(f"{word}_TEXT", linked(text))
    return component(
        "",
        html=html,
        css="".join((FOLDER / f"{part}.css").read_text() for part in (*styles, f"{name}/{name}")),
        script=f'import("{url(FOLDER / name / name)}.js").then(({{ mount }}) => '
        "mount(element, JSON.parse(props.settings), server));",
        server_functions=[serve],
        settings=json.dumps({**look, **settings}),
        elem_id=name,
    )
