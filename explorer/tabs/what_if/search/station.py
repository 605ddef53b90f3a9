"""The station Beam and sampling."""

from pathlib import Path

from explorer.tabs.what_if.search import words
from explorer.tabs.what_if.search.answer import beam_answer, sample_answer
from explorer.tabs.what_if.station import Station

ANSWERS = {"beam": beam_answer, "sample": sample_answer}
SEARCH = Station(
    Path(__file__).parent, words, ANSWERS, lambda opened: {"target": opened.translator.languages.target.code}
)
