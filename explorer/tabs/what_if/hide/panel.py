"""The panel Hide a piece."""

from pathlib import Path

from explorer.tabs.what_if.hide import words
from explorer.tabs.what_if.hide.answer import agreement_answer, omission_answer
from explorer.tabs.what_if.panel import Panel

HIDE = Panel(
    Path(__file__).parent,
    words,
    answers={"omission": omission_answer, "agreement": agreement_answer},
)
