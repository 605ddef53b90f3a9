"""The station Your German."""

from pathlib import Path

from explorer.tabs.what_if.score import words
from explorer.tabs.what_if.station import Station

SCORE = Station(Path(__file__).parent, words)
