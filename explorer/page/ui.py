"""The page: its tabs, and the endpoints for programs."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.lessons.running import available_lessons
from explorer.page import words
from explorer.page.api import Api, FilesApi
from explorer.page.component import GradioComponents
from explorer.page.draft import draft
from explorer.page.experiments import ExperimentsApi
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.recording.app_context import AppContext
from explorer.tabs import TABS, Tab, TabGroup, present_entries
from explorer.ui.bundle import name_of
from explorer.ui.component import Component, fill_template
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import validated
from explorer.ui.queued import queued, require_all_inputs

FOLDER = Path(__file__).parent
PAGE_EVENTS = FOLDER.parent / "ui" / "page_events.js"


def create_ui(app: AppContext) -> gr.Blocks:
    """The whole page in every language, with the first example translated.

    The first language is at /, the others at /de and so on (see server/language_redirect.py).
    """
    translator = app.translator
    with (
        gr.Blocks(title=words.TITLE, analytics_enabled=False) as page,
        use_language(LanguageContext(FIRST, translator.languages)),
    ):
        build(app)
        publish_api(app)
    for language, name in LANGUAGES.items():
        if language != FIRST:
            with (
                page.route(name, language, show_in_navbar=False),
                use_language(LanguageContext(language, translator.languages)),
            ):
                build(app)
    page.validate_inputs = require_all_inputs
    return page


def build(app: AppContext) -> None:
    """Adds the page in the current language."""
    app, present = with_tabs(app)
    components = GradioComponents()
    with gr.Row(elem_id="top"):
        gr.Markdown(f"# {words.TITLE}", elem_id="heading")
        for part in (draft(), toolbar(app.tabs, lesson_data(app), has_classes=True), save_dialog(app)):
            components.add(part)
    with gr.Tabs(overflow_behavior="wrap"):  # no overflow menu: on a phone the tabs scroll sideways (look.css)
        for entry in present:
            add_tab(entry, app, components)
    components.add(footer())
    components.write()


def footer() -> Component:
    """The teacher's guide, the source and the licences (explorer/server/documents.py), and the API."""
    return Component("footer", fill_template(FOLDER / "footer.html", words.FOOTER))


def add_tab(entry: Tab | TabGroup, app: AppContext, components: GradioComponents) -> None:
    """Adds a tab, or a group with its tabs."""
    with gr.Tab(entry.label, id=entry.id, elem_id=f"{entry.id}-tab") as gradio_tab:
        if isinstance(entry, TabGroup):
            with gr.Tabs(overflow_behavior="wrap", elem_classes="inner"):
                for tab in entry.tabs:
                    add_tab(tab, app, components)
        else:
            for part in entry.components(app):
                components.add(part)
    # Tells the browser's modules that a tab is open; of a group, the one that was open last.
    ids = json.dumps([tab.id for tab in entry.tabs])
    opened = components.script(f'modules["{name_of(PAGE_EVENTS)}"].emitTabOpened({ids});')
    gradio_tab.select(None, js=f"() => {{ {opened} }}", api_visibility="private")


def with_tabs(app: AppContext) -> tuple[AppContext, list[Tab | TabGroup]]:
    """The context with the labels of its tabs, and the tabs and groups."""
    labels = {tab.id: tab.label for tab in TABS if tab.id not in app.absent_tabs}
    return replace(app, tabs=labels), present_entries(app.absent_tabs)


def lesson_data(app: AppContext) -> list[dict[str, Any]]:
    """The data of all available lessons, in the current language."""
    return [lesson.to_json(name, LANGUAGE_CONTEXT.get().language) for name, lesson in available_lessons(app).items()]


def publish_api(app: AppContext) -> None:
    """Adds the endpoints for programs, which answer in the current language."""
    api = Api(app.recordings)
    others = [*ExperimentsApi(app).endpoints(), *FilesApi(app).endpoints()]
    for endpoint in (api.translate, api.attention, *others):
        answer = queued(app.queue, validated(endpoint))
        gr.api(answer, api_name=endpoint.__name__, concurrency_limit=None)
