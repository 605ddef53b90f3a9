"""Components as gr.HTML: the only module that passes a component to Gradio."""

import json
from pathlib import Path

import gradio as gr

from explorer.ui.bundle import bundle, name_of
from explorer.ui.component import Component, static_files, url
from explorer.ui.language import LANGUAGE_CONTEXT

SERVER = Path(__file__).parent.parent / "ui" / "server.js"


def gradio_html(component: Component) -> gr.HTML:
    """The component as part of the current page. Serves single files, not folders, which contain Python."""
    gr.set_static_paths([str(path) for path in (*static_files(), *component.files)])
    return gr.HTML(
        html_template=component.html,
        css_template=component.css,
        js_on_load=mount_script(component) if component.module else "",
        settings=json.dumps(component.settings),
        elem_id=component.id,
        apply_default_css=False,
    )


def module_script(path: Path) -> str:
    """JavaScript that promises the exports of a module.

    Gradio makes it a function, in which relative URLs would be resolved against Gradio's own script.
    """
    return f'import(new URL("{url(bundle())}", document.baseURI)).then((modules) => modules.default["{name_of(path)}"])'


def mount_script(component: Component) -> str:
    assert component.module
    modules = f"Promise.all([{module_script(component.module)}, {module_script(SERVER)}])"
    server = f"serverIn({json.dumps(LANGUAGE_CONTEXT.get().language)})"
    return f"{modules}.then(([{{ mount }}, {{ serverIn }}]) => mount(element, JSON.parse(props.settings), {server}));"
