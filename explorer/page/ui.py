"""The page in Gradio: its tabs, what is around them, and the endpoints for programs."""

import json
import os
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from explorer.derived.about import about_model
from explorer.lessons.running import available_lessons
from explorer.page import words
from explorer.page.api import Api, ExperimentsApi, queued, require_all_inputs
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.recording.app_context import AppContext
from explorer.tabs import TABS, Tab, TabGroup, present_entries
from explorer.ui import words as shared_words
from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import Component, file_component, fill_template, static_files, url
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.proxies import without_proxies
from explorer.ui.questions import validated

with without_proxies(os.environ):
    import gradio as gr

FOLDER = Path(__file__).parent
SERVER, MODEL, PAGE_EVENTS = (FOLDER.parent / "ui" / name for name in ("server.js", "model.js", "page_events.js"))
NUMBERS = count(1)  # of the pages of this process


class GradioComponents:
    """Adds components to the current page of Gradio, whose settings are one file.

    They are two thirds of a page, and a browser fetches a file once. After the last component comes `write`. Serves
    single files, not folders, which contain Python.
    """

    def __init__(self):
        self.settings: dict[str, dict[str, Any]] = {}
        self.file = bundle().parent / f"settings.{next(NUMBERS)}.js"
        self.served = [self.file, *static_files()]

    def add(self, component: Component) -> None:
        self.settings[component.id] = dict(component.settings)
        self.served += component.files
        gr.HTML(
            html_template=component.html,
            css_template=component.css,
            js_on_load=self.mount_script(component.id, component.module) if component.module else "",
            elem_id=component.id,
            apply_default_css=False,
        )

    def write(self, app: AppContext) -> None:
        text = json.dumps(json.dumps({**self.settings, "about": about_model(app)}))
        self.file.write_text(f"export default JSON.parse({text});\n", encoding="utf-8")
        os.utime(self.file, (0, 0))  # so that browsers cache it, like the bundle
        gr.set_static_paths([str(path) for path in self.served])

    def mount_script(self, name: str, module: Path) -> str:
        language = json.dumps(LANGUAGE_CONTEXT.get().language)
        model = f'new modules["{name_of(MODEL)}"].Model({language}, settings.about)'
        return self.script(
            f'modules["{name_of(module)}"].mount(element, settings[{json.dumps(name)}], '
            f'modules["{name_of(SERVER)}"].serverIn({language}), {model});'
        )

    def script(self, code: str) -> str:
        """JavaScript that runs `code` with `modules` and `settings`, once both are there."""
        imports = ", ".join(map(import_script, (bundle(), self.file)))
        return f"Promise.all([{imports}]).then(([{{ default: modules }}, {{ default: settings }}]) => {{ {code} }});"


def import_script(path: Path) -> str:
    """JavaScript that promises the exports of a served module.

    Gradio makes it a function, in which relative URLs would be resolved against Gradio's own script.
    """
    return f'import(new URL("{url(path)}", document.baseURI))'


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
    components.write(app)


def draft() -> Component:
    """The pending request, or a note that the typed text differs from the shown sentence; all tabs show it."""
    settings = {**words.DRAFT, **shared_words.WAITING, "sourceCode": LANGUAGE_CONTEXT.get().codes()["source"]}
    return file_component(FOLDER / "draft" / "draft", {"stop": shared_words.WAITING["stop"]}, settings)


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
    for endpoint in (*Api(app).endpoints(), *ExperimentsApi(app).endpoints()):
        gr.api(queued(app.queue, validated(endpoint)), api_name=endpoint.__name__, concurrency_limit=None)
