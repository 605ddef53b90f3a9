"""The station Hide a piece."""

from pathlib import Path

from explorer.tabs.what_if.hide import words
from explorer.tabs.what_if.hide.answer import agreement_answer, omission_answer
from explorer.tabs.what_if.station import Station

HIDE = Station(
    Path(__file__).parent,
    words,
    answers={"omission": omission_answer, "agreement": agreement_answer},
)
