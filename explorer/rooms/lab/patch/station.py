"""The station Patch."""

from pathlib import Path

from explorer.rooms.lab.patch import words
from explorer.rooms.lab.patch.answer import patching_answer
from explorer.rooms.lab.station import Station

PATCH = Station(Path(__file__).parent, words, answers={"patching": patching_answer})
