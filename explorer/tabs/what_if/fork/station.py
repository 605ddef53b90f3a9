"""The station Another piece."""

from pathlib import Path

from explorer.tabs.what_if.fork import words
from explorer.tabs.what_if.station import Station

FORK = Station(Path(__file__).parent, words)
