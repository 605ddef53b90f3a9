"""The toolbar: the buttons beside the heading, for the whole page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from explorer.page import words
from explorer.page.head import base_address, root_address
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, use_language

FOLDER = Path(__file__).parent
LESSON, CLASSROOM = FOLDER.parent / "lesson", FOLDER.parent / "classroom"
# Parts of the page that a link may hide with `hide=a,b`; page.css has their selectors.
HIDEABLE_PARTS = (
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


def language_buttons() -> dict[str, dict[str, str]]:
    """What stands on each language's button and in its tooltip, in that language."""
    texts: dict[str, dict[str, str]] = {"short": {}, "hint": {}}
    for language in LANGUAGES:
        with use_language(replace(LANGUAGE_CONTEXT.get(), language=language)):
            texts["short"][language], texts["hint"][language] = words.SHORT_NAME, words.SAME_PAGE
    return texts


def key_rows(keys: Iterable[Sequence[str]]) -> str:
    """The HTML of table rows: keys, separated by spaces, and their actions."""

    def row(names: str, does: str) -> str:
        caps = " ".join(f"<kbd>{escape(name)}</kbd>" for name in names.split())
        return f'<tr><th scope="row">{caps}</th><td>{escape(does)}</td></tr>'

    return "".join(row(*key) for key in keys)


def toolbar(
    tabs: Mapping[str, str],
    lessons: Sequence[dict[str, Any]] = (),
    languages: Collection[str] = LANGUAGES.keys(),
    *,
    has_classes: bool = False,
    begins_class: bool = False,
) -> Component:
    """The component of the toolbar, which also keeps the URL state of the page and shows the current lesson and class.

    `tabs` are labels by id; `lessons` come from `Lesson.to_json`; `languages` are those with a page. `begins_class`
    says that a class has begun with the program, whose link stands in the terminal.
    """
    settings = toolbar_settings(tabs, lessons, languages)
    styles = [FOLDER / "toolbar.css", LESSON / "lesson.css"]
    if has_classes:
        styles.append(CLASSROOM / "classroom.css")
        path = "" if LANGUAGE_CONTEXT.get().language == FIRST else "./"
        settings["classroom"] = {"root": root_address(), "path": path, "text": words.CLASS}
    texts = {
        **words.TOOLS,
        "title": words.TITLE,
        "key_rows": key_rows(words.KEYS),
        "lesson": fill_template(LESSON / "lesson.html", words.LESSON_HTML),
        "class_hidden": "" if has_classes else "hidden",
        "classroom": classroom_html(begins_class) if has_classes else "",
    }
    return Component(
        "toolbar",
        html=fill_template(FOLDER / "toolbar.html", texts),
        css=read_css(*styles),
        module=FOLDER / "toolbar.js",
        settings=settings,
    )


def classroom_html(begins_class: bool) -> str:
    """What a class shows on the page, and the dialog that begins one or says who leads the one that has begun."""
    texts = {**words.CLASS_HTML, "led_hidden": "" if begins_class else " hidden"}
    return fill_template(CLASSROOM / "classroom.html", texts)


def toolbar_settings(
    tabs: Mapping[str, str], lessons: Sequence[dict[str, Any]], languages: Collection[str]
) -> dict[str, Any]:
    """What the browser's module of the toolbar is given, but for the class."""
    names = {code: name for code, name in LANGUAGES.items() if code in languages}
    return {
        "text": words.TOOLBAR,
        "tabs": tabs,
        "hidden": HIDEABLE_PARTS,
        "base": base_address(),
        "figures": words.FIGURES,
        "languages": {"names": names, "current": LANGUAGE_CONTEXT.get().language, **language_buttons()},
        "lesson": {"lessons": lessons, "text": words.LESSON},
    }
