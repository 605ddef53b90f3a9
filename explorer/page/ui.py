"""The page as a Gradio app: in every language one gr.HTML that holds it, and the endpoints for programs."""

import json
import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from explorer.page import words
from explorer.page.api import Api, ExperimentsApi, queued, require_all_inputs
from explorer.page.page import START, Page, main_page
from explorer.recording.app_context import AppContext
from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import url
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from explorer.ui.proxies import without_proxies
from explorer.ui.questions import validated

with without_proxies(os.environ):
    import gradio as gr

NUMBERS = count(1)  # of the pages of this process
SERVED: set[Path] = set()
ELEMENT = "body"  # the id of the gr.HTML
# JavaScript: a function that shows the page in a node. Its argument are the properties of the gr.HTML. Gradio makes
# js_on_load a function, in which relative URLs would be resolved against Gradio's own script.
OPEN = f"""async (parent, {{ modules, content }}) => {{
  const load = async (path) => (await import(new URL(path, document.baseURI))).default;
  const [loaded, parts] = await Promise.all([load(modules), load(content)]);
  loaded["{name_of(START)}"].openPage(parent, loaded, parts);
}}"""


def create_ui(app: AppContext) -> gr.Blocks:
    """The whole page in every language, with the first example translated.

    The first language is at /, the others at /de and so on (see server/language_redirect.py).
    """
    languages = app.translator.languages
    with (
        gr.Blocks(title=words.TITLE, analytics_enabled=False) as blocks,
        use_language(LanguageContext(FIRST, languages)),
    ):
        add_page(main_page(app))
        publish_api(app)
    for language, name in LANGUAGES.items():
        if language != FIRST:
            with blocks.route(name, language, show_in_navbar=False), use_language(LanguageContext(language, languages)):
                add_page(main_page(app))
    blocks.validate_inputs = require_all_inputs
    return blocks


def add_page(page: Page) -> None:
    """Adds the page to Gradio's. What it is made of is a file, which a browser fetches once."""
    file = bundle().parent / f"page.{next(NUMBERS)}.js"
    text = json.dumps(json.dumps(page.content()))
    file.write_text(f"export default JSON.parse({text});\n", encoding="utf-8")
    os.utime(file, (0, 0))  # so that browsers cache it, like the bundle
    serve_files([file, *page.files])
    gr.HTML(
        html_template="",
        js_on_load=f"({OPEN})(element, props);",
        elem_id=ELEMENT,
        apply_default_css=False,
        modules=url(bundle()),
        content=url(file),
    )


def serve_files(files: Iterable[Path]) -> None:
    """Lets Gradio serve single files, not folders, which contain Python."""
    new = {*files} - SERVED
    gr.set_static_paths([str(path) for path in new])
    SERVED.update(new)  # Gradio would keep each once more


def publish_api(app: AppContext) -> None:
    """Adds the endpoints for programs, which answer in the current language."""
    for endpoint in (*Api(app).endpoints(), *ExperimentsApi(app).endpoints()):
        gr.api(queued(app.scheduler, validated(endpoint)), api_name=endpoint.__name__, concurrency_limit=None)
