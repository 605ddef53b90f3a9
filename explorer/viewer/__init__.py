"""The browser side of the attention view, and the gr.HTML component that carries it."""

import json
from collections.abc import Mapping
from pathlib import Path

import gradio as gr
import plotly

from explorer.figures import attention_frame
from explorer.palette import DARK, LIGHT
from explorer.prose import EXPLANATIONS, KINDS, LOW_CONFIDENCE

FOLDER = Path(__file__).parent
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def url(path: Path) -> str:
    """Where Gradio serves a file that was declared static."""
    return f"/gradio_api/file={path.resolve().as_posix()}"


def frames(palette: Mapping[str, str]) -> dict[str, object]:
    """The empty figure of every kind, for the browser to fill."""
    return {kind: attention_frame(kind, palette).to_plotly_json() for kind in KINDS}


def attention_viewer(payload: str) -> gr.HTML:
    """The attention view with its first trace; a new payload as its value shows another one.

    Stepping and choosing kind, layer and head happen in the browser and never ask the server. Plotly and the
    scripts are served from this machine.
    """
    gr.set_static_paths([str(FOLDER), str(PLOTLY_JS)])
    settings = {
        "frames": {"light": frames(LIGHT), "dark": frames(DARK)},
        "colours": {"light": LIGHT, "dark": DARK},
        "kinds": KINDS,
        "explanations": EXPLANATIONS,
        "lowConfidence": LOW_CONFIDENCE,
    }
    return gr.HTML(
        payload,
        html_template=(FOLDER / "viewer.html").read_text(),
        css_template=(FOLDER / "viewer.css").read_text(),
        js_on_load=(FOLDER / "load.js").read_text().replace("VIEWER_URL", url(FOLDER / "viewer.js")),
        head=f'<script src="{url(PLOTLY_JS)}"></script>',
        apply_default_css=False,
        settings=json.dumps(settings),
        elem_id="viewer",
    )
