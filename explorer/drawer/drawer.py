"""The component of the drawer."""

from pathlib import Path
from typing import Any

from explorer.atlas.page_files import atlas_settings
from explorer.attention_view.component import words as view_words
from explorer.changes import words as change_words
from explorer.drawer import Panel, words
from explorer.drawer.measured_heads.table import measured_heads_components
from explorer.drawer.patch.panel import PATCH
from explorer.drawer.ranking.panel import RANKING, head_settings
from explorer.experiments.neuron_ranking import STACKS
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import PALETTES
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent


def positions_settings(app: AppContext) -> dict[str, Any]:
    """A note on this model's positions; empty for the usual sinusoids."""
    return {"own": POSITIONS.words.OWN.get(app.translator.model.config.positions, "")}


def neuron_settings(app: AppContext) -> dict[str, Any]:
    """The names of the stacks, and the atlas with the names of neurons."""
    stacks = {stack: shared_words.KIND_NAMES[stack] for stack in STACKS}
    return {"stacks": stacks, "atlas": atlas_settings(app), "codes": LANGUAGE_CONTEXT.get().codes()}


def search_settings(app: AppContext) -> dict[str, Any]:
    """The language of the translations."""
    return {"target": app.translator.languages.target.code}


POSITIONS = Panel(FOLDER / "positions", settings=positions_settings)
# Both lists in the order of their buttons. A new panel needs a folder, a line here, one in
# drawer.js, and its name in explorer/lessons/running.py.
CHANGES = (
    Panel(FOLDER / "heads", settings=head_settings),
    Panel(FOLDER / "hide"),
    Panel(FOLDER / "fork"),
    POSITIONS,
    Panel(FOLDER / "order"),
    PATCH,
)
MEASURES = (
    RANKING,
    Panel(FOLDER / "neurons", settings=neuron_settings, is_wide=True),
    Panel(FOLDER / "leave", is_wide=True),
    Panel(FOLDER / "score", is_wide=True),
    Panel(FOLDER / "search", settings=search_settings, is_wide=True),
    Panel(FOLDER / "compare", is_wide=True),
    Panel(FOLDER / "branches", is_wide=True),
)
PANELS = (*CHANGES, *MEASURES)
STYLES = ("drawer.css", "panels.css", "heads/heads.css", "neurons/neurons.css", "search/search.css")


def drawer(app: AppContext) -> list[Component]:
    """The drawer with its panels; below it the heads as they were measured on many sentences."""
    settings = {
        "text": words.DRAWER,
        "told": {"text": change_words.CHANGES["told"]},
        "named": {"text": {name: view_words.TEXT[name] for name in ("named", "averaged", "here", "looks")}},
        "colours": PALETTES,
        "panels": {panel.name: panel_settings(panel, app) for panel in PANELS},
    }
    css = read_css(*(FOLDER / name for name in STYLES))
    part = Component("drawer", html=drawer_html(), css=css, module=FOLDER / "drawer.js", settings=settings)
    return [
        part,
        *(measured_heads_components(app) if app.about is None else []),
    ]  # the heads of a toy were not measured


def panel_settings(panel: Panel, app: AppContext) -> dict[str, Any]:
    panel_words: Translations = panel.words
    return {
        "label": panel_words.LABEL,
        "hint": panel_words.HINT,
        "text": dict(panel_words.TEXT),
        "isChange": panel in CHANGES,
        "isWide": panel.is_wide,
        **panel.settings(app),
    }


def drawer_html() -> str:
    """The HTML of the drawer with its panels."""
    html = {
        is_wide: "".join(
            f'<div class="panel {panel.name}" data-panel="{panel.name}" hidden>{panel.html}</div>'
            for panel in PANELS
            if panel.is_wide is is_wide
        )
        for is_wide in (False, True)
    }
    return fill_template(FOLDER / "drawer.html", {**words.HTML, "narrow": html[False], "wide": html[True]})
