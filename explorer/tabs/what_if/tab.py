"""The tab What if: runs an experiment and shows the changed translation beside the unchanged one."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLE as VIEWER_STYLE
from explorer.attention_view.component import viewer_html, viewer_settings
from explorer.attention_view.view import View
from explorer.experiments.laboratory import shared_laboratory
from explorer.recording.app_context import AppContext
from explorer.tabs.what_if import words
from explorer.tabs.what_if.answer import ANSWERS
from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.panels import PANELS
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.palette import MONOSPACE

FOLDER = Path(__file__).parent


def what_if_tab(app: AppContext) -> list[Component]:
    """The tab with its panels and an attention view; experiments run on request."""
    laboratory = shared_laboratory(app)
    answers = {**ANSWERS, **{name: answer for panel in PANELS for name, answer in panel.answers.items()}}
    for name, answer in answers.items():
        app.questions.add(f"lab.{name}", partial(answer, laboratory))
    settings = {
        **viewer_settings(),
        "view": asdict(View(level="heads", whole=True)),
        "lab": {"text": words.LAB, "panels": {panel.name: panel_settings(panel, app) for panel in PANELS}},
        "monospace": MONOSPACE,
    }
    css = read_css(VIEWER_STYLE, FOLDER / "lab.css") + "".join(panel.css for panel in PANELS)
    return [Component("lab", html=lab_html(), css=css, module=FOLDER / "lab.js", settings=settings)]


def panel_settings(panel: Panel, app: AppContext) -> dict[str, Any]:
    words = panel.words
    return {"label": words.LABEL, "hint": words.HINT, "text": dict(words.TEXT), **panel.settings(app)}


def lab_html() -> str:
    """The HTML of the tab with its panels and the attention view."""
    panels = "".join(
        f'<div class="panel {panel.name}" data-panel="{panel.name}" hidden>{panel.html}</div>' for panel in PANELS
    )
    parts = {"panels": panels, "viewer": viewer_html()}
    return fill_template(FOLDER / "lab.html", {**words.HTML, **parts})
