"""Components as gr.HTML: the only module that passes a component to Gradio."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import gradio as gr

from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import Component, static_files, url
from explorer.ui.language import LANGUAGE_CONTEXT

SERVER = Path(__file__).parent.parent / "ui" / "server.js"


@contextmanager
def gradio_components() -> Iterator[Callable[[Component], None]]:
    """A function that adds a component to the current page of Gradio.

    At the end the settings of all of them are written into one file, which a browser fetches once: they are two thirds
    of the page. Serves single files, not folders, which contain Python.
    """
    added: list[tuple[Component, gr.HTML]] = []

    def add(component: Component) -> None:
        html = gr.HTML(
            html_template=component.html,
            css_template=component.css,
            js_on_load="",
            elem_id=component.id,
            apply_default_css=False,
        )
        added.append((component, html))

    yield add
    settings = settings_file([component for component, _ in added])
    files = [settings, *static_files(), *(path for component, _ in added for path in component.files)]
    gr.set_static_paths([str(path) for path in files])
    for component, html in added:
        if component.module:
            html.js_on_load = mount_script(component, component.module, settings)


def settings_file(components: list[Component]) -> Path:
    """A module whose default export holds the settings of components by their ids; cached like the bundle."""
    settings = json.dumps({component.id: dict(component.settings) for component in components})
    digest = sha256(settings.encode()).hexdigest()[:16]
    file = bundle().parent / f"settings.{digest}.js"
    file.write_text(f"export default JSON.parse({json.dumps(settings)});\n", encoding="utf-8")
    os.utime(file, (0, 0))
    return file


def import_script(path: Path) -> str:
    """JavaScript that promises the default export of a served module.

    Gradio makes it a function, in which relative URLs would be resolved against Gradio's own script.
    """
    return f'import(new URL("{url(path)}", document.baseURI)).then((module) => module.default)'


def module_script(path: Path) -> str:
    """JavaScript that promises the exports of one of our modules."""
    return f'{import_script(bundle())}.then((modules) => modules["{name_of(path)}"])'


def mount_script(component: Component, module: Path, settings: Path) -> str:
    parts = ", ".join((module_script(module), module_script(SERVER), import_script(settings)))
    server = f"serverIn({json.dumps(LANGUAGE_CONTEXT.get().language)})"
    mount = f"mount(element, settings[{json.dumps(component.id)}], {server})"
    return f"Promise.all([{parts}]).then(([{{ mount }}, {{ serverIn }}, settings]) => {mount});"
