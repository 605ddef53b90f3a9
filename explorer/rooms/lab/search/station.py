"""The station Beam and sampling."""

from pathlib import Path

from explorer.rooms.lab.search import words
from explorer.rooms.lab.search.answer import beam_answer, sample_answer
from explorer.rooms.lab.station import Station

ANSWERS = {"beam": beam_answer, "sample": sample_answer}
SEARCH = Station(
    Path(__file__).parent, words, ANSWERS, lambda opened: {"target": opened.translator.languages.target.code}
)
