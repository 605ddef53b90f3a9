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
    """What the calls need besides the checkpoint, in the language in use: EngineSettings of explorer/ui/types.d.ts."""
    return {
        "language": LANGUAGE_CONTEXT.get().language,
        "refusals": {
            **shared_words.REFUSALS,
            **recording.words.REFUSALS,
            **experiments_words.REFUSALS,
            **experiments_words.PATCHING,
        },
        "limits": {
            **constants(recording, "MAX_CHARACTERS", "MAX_PIECES"),
            **constants(questions, "MAX_ERROR_CHARACTERS"),
            **constants(calls, "ROWS_PER_PART", "MIN_SITES_PER_PART", "SAMPLES"),
            **constants(patching, "MAX_BATCH_ROWS"),
            **constants(running, "MAX_NEURONS", "MAX_NEURON_VALUE"),
            **constants(searching, "MAX_WIDTH"),
        },
        "tags": app.translator.tokenizer.tags,
        "unchanged": asdict(Experiment()),
        "examples": [example["sentence"] for example in app.sentences][: running.MAX_EXAMPLES],
    }


def constants(module: ModuleType, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}
