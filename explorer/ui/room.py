"""A tab that is one component of its own and follows what Explore shows."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.ui import words as shared_words
from explorer.ui.component import PLOTLY_JS, component, filled, module, url
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import DARK, LIGHT, MONOSPACE

STYLE = Path(__file__).parent / "room.css"
CONTEXT_STYLE = Path(__file__).parent / "context.css"  # of the sentence and the German so far


def room(
    folder: Path,
    settings: dict[str, Any],
    styles: tuple[Path, ...] = (STYLE,),
    *,
    words: Mapping[str, str],
) -> gr.HTML:
    """The component made of NAME.html, .css and .js in the folder NAME.

    `styles` are the style sheets put before its own; `words` are those of the HTML.
    """
    name = folder.name
    look = {"colours": {"light": LIGHT, "dark": DARK}, "monospace": MONOSPACE, "plotly": url(PLOTLY_JS)}
    names = {
        "kinds": shared_words.KIND_TITLES,
        "kindNames": shared_words.KIND_NAMES,
        "heads": shared_words.HEADS,
        "context": {**shared_words.CONTEXT, **LANGUAGE_CONTEXT.get().attributes()},
    }
    return component(
        "",
        html=filled((folder / f"{name}.html").read_text(encoding="utf-8"), words),
        css="".join(path.read_text(encoding="utf-8") for path in (*styles, folder / f"{name}.css")),
        script=f"{module(folder / f'{name}.js')}.then(({{ mount }}) => "
        "mount(element, JSON.parse(props.settings), server));",
        settings=json.dumps({**look, **names, **settings}),
        elem_id=name,
    )
