"""What the answers of What if in the browser take from Python: texts, limits, and the fields of an experiment."""

from dataclasses import asdict
from types import ModuleType
from typing import Any

from explorer.experiments import patching, running, searching
from explorer.experiments import words as experiments_words
from explorer.experiments.experiment import EXPERIMENT, Experiment
from explorer.recording.app_context import AppContext
from explorer.tabs.what_if.heads import panel as heads
from explorer.tabs.what_if.hide import panel as hide
from explorer.tabs.what_if.patch import panel as patch
from explorer.tabs.what_if.search import panel as search


def what_if_data(app: AppContext) -> dict[str, Any]:
    """The examples are the sentences over which the heads' means are taken."""
    return {
        "unchanged": asdict(Experiment()),
        "schema": EXPERIMENT.json_schema(),
        "refusals": {**experiments_words.REFUSALS, **experiments_words.PATCHING},
        "examples": [example["sentence"] for example in app.sentences][: running.MAX_EXAMPLES],
        "ranking": {"noPart": heads.words.NO_PART, **constants(heads, "MAX_HEADS_PER_PART")},
        "omission": {
            "refusals": hide.words.REFUSALS,
            **constants(hide, "ROWS_PER_PART", "MIN_PIECES_PER_PART"),
        },
        "patching": {
            "refusals": patch.words.REFUSALS,
            **constants(patch, "ROWS_PER_PART", "MIN_PLACES_PER_PART"),
            **constants(patching, "MIN_PREFERENCE_GAP", "MAX_BATCH_ROWS"),
        },
        "searching": {**constants(searching, "MAX_WIDTH"), **constants(search, "SAMPLES")},
    }


def constants(module: ModuleType, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}
