"""What the frame of the tab asks of the server: an experiment's translation, or the reason why there is none."""

import json
from typing import Any

from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.recording.payload import encode_weights, trace_payload
from explorer.recording.sentence import notes
from explorer.recording.trace import Trace, parse_kind
from explorer.recording.warnings import warnings


def run_answer(laboratory: Laboratory, sentence: str, given: Any) -> str:
    """The changed trace, its pieces' partners in the unchanged one, and log-probabilities of both, step by step.

    `rescored` are those of the unchanged German under the experiment, null where the experiment only forces German.
    """
    experiment = experiment_of(given)
    original, changed = laboratory.recordings.trace(sentence), laboratory.trace(sentence, experiment)
    rescored = laboratory.rescored(sentence, experiment) if changes_the_model(experiment) else None
    return json.dumps(
        {
            "trace": json.loads(trace_payload(changed, notes(changed), warnings=warnings(changed))),
            "pairs": pair_pieces(original, changed)._asdict(),
            "original": scores(original),
            "changed": scores(changed),
            "rescored": rescored and scores(rescored),
        }
    )


def changes_the_model(experiment: Experiment) -> bool:
    """Whether the unchanged German may have another probability under the experiment."""
    return experiment.touches or experiment.source is not None or experiment.word_order is not None


def scores(trace: Trace) -> dict[str, list[float] | list[int]]:
    """Of every step: the log-probability of its piece (nats), and how many pieces were more probable."""
    return {
        "logs": [step.log_probability for step in trace.steps],
        "ranks": [step.rank for step in trace.steps],
    }


def weights_answer(laboratory: Laboratory, sentence: str, given: Any, kind: str) -> str:
    """The weights of one kind, for a trace too large to be sent at once."""
    return encode_weights(laboratory.trace(sentence, experiment_of(given)), parse_kind(kind))


def target_answer(laboratory: Laboratory, text: Any) -> str:
    """The ids of the pieces of a text in the target language, and that of the end."""
    return json.dumps({"ids": laboratory.target_ids(text), "end": laboratory.translator.tokenizer.eos_id})


ANSWERS = {"run": run_answer, "weights": weights_answer, "target": target_answer}
