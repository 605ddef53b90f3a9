"""The page, built once: its style sheet, the HTML of its body, and the settings of its components.

The main page shows it in a gr.HTML (ui.py), the static site and the pages of toys in documents of their own. A browser
module mounts the components and opens the tabs (start.js).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from explorer.changes import change_bar
from explorer.derived.about import about_model
from explorer.drawer.drawer import drawer
from explorer.handout.inline import style_sheet
from explorer.lessons.running import available_lessons
from explorer.page import words
from explorer.page.head import LOOK, PAGE_NEEDS, Needs, font_face, head_script, without_scripts
from explorer.page.link_preview import link_preview
from explorer.page.question import question
from explorer.page.save.dialog import save_dialog
from explorer.page.share.dialog import PreviewPicture, share_dialog
from explorer.page.toolbar import toolbar
from explorer.recording.app_context import AppContext
from explorer.tabs import TABS, Tab, TabGroup, present_entries, tab_labels
from explorer.ui import words as shared_words
from explorer.ui.bundle import bundle, name_of, tab_bundle
from explorer.ui.component import Component, file_component, fill_template, static_files, url
from explorer.ui.content_policy import csp_hash
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, tag_of
from explorer.ui.scoped_css import scoped

FOLDER = Path(__file__).parent
START = FOLDER / "start.js"
COLOUR_SCHEMES = '<meta name="color-scheme" content="light dark">\n'  # no white page before a dark one


@dataclass(frozen=True, eq=False)
class Page:
    """The parts of a page in the current language."""

    tools: Sequence[Component]  # beside the heading
    bar: Sequence[Component]  # above all views
    drawer: Sequence[Component]  # beside all views, once it is opened
    panels: Mapping[str, Sequence[Component]]  # of the tabs by their ids
    about: Mapping[str, Any]  # the model (explorer/derived/about.py)
    heading: str  # HTML
    footer: str  # HTML
    css: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)  # for the script that starts the page

    @property
    def components(self) -> list[Component]:
        return [*self.tools, *self.bar, *self.drawer, *(part for panel in self.panels.values() for part in panel)]

    @property
    def files(self) -> list[Path]:
        """What the page serves: the files of every page, and those of its components."""
        return [*static_files(), *(path for part in self.components for path in part.files)]

    def content(self, urls: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What the browser makes the page of, as JSON (start.js).

        `urls` are URLs of files by those in the components, where they differ.
        """
        content = {
            "title": words.TITLE,
            "language": LANGUAGE_CONTEXT.get().language,
            "about": self.about,
            "style": self.style(),
            "body": self.body(),
            "notLoaded": words.NOT_LOADED,
            "components": {part.id: mounted(part, part.module) for part in self.components if part.module},
            **self.settings,
        }
        return {name: replace_urls(value, urls or {}) for name, value in content.items()}

    def style(self) -> str:
        of_components = "".join(scoped(part.css, f"#{part.id}") for part in self.components)
        return font_face() + style_sheet(LOOK + self.css + of_components)

    def body(self) -> str:
        absent = {tab.id for tab in TABS} - self.panels.keys()
        return (
            f'<main>\n<div id="top">{self.heading}{components_html(self.tools)}</div>\n'
            f"{self.tabs(present_entries(absent))}{self.footer}</main>\n"
        )

    def tabs(self, entries: Sequence[Tab | TabGroup]) -> str:
        """The line of tabs, the first of them open, the bar that all views share, the panels, and the drawer."""
        bar = f'<div id="bar">{components_html(self.bar)}</div>\n'
        drawer = f'<div id="drawer-panel" hidden><template>{components_html(self.drawer)}</template></div>\n'
        return tab_line(entries, "tabs") + bar + self.tab_panels(entries) + drawer

    def tab_panels(self, entries: Sequence[Tab | TabGroup]) -> str:
        return "".join(panel_html(entry, self.panel(entry), is_open=entry is entries[0]) for entry in entries)

    def panel(self, entry: Tab | TabGroup) -> str:
        if isinstance(entry, TabGroup):
            return tab_line(entry.tabs, "tabs inner") + self.tab_panels(entry.tabs)
        return f"<template>{components_html(self.panels[entry.id])}</template>"  # until the tab is opened


def mounted(part: Component, module: Path) -> dict[str, Any]:
    """What the browser mounts of a component; `bundle` is the file with its module, null if that is there already."""
    file = tab_bundle(module)
    return {"module": name_of(module), "bundle": file and url(file), "settings": dict(part.settings)}


def replace_urls(value: Any, urls: Mapping[str, str]) -> Any:
    """A value of JSON with the URLs of files replaced by those of this page."""
    if isinstance(value, str):
        for address, url_here in urls.items():
            value = value.replace(address, url_here)
        return value
    if isinstance(value, Mapping):
        return {name: replace_urls(one, urls) for name, one in value.items()}
    return [replace_urls(one, urls) for one in value] if isinstance(value, list | tuple) else value


def components_html(parts: Iterable[Component]) -> str:
    return "".join(f'<div data-component id="{part.id}"><div>{part.html}</div></div>' for part in parts)


def tab_line(entries: Sequence[Tab | TabGroup], classes: str) -> str:
    buttons = "".join(tab_buttons(entry, is_open=entry is entries[0]) for entry in entries)
    return f'<div class="{classes}" role="tablist">{buttons}</div>\n'


def tab_buttons(entry: Tab | TabGroup, *, is_open: bool) -> str:
    """The button of a tab, or those of its levels, of which the first is open."""
    view = " data-view" if entry.is_view else ""
    levels = [(f' data-level="{level}"', label) for level, label in entry.levels.items()] or [("", entry.label)]
    return "".join(
        f'<button type="button" role="tab" data-tab="{entry.id}"{view}{level} aria-controls="{entry.id}-tab" '
        f'aria-selected="{str(is_open and i == 0).lower()}">{escape(label)}</button>'
        for i, (level, label) in enumerate(levels)
    )


def panel_html(entry: Tab | TabGroup, html: str, *, is_open: bool) -> str:
    """A panel with the name of its tab, also as a heading for screen readers."""
    heading = f"{entry.id}-tab-heading"
    return (
        f'<div role="tabpanel" id="{entry.id}-tab" aria-labelledby="{heading}" tabindex="-1"'
        f'{"" if is_open else " hidden"}><h2 id="{heading}" class="heard">{escape(entry.label)}</h2>{html}</div>\n'
    )


def build_page(
    app: AppContext,
    *,
    languages: Collection[str] = LANGUAGES.keys(),
    has_classes: bool = False,
    line: str = "",
    preview: PreviewPicture | None = None,
    **parts: Any,
) -> Page:
    """The page around a model in the current language.

    `languages` are those with a page; `line` is HTML that stands in place of the title's line, as a toy's page has it;
    `preview` is what programs show with links to it.
    """
    labels = {name: label for name, label in tab_labels().items() if name not in app.absent_tabs}
    app = replace(app, tabs=labels)
    return Page(
        tools=[
            draft(),
            toolbar(labels, lesson_data(app), languages, has_classes=has_classes, begins_class=app.begins_class),
            save_dialog(app),
            share_dialog(preview),
        ],
        bar=[question(app), change_bar()],
        drawer=drawer(app),
        panels={tab.id: tab.components(app) for tab in TABS if tab.id in labels},
        about=about_model(app),
        heading=heading(line),
        **parts,
    )


def heading(line: str) -> str:
    """The HTML of the title, and of a line behind it."""
    title = f"<h1>{escape(words.TITLE)}</h1>"
    return f'<div id="heading" class="toy">{title} <p>{line}</p></div>' if line else f'<div id="heading">{title}</div>'


def draft() -> Component:
    """The pending request, or a note that the typed text differs from the shown sentence; all tabs show it."""
    settings = {**words.DRAFT, **shared_words.WAITING, "sourceCode": LANGUAGE_CONTEXT.get().codes()["source"]}
    return file_component(FOLDER / "draft" / "draft", {"stop": shared_words.WAITING["stop"]}, settings)


def lesson_data(app: AppContext) -> list[dict[str, Any]]:
    """The data of all available lessons, in the current language."""
    return [lesson.to_json(name, LANGUAGE_CONTEXT.get().language) for name, lesson in available_lessons(app).items()]


def main_page(app: AppContext) -> Page:
    """The page of the server, whose footer leads to classes, documents (explorer/server/documents.py) and the API."""
    texts = {**words.FOOTER, "language": LANGUAGE_CONTEXT.get().language}
    footer = fill_template(FOLDER / "footer.html", texts)
    return build_page(app, has_classes=True, preview=PreviewPicture(), footer=footer)


def toy_page(app: AppContext) -> Page:
    """The page of a toy in the current language."""
    assert app.about
    language = LANGUAGE_CONTEXT.get().language
    back = f'<a href="../../{"" if language == FIRST else language}">{escape(words.TOY["back"])}</a>'
    return build_page(app, line=f"{escape(words.TOY['trained'].format(about=app.about()))} · {back}", footer="")


def toy_document(page: Page) -> str:
    """The HTML of a toy's page, two levels below the main page, with which it shares the addresses of files."""
    urls = {url(path): f"../../{url(path).removeprefix('./')}" for path in page.files}
    content = json.dumps(page.content(urls), ensure_ascii=False).replace("<", "\\u003c")  # no end tag of a script
    script = (
        f'\nimport modules from "{replace_urls(url(bundle()), urls)}";\nconst {{ textContent }} = '
        f'document.querySelector("#content");\nmodules["{name_of(START)}"].openPage(document.body, modules, '
        "JSON.parse(textContent));\n"
    )
    data = f'<script type="application/json" id="content">{content}</script>\n'
    return document(script, body=data, icon="../../favicon.ico")


def document(
    script: str,
    *,
    body: str = "",
    icon: str = "data:,",
    redirect: str = "",
    policy: str = "",
    picture: str = "",
    needs: Needs = PAGE_NEEDS,
) -> str:
    """The HTML of a page that runs only this module, and scripts that come before anything is drawn.

    `redirect` is a script before all others; `policy` is a Content-Security-Policy if the server sends none, in which
    {scripts} stands for the allowed scripts. `picture` is the address of the picture of the link's preview; without it
    the page has none.
    """
    language = LANGUAGE_CONTEXT.get().language
    first = [text for text in (redirect, head_script(language, needs)) if text]
    policy = policy.format(scripts=" ".join(map(csp_hash, [*first, script])))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    title = link_preview(picture) if picture else f"<title>{escape(words.TITLE)}</title>"
    return (
        f'<!doctype html>\n<html lang="{tag_of(language)}">\n<head>\n<meta charset="utf-8">\n{meta}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'{title}\n<link rel="icon" href="{icon}">\n'
        + "".join(f"<script>{text}</script>\n" for text in first)
        + f"{COLOUR_SCHEMES}</head>\n<body>\n{without_scripts(language)}{body}"
        + f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )
