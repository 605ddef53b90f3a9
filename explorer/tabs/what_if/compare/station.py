"""The station Another sentence."""

from pathlib import Path

from explorer.tabs.what_if.compare import words
from explorer.tabs.what_if.station import Station

COMPARE = Station(Path(__file__).parent, words)
