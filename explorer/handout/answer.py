"""What the page asks of the server for handing something out: a report or a worksheet of what is shown."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from explorer.attention_view.view import View
from explorer.experiments.experiment import experiment_of
from explorer.experiments.laboratory import shared_laboratory
from explorer.handout import words
from explorer.handout.report import report_of, worksheet_page
from explorer.recording.app_context import AppContext

VIEW = TypeAdapter(View)
LONGEST = 20_000  # characters of notes, some pages


def report_answer(app: AppContext) -> Callable[..., str]:
    """Of a sentence, an experiment's fields or null, notes, and the view in which the report opens.

    Raises ValueError where one of them is refused.
    """
    laboratory = shared_laboratory(app)

    def answer(sentence: str, changes: Any, notes: Any, view: Any) -> str:
        if not isinstance(notes, str) or len(notes) > LONGEST:
            raise ValueError(words.NOTES.format(limit=LONGEST))
        experiment = experiment_of(changes) if changes else None
        return json.dumps({"text": report_of(laboratory, sentence, experiment, notes, view_of(view))})

    return answer


def view_of(given: Any) -> View:
    """Raises ValueError where what the browser sends is no view."""
    try:
        known = {name: value for name, value in given.items() if name in asdict(View())}
        return VIEW.validate_python({**known, "level": "heads"})
    except (ValidationError, AttributeError) as error:
        raise ValueError(words.NO_VIEW) from error


def worksheet_answer(app: AppContext) -> Callable[..., str]:
    """Of a sentence. Raises ValueError where it has more words than a side has room for."""
    recordings = app.recordings

    def answer(sentence: str) -> str:
        return json.dumps({"text": worksheet_page(recordings.trace(sentence))})

    return answer
