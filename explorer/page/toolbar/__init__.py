"""The buttons beside the heading, which belong to the whole page."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.page import words
from explorer.page.hosted import base_address
from explorer.page.sheet import key_rows
from explorer.ui.component import DRIVER_JS, component, filled, module, url
from explorer.ui.language import LANGUAGE_CONTEXT, LANGUAGES, use_language

FOLDER = Path(__file__).parent
LESSON = FOLDER.parent / "lesson"
# Parts of the page that a link may hide, by `hide=a,b`; page.css says what each is.
HIDDEN = (
    "heading",
    "toolbar",
    "tabs",
    "ask",
    "examples",
    "sentences",
    "steps",
    "pickers",
    "options",
    "candidates",
    "footer",
)


def hints() -> dict[str, str]:
    """What the button of each language says, in that language."""
    found = {}
    for language in LANGUAGES:
        with use_language(replace(LANGUAGE_CONTEXT.get(), language=language)):
            found[language] = words.SAME_PAGE
    return found


def toolbar(
    tabs: Mapping[str, str], lessons: Sequence[dict[str, Any]] = (), languages: Collection[str] = LANGUAGES.keys()
) -> gr.HTML:
    """Buttons that the browser brings to life, the place that the address keeps, and the lesson that is done.

    `tabs` are labels by id; `lessons` are as `Lesson.shown` gives them; `languages` are those that there is a page in.
    """
    language = LANGUAGE_CONTEXT.get().language
    names = {code: name for code, name in LANGUAGES.items() if code in languages}
    settings = {
        "text": words.TOOLBAR,
        "tabs": tabs,
        "hidden": HIDDEN,
        "base": base_address(),
        "figures": words.FIGURES,
        "languages": {"names": names, "current": language, "hint": hints()},
        "lesson": {"lessons": lessons, "text": words.LESSON},
    }
    tour = {"url": url(DRIVER_JS), "explore": tabs["explore"], "text": words.TOUR}
    lesson = filled((LESSON / "lesson.html").read_text(encoding="utf-8"), words.LESSON_HTML)
    texts = {**words.TOOLS, "key_rows": key_rows(words.KEYS), "lesson": lesson}
    return component(
        "",
        html=filled((FOLDER / "toolbar.html").read_text(encoding="utf-8"), texts),
        css="".join(path.read_text(encoding="utf-8") for path in (FOLDER / "toolbar.css", LESSON / "lesson.css")),
        script=f"{module(FOLDER / 'toolbar.js')}.then(({{ mount }}) => mount(element, JSON.parse(props.settings)));",
        settings=json.dumps({**settings, "tour": tour}),
        elem_id="toolbar",
    )
