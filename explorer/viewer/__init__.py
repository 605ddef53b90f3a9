"""The browser side of the attention view, and the gr.HTML component that carries it."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import gradio as gr
import plotly

from explorer.figures import QUERIES, attention_frame
from explorer.glossary import linked
from explorer.palette import DARK, LIGHT
from explorer.prose import EXPLANATIONS, KINDS, LOW_CONFIDENCE, VIEWER
from explorer.view import View

FOLDER = Path(__file__).parent
PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def url(path: Path) -> str:
    """Where Gradio serves a file that was declared static."""
    return f"/gradio_api/file={quote(path.resolve().as_posix(), safe='/:')}"


FIRST = View()  # what a first visit shows
# As `js` of a Gradio event with one text input: hands the view of the moment to Python, for View.from_json.
REPORT = "() => document.querySelector('#viewer .viewer').report()"


def show(view: View) -> gr.HTML:
    """The update that makes the viewer show a view, as the output of an event; also if it was asked for before."""
    return gr.HTML(view=json.dumps({**asdict(view), "asked": time.time_ns()}))


def frames(palette: Mapping[str, str], queries: Mapping[str, str]) -> dict[str, object]:
    """The empty figures of every kind, for the browser to fill."""
    return {
        layout: {
            kind: attention_frame(kind, palette, layout == "transposed", queries).to_plotly_json() for kind in KINDS
        }
        for layout in ("upright", "transposed")
    }


def viewer_settings(
    explanations: Mapping[str, str] = EXPLANATIONS,
    queries: Mapping[str, str] = QUERIES,
) -> dict[str, Any]:
    """What the browser needs to draw any trace: figures, colours and words; `queries` says what the rows are."""
    return {
        "frames": {"light": frames(LIGHT, queries), "dark": frames(DARK, queries)},
        "colours": {"light": LIGHT, "dark": DARK},
        "text": VIEWER,
        "kinds": KINDS,
        "explanations": {kind: linked(text) for kind, text in explanations.items()},
        "lowConfidence": LOW_CONFIDENCE,
    }


def component(value: str, *, html: str, css: str, script: str, **options: Any) -> gr.HTML:
    """A gr.HTML that a module of this folder brings to life; Plotly and the modules are served from this machine."""
    gr.set_static_paths([str(FOLDER), str(PLOTLY_JS)])
    return gr.HTML(
        value,
        html_template=html,
        css_template=css,
        js_on_load=script,
        head=f'<script src="{url(PLOTLY_JS)}"></script>',
        apply_default_css=False,
        **options,
    )


def attention_viewer(
    payload: str, weights_of: Callable[[str, str], str], view: View = FIRST, inside: str | None = None
) -> gr.HTML:
    """The attention view with its first trace; a new payload as its value shows another one.

    What a visitor looks at is set with `show` and read with REPORT. Stepping and choosing happen in the browser
    and never ask the server; only where a trace is too large for one answer, `weights_of` gives those of a
    sentence and kind. `inside` names the tab that shows the arithmetic of a cell, where there is one.
    """

    def weights(request: list[str]) -> str:  # Gradio marks the functions it serves, which a method does not allow
        sentence, kind = request
        return weights_of(sentence, kind)

    return component(
        payload,
        html=(FOLDER / "explore/viewer.html").read_text(),
        css=(FOLDER / "explore/viewer.css").read_text(),
        script=(FOLDER / "explore/load.js").read_text().replace("VIEWER_URL", url(FOLDER / "explore/viewer.js")),
        server_functions=[weights],
        settings=json.dumps({**viewer_settings(), "inside": inside}),
        view=view.to_json(),
        elem_id="viewer",
    )
