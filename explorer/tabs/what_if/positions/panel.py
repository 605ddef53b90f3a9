"""Positions: switched off, shuffled or shifted, in the encoder, the decoder or both."""

from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations

words = Translations(__file__)


def settings(app: AppContext) -> dict[str, Any]:
    """A note on this model's positions; empty for the usual sinusoids."""
    return {"own": words.OWN.get(app.translator.model.config.positions, "")}


POSITIONS = Panel(Path(__file__).parent, settings=settings, is_advanced=True)
