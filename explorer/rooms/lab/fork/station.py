"""The station Another piece."""

from pathlib import Path

from explorer.rooms.lab.fork import words
from explorer.rooms.lab.station import Station

FORK = Station(Path(__file__).parent, words)
