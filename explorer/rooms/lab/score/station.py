"""The station Your German."""

from pathlib import Path

from explorer.rooms.lab.score import words
from explorer.rooms.lab.station import Station

SCORE = Station(Path(__file__).parent, words)
