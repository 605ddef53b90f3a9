"""The station Positions."""

from pathlib import Path

from explorer.rooms.lab.positions import words
from explorer.rooms.lab.station import Station

POSITIONS = Station(Path(__file__).parent, words)
