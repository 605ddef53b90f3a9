"""A gr.HTML that a module of the browser brings to life; Plotly and the modules are served from this machine."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import gradio as gr
import plotly

from explorer.shared.bundle import bundle, name_of

PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def url(path: Path) -> str:
    """Where Gradio serves a file that was declared static."""
    return f"/gradio_api/file={quote(path.resolve().as_posix(), safe='/:')}"


def module(path: Path) -> str:
    """JavaScript that promises what a module exports."""
    return f'import("{url(bundle())}").then((modules) => modules.default["{name_of(path)}"])'


def browser_files() -> list[str | Path]:
    """All that a browser may fetch: our modules, and Plotly; no folder, so that no Python is served."""
    return [str(bundle()), str(PLOTLY_JS)]


def component(value: str, *, html: str, css: str, script: str, **options: Any) -> gr.HTML:
    """The component made of a template, a style sheet and the script that runs when it is there."""
    gr.set_static_paths(browser_files())
    return gr.HTML(
        value,
        html_template=html,
        css_template=css,
        js_on_load=script,
        apply_default_css=False,
        **options,
    )
