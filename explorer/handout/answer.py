"""Answers to the page's requests for a report or a worksheet."""

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

VIEW_ADAPTER = TypeAdapter(View)
MAX_NOTES_CHARACTERS = 20_000  # a few pages


def report_answer(app: AppContext) -> Callable[..., str]:
    """Returns a function from a sentence, an experiment's fields or null, notes, and a view to the report as JSON.

    That function raises ValueError if one of them is invalid.
    """
    laboratory = shared_laboratory(app)

    def answer(sentence: str, changes: Any, notes: Any, view: Any) -> str:
        if not isinstance(notes, str) or len(notes) > MAX_NOTES_CHARACTERS:
            raise ValueError(words.NOTES.format(limit=MAX_NOTES_CHARACTERS))
        experiment = experiment_of(changes) if changes else None
        return json.dumps({"text": report_of(laboratory, sentence, experiment, notes, parse_view(view))})

    return answer


def parse_view(value: Any) -> View:
    """The view that the browser sent. Raises ValueError if it is not one."""
    try:
        fields = {name: field for name, field in value.items() if name in asdict(View())}
        return VIEW_ADAPTER.validate_python({**fields, "level": "heads"})
    except (ValidationError, AttributeError) as error:
        raise ValueError(words.NO_VIEW) from error


def worksheet_answer(app: AppContext) -> Callable[..., str]:
    """Returns a function from a sentence to a worksheet as JSON, which raises ValueError if it is too long."""
    recordings = app.recordings

    def answer(sentence: str) -> str:
        return json.dumps({"text": worksheet_page(recordings.trace(sentence))})

    return answer
