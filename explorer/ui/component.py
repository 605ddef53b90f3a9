"""A gr.HTML that a module of the browser brings to life; Plotly and the modules are served from this machine.

Its template is HTML in which names in braces stand for words, so that all words stand in the files of words. Gradio
reads `${...}` and `{{...}}` in a template as its own, which is why neither may be left in it.
"""

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import gradio as gr

from explorer.ui import words as shared_words
from explorer.ui.bundle import bundle, name_of
from explorer.ui.glossary import linked
from explorer.ui.language import LANGUAGE_CONTEXT

FOLDER = Path(__file__).parent
PLOTLY_JS = FOLDER / "vendor" / "plotly.js"
SERVER = FOLDER / "server.js"
DRIVER_JS = FOLDER / "vendor" / "driver.js"
FORMULA = FOLDER / "vendor" / "formula.woff2"  # for MathML, which is set well only by a font made for it
NAME = re.compile(r"\{(?:(linked|html) )?(\w+)\}")
WRITTEN = {None: escape, "linked": linked, "html": str}  # what stands for a name, by the word before it


def filled(template: str, words: Mapping[str, str]) -> str:
    """A template with the words of those names: {name} as text, {linked name} with its terms linked to the glossary.

    {html name} is HTML that stands there as it is; {source_code} and {target_code} are the codes of the model's
    languages, {source_dir} and {target_dir} how they are written. Raises ValueError where a word is missing or
    not used, and where Gradio would take something left in the text for its own.
    """
    codes = {f"{side}_code": code for side, code in LANGUAGE_CONTEXT.get().codes().items()}
    codes |= {f"{side}_dir": direction for side, direction in LANGUAGE_CONTEXT.get().directions().items()}
    used = {match[2] for match in NAME.finditer(template)} - codes.keys()
    if used != words.keys():
        missing, unused = sorted(used - words.keys()), sorted(words.keys() - used)
        raise ValueError(f"a template lacks the words {missing}, or does not use {unused}")
    text = NAME.sub(lambda match: WRITTEN[match[1]]({**codes, **words}[match[2]]), template)
    if "${" in text or "{{" in text:
        raise ValueError("a template holds ${ or {{, which Gradio would read")
    return text


def transport(words: Mapping[str, str], slider: str, status: str) -> str:
    """HTML of the buttons and the slider that move through steps (transport.js), by the roles of slider and status."""
    roles = {"slider_role": slider, "status_role": status}
    return filled((FOLDER / "transport.html").read_text(encoding="utf-8"), {**words, **roles})


def pickers(marked: Literal["role", "choice"]) -> str:
    """HTML of the choice of kind, layer and head, by the data attribute that names its parts for the browser."""
    return filled((FOLDER / "heads.html").read_text(encoding="utf-8"), {**shared_words.PICKERS, "marked": marked})


def url(path: Path) -> str:
    """Where Gradio serves a file that was declared static: from where the page stands, which may be below a path."""
    return f"./gradio_api/file={quote(path.resolve().as_posix(), safe='/:')}"


def module(path: Path) -> str:
    """JavaScript that promises what a module exports.

    Gradio makes a function of it, in which an address would be taken from where Gradio's own script lies.
    """
    return f'import(new URL("{url(bundle())}", document.baseURI)).then((modules) => modules.default["{name_of(path)}"])'


def browser_files() -> list[str | Path]:
    """All that a browser may fetch: our modules, two libraries and a font; no folder, so that no Python is served."""
    return [str(path.resolve()) for path in (bundle(), PLOTLY_JS, DRIVER_JS, FORMULA)]


def component(value: str, *, html: str, css: str, script: str, **options: Any) -> gr.HTML:
    """The component made of a template, a style sheet and the script that runs when it is there.

    The script may ask `server`, which answers in the language in which the page is built (explorer/ui/server.js).
    """
    language = json.dumps(LANGUAGE_CONTEXT.get().language)
    gr.set_static_paths(browser_files())
    return gr.HTML(
        value,
        html_template=html,
        css_template=css,
        js_on_load=f"{module(SERVER)}.then(({{ serverIn }}) => {{ const server = serverIn({language}); {script} }});",
        apply_default_css=False,
        **options,
    )
