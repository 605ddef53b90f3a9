"""The entries of the dialog Save, each a button, in this order.

A new entry needs a line here, its words (ENTRIES), and a function of the same name in entries.js, which creates the
file. `serve(app)` returns the function that answers its question to the server.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from explorer.handout.answer import report_answer, worksheet_answer
from explorer.page.save.numbers import csv_answer, json_answer, npz_answer
from explorer.recording.app_context import AppContext

Answer = Callable[..., str]  # takes the browser's arguments; returns JSON, or raises ValueError to refuse


class Entry(NamedTuple):
    """One way to save the current view."""

    name: str  # in words/ and in entries.js
    group: Literal["picture", "numbers", "handout"]
    serve: Callable[[AppContext], Answer] | None = None


ENTRIES: tuple[Entry, ...] = (
    Entry("svg", "picture"),
    Entry("png", "picture"),
    Entry("csv", "numbers", csv_answer),
    Entry("csv_unchanged", "numbers", csv_answer),
    Entry("json", "numbers", json_answer),
    Entry("npz", "numbers", npz_answer),
    Entry("report", "handout", report_answer),
    Entry("worksheet", "handout", worksheet_answer),
    Entry("print", "handout", worksheet_answer),
)
