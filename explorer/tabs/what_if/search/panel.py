"""The panel Beam and sampling."""

from pathlib import Path

from explorer.tabs.what_if.panel import Panel
from explorer.tabs.what_if.search import words
from explorer.tabs.what_if.search.answer import beam_answer, sample_answer

ANSWERS = {"beam": beam_answer, "sample": sample_answer}
SEARCH = Panel(
    Path(__file__).parent, words, ANSWERS, lambda opened: {"target": opened.translator.languages.target.code}
)
