"""The station Another sentence."""

from pathlib import Path

from explorer.rooms.lab.compare import words
from explorer.rooms.lab.station import Station

COMPARE = Station(Path(__file__).parent, words)
