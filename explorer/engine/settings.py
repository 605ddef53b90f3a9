"""What the calls in the browser take from Python: refusals and limits, whose names a search finds on both sides."""

from dataclasses import asdict
from types import ModuleType
from typing import Any

from explorer import recording
from explorer.engine import calls
from explorer.experiments import patching, running, searching
from explorer.experiments import words as experiments_words
from explorer.experiments.experiment import Experiment
from explorer.recording.app_context import AppContext
from explorer.ui import questions
from explorer.ui import words as shared_words
from explorer.ui.language import LANGUAGE_CONTEXT


def engine_settings(app: AppContext) -> dict[str, Any]:
    """Everything that the answers need of a page, in the language in use, after its tabs have added their questions."""
    return {
        "language": LANGUAGE_CONTEXT.get().language,
        "limits": constants(recording, "MAX_CHARACTERS", "MAX_PIECES"),
        "questions": {
            "refusals": shared_words.REFUSALS,
            "maxErrorCharacters": questions.MAX_ERROR_CHARACTERS,
        },
        "sentence": {
            "refusals": recording.words.REFUSALS,
            "tags": app.translator.tokenizer.tags,
        },
        "whatIf": what_if_data(app),
    }


def constants(module: ModuleType, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def what_if_data(app: AppContext) -> dict[str, Any]:
    """The examples are the sentences over which the heads' means are taken."""
    return {
        "unchanged": asdict(Experiment()),
        "refusals": {**experiments_words.REFUSALS, **experiments_words.PATCHING},
        "examples": [example["sentence"] for example in app.sentences][: running.MAX_EXAMPLES],
        "patching": {
            **constants(calls, "ROWS_PER_PART", "MIN_SITES_PER_PART"),
            **constants(patching, "MAX_BATCH_ROWS"),
        },
        "searching": {**constants(searching, "MAX_WIDTH"), **constants(calls, "SAMPLES")},
    }
