"""The panels of the tab, in the order of their buttons. A new panel needs a folder, a line here, and one in lab.js."""

from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.tabs.what_if.heads.panel import HEADS
from explorer.tabs.what_if.hide.panel import HIDE
from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.patch.panel import PATCH
from explorer.tabs.what_if.search.panel import SEARCH

FOLDER = Path(__file__).parent


def positions_settings(app: AppContext) -> dict[str, Any]:
    """A note on this model's positions; empty for the usual sinusoids."""
    return {"own": POSITIONS.words.OWN.get(app.translator.model.config.positions, "")}


POSITIONS = Panel(FOLDER / "positions", settings=positions_settings, is_advanced=True)
PANELS = (
    *(Panel(FOLDER / name) for name in ("fork", "score", "compare")),
    HEADS,
    HIDE,
    POSITIONS,
    PATCH,
    SEARCH,
)
