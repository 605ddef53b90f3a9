"""The answers to the tab's requests: an experiment's translation, its weights, and the tokens of a text."""

import json
from typing import Any

from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.recording.payload import encode_weights, trace_payload
from explorer.recording.sentence import notes
from explorer.recording.trace import Trace, parse_kind
from explorer.recording.warnings import warnings


def run_answer(laboratory: Laboratory, sentence: str, experiment_json: Any) -> str:
    """The changed trace, the partners of its pieces in the unchanged one, and the log-probabilities of both per step.

    `rescored` are those of the unchanged German under the experiment; null if the experiment only forces German.
    """
    experiment = experiment_of(experiment_json)
    original, changed = laboratory.recordings.trace(sentence), laboratory.trace(sentence, experiment)
    rescored = laboratory.rescored(sentence, experiment) if has_model_changes(experiment) else None
    return json.dumps(
        {
            "trace": json.loads(trace_payload(changed, notes(changed), warnings=warnings(changed))),
            "pairs": pair_pieces(original, changed)._asdict(),
            "original": scores(original),
            "changed": scores(changed),
            "rescored": rescored and scores(rescored),
        }
    )


def has_model_changes(experiment: Experiment) -> bool:
    """Whether the experiment may change the probability of the unchanged German."""
    return experiment.touches or experiment.source is not None or experiment.word_order is not None


def scores(trace: Trace) -> dict[str, list[float] | list[int]]:
    """The log-probability (nats) and the rank of each step's piece; rank 0 is the most probable."""
    return {
        "logs": [step.log_probability for step in trace.steps],
        "ranks": [step.rank for step in trace.steps],
    }


def weights_answer(laboratory: Laboratory, sentence: str, experiment_json: Any, kind: str) -> str:
    """The weights of one kind, for a trace that is too large for one response."""
    return encode_weights(laboratory.trace(sentence, experiment_of(experiment_json)), parse_kind(kind))


def target_answer(laboratory: Laboratory, text: Any) -> str:
    """The ids of a text in the target language, and the end id."""
    return json.dumps({"ids": laboratory.target_ids(text), "end": laboratory.translator.tokenizer.eos_id})


ANSWERS = {"run": run_answer, "weights": weights_answer, "target": target_answer}
