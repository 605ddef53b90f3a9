"""What can be saved of what is shown: a button of the dialog for each entry, in this order.

Adding one is a line here, its words (ENTRIES in words/), and in entries.js the function of the same name, which makes
the file. What that asks of the server is answered by `serve(opened)`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from explorer.handout.answer import report_answer, worksheet_answer
from explorer.page.save.numbers import csv_answer, json_answer, npz_answer
from explorer.recording.app_context import AppContext

Answer = Callable[..., str]  # of what the browser sends: JSON; ValueError refuses with a sentence for the visitor


class Entry(NamedTuple):
    """One way to take something along."""

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
