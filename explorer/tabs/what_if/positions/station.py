"""The station Positions."""

from pathlib import Path
from typing import Any

from explorer.recording.opened import Opened
from explorer.tabs.what_if.positions import words
from explorer.tabs.what_if.station import Station


def settings(opened: Opened) -> dict[str, Any]:
    """What must be known of this model's positions: most are computed, and need no word."""
    return {"own": words.OWN.get(opened.translator.model.config.positions, "")}


POSITIONS = Station(Path(__file__).parent, words, settings=settings)
