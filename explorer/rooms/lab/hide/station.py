"""The station Hide a piece."""

from pathlib import Path

from explorer.rooms.lab.hide import words
from explorer.rooms.lab.hide.answer import agreement_answer, omission_answer
from explorer.rooms.lab.station import Station

HIDE = Station(
    Path(__file__).parent,
    words,
    answers={"omission": omission_answer, "agreement": agreement_answer},
)
