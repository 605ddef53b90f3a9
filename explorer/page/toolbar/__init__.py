"""The buttons beside the heading, which belong to the whole page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.page import words
from explorer.page.hosted import base_address
from explorer.page.sheet import key_rows
from explorer.ui.component import DRIVER_JS, Component, fill_template, read_css, url
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
) -> Component:
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
    lesson = fill_template(LESSON / "lesson.html", words.LESSON_HTML)
    texts = {**words.TOOLS, "key_rows": key_rows(words.KEYS), "lesson": lesson}
    return Component(
        "toolbar",
        html=fill_template(FOLDER / "toolbar.html", texts),
        css=read_css(FOLDER / "toolbar.css", LESSON / "lesson.css"),
        module=FOLDER / "toolbar.js",
        settings={**settings, "tour": tour},
    )
