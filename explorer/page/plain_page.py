"""A page without Gradio: the same components in one HTML document, for the static site and for toys.

A browser module mounts the components and opens the tabs (plain_page.js).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from explorer.derived.about import about_model
from explorer.handout.inline import csp_hash, style_sheet
from explorer.page import words
from explorer.page.head import LOOK, font_face, head_script
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.page.ui import draft, lesson_data, with_tabs
from explorer.recording.app_context import AppContext
from explorer.tabs import TABS, Tab, TabGroup, present_entries
from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import Component, read_css, static_files, url
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, tag_of

FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class PlainPage:
    """The parts of a page in the current language."""

    heading: str  # HTML
    tools: Sequence[Component]  # beside the heading
    panels: Mapping[str, Sequence[Component]]  # of the tabs by their ids
    places: Mapping[str, str]  # the URLs of files by those in the components
    module: Path = FOLDER / "plain_page.js"  # its `startPage(modules, settings)` starts the page
    settings: Mapping[str, Any] = field(default_factory=dict)  # for it, besides those of the components
    css: str = ""
    footer: str = ""  # HTML
    icon: str = "data:,"  # a URL
    redirect: str = ""  # a script before all others
    policy: str = ""  # a Content-Security-Policy if the server sends none; {scripts} stands for the allowed scripts

    def html(self) -> str:
        content, script = self.content(), self.placed(self.script())
        settings = f'<script type="application/json" id="settings">{content["settings"]}</script>\n'
        style = f"<style>{content['style']}</style>\n"
        return self.document(style, content["body"] + settings, script)

    def content(self) -> dict[str, str]:
        """The style sheet, the HTML of the body, and the settings as JSON."""
        parts = {"style": self.style(), "body": self.body(), "settings": self.all_settings()}
        return {name: self.placed(text) for name, text in parts.items()}

    def document(self, style: str, body: str, script: str) -> str:
        """A page that runs only this module, and scripts that come before anything is drawn."""
        language, first = LANGUAGE_CONTEXT.get().language, self.first_scripts()
        policy = self.policy.format(scripts=" ".join(map(csp_hash, [*first, script])))
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
        return (
            f'<!doctype html>\n<html lang="{tag_of(language)}">\n<head>\n<meta charset="utf-8">\n{meta}'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<title>{escape(words.TITLE)}</title>\n<link rel="icon" href="{self.icon}">\n'
            + "".join(f"<script>{text}</script>\n" for text in first)
            + f'{style}</head>\n<body>\n{body}<script type="module">{script}</script>\n</body>\n</html>\n'
        )

    def components(self) -> list[Component]:
        return [*self.tools, *(part for panel in self.panels.values() for part in panel)]

    def placed(self, text: str) -> str:
        """The text with the URLs of files replaced by those of this page."""
        for address, place in self.places.items():
            text = text.replace(address, place)
        return text

    def first_scripts(self) -> list[str]:
        """The redirect, then the page's own script, which hides the browser's languages."""
        return [text for text in (self.redirect, head_script(LANGUAGE_CONTEXT.get().language)) if text]

    def style(self) -> str:
        nested = "".join(f"#{part.id} {{ {part.css} }}\n" for part in self.components())  # as Gradio does
        return font_face() + style_sheet(read_css(FOLDER / "plain_page.css") + self.css + LOOK + nested)

    def body(self) -> str:
        absent = {tab.id for tab in TABS} - self.panels.keys()
        return (
            '<div class="gradio-container"><main class="main app">\n'
            f'<div id="top" class="row">{self.heading}{components_html(self.tools)}</div>\n'
            f"{self.tabs(present_entries(absent))}{self.footer}</main></div>\n"
        )

    def tabs(self, entries: Sequence[Tab | TabGroup]) -> str:
        """A line of tabs and their panels."""
        buttons = "".join(tab_button(entry.id, entry.label) for entry in entries)
        line = f'<div class="tab-container wrap" role="tablist">{buttons}</div>'
        panels = "".join(panel_html(entry.id, self.panel(entry)) for entry in entries)
        return f'<div class="tab-wrapper wrap">{line}</div>\n{panels}'

    def panel(self, entry: Tab | TabGroup) -> str:
        if isinstance(entry, TabGroup):
            return f'<div class="inner">{self.tabs(entry.tabs)}</div>'
        return components_html(self.panels[entry.id])

    def all_settings(self) -> str:
        """JSON without the end tag of a script."""
        mounted = {
            part.id: {"module": name_of(part.module), "settings": dict(part.settings)}
            for part in self.components()
            if part.module
        }
        settings = {"language": LANGUAGE_CONTEXT.get().language, **self.settings, "components": mounted}
        return json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c")

    def script(self) -> str:
        settings = 'JSON.parse(document.querySelector("#settings").textContent)'
        return f'\nimport modules from "{url(bundle())}";\n{self.start()}(modules, {settings});\n'

    def start(self) -> str:
        """The function that starts the page, in JavaScript."""
        return f'modules["{name_of(self.module)}"].startPage'


def components_html(parts: Iterable[Component]) -> str:
    return "".join(f'<div class="block" id="{part.id}"><div data-component>{part.html}</div></div>' for part in parts)


def tab_button(tab: str, label: str) -> str:
    return (
        f'<button type="button" role="tab" data-tab="{tab}" aria-controls="{tab}-tab" aria-selected="false">'
        f"{escape(label)}</button>"
    )


def panel_html(tab: str, html: str) -> str:
    return f'<div class="tabitem" role="tabpanel" id="{tab}-tab" hidden>{html}</div>\n'


def heading(text: str = "", classes: str = "") -> str:
    """The HTML of the title and of `text`, which is HTML."""
    parts = f"<h1>{escape(words.TITLE)}</h1>" + (f" <p>{text}</p>" if text else "")
    return f'<div id="heading" class="{classes}"><div class="prose">{parts}</div></div>'


def toy_page(app: AppContext) -> str:
    """The page of a toy in the current language, two levels below the main page, whose files it shares."""
    app, _ = with_tabs(app)
    assert app.about
    language = LANGUAGE_CONTEXT.get().language
    back = f'<a href="../../{"" if language == FIRST else language}">{escape(words.TOY["back"])}</a>'
    return PlainPage(
        heading=heading(f"{escape(words.TOY['trained'].format(about=app.about()))} · {back}", "toy"),
        tools=[draft(), toolbar(app.tabs, lesson_data(app)), save_dialog(app)],
        panels={tab.id: tab.components(app) for tab in TABS if tab.id in app.tabs},
        settings={"about": about_model(app)},
        places={url(path): f"../../{url(path).removeprefix('./')}" for path in static_files()},
        icon="../../favicon.ico",
    ).html()
