"""The tab What if: runs an experiment and shows the changed translation beside the unchanged one."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLES as VIEWER_STYLES
from explorer.attention_view.component import View, viewer_html, viewer_settings
from explorer.recording.app_context import AppContext
from explorer.tabs.what_if import Panel, words
from explorer.tabs.what_if.heads.panel import HEADS
from explorer.tabs.what_if.measured_heads.tab import measured_heads_components
from explorer.tabs.what_if.patch.panel import PATCH
from explorer.ui.component import Component, fill_template, read_css

FOLDER = Path(__file__).parent


def positions_settings(app: AppContext) -> dict[str, Any]:
    """A note on this model's positions; empty for the usual sinusoids."""
    return {"own": POSITIONS.words.OWN.get(app.translator.model.config.positions, "")}


def search_settings(app: AppContext) -> dict[str, Any]:
    """The language of the translations."""
    return {"target": app.translator.languages.target.code}


POSITIONS = Panel(FOLDER / "positions", settings=positions_settings, is_advanced=True)
SEARCH = Panel(FOLDER / "search", settings=search_settings, is_advanced=True)
# In the order of their buttons. A new panel needs a folder, a line here, and one in what_if.js.
PANELS = (
    *(Panel(FOLDER / name) for name in ("fork", "score", "compare")),
    HEADS,
    Panel(FOLDER / "hide"),
    POSITIONS,
    PATCH,
    SEARCH,
)
OWN_STYLES = ("what_if.css", "panels.css", "heads/heads.css", "search/search.css")
STYLES = (*VIEWER_STYLES, *(FOLDER / name for name in OWN_STYLES))


def what_if_tab(app: AppContext) -> list[Component]:
    """The tab with its panels and an attention view; experiments run on request."""
    settings = {
        **viewer_settings(),
        "view": asdict(View(level="heads", whole=True)),
        "lab": {"text": words.LAB, "panels": {panel.name: panel_settings(panel, app) for panel in PANELS}},
    }
    lab = Component("lab", html=lab_html(), css=read_css(*STYLES), module=FOLDER / "what_if.js", settings=settings)
    return [lab, *(measured_heads_components(app) if app.about is None else [])]  # the heads of a toy were not measured


def panel_settings(panel: Panel, app: AppContext) -> dict[str, Any]:
    words = panel.words
    return {
        "label": words.LABEL,
        "hint": words.HINT,
        "text": dict(words.TEXT),
        "advanced": panel.is_advanced,
        **panel.settings(app),
    }


def lab_html() -> str:
    """The HTML of the tab with its panels and the attention view."""
    panels = "".join(
        f'<div class="panel {panel.name}" data-panel="{panel.name}" hidden>{panel.html}</div>' for panel in PANELS
    )
    parts = {"panels": panels, "viewer": viewer_html()}
    return fill_template(FOLDER / "what_if.html", {**words.HTML, **parts})
