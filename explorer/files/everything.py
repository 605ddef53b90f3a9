"""Everything of a translation in one file, JSON or NPZ: names and shapes are explained in the file itself.

With an experiment, the changed translation stands beside the unchanged one.
"""

import io
import json
from typing import Any

import numpy as np
from jaxtyping import Float

from explorer.experiments.experiment import Experiment
from explorer.files import words
from explorer.recording.payload import map_json, piece_json, step_json
from explorer.recording.trace import Piece, Trace
from model.probe import KINDS


def json_of(
    trace: Trace,
    changed: Trace | None = None,
    experiment: Experiment | None = None,
    model: dict[str, Any] | None = None,
) -> str:
    """All of a trace as JSON; `model` says which model it is of (explorer/files/described.py).

    `changed` is the trace that an experiment gave, which is named then.
    """
    content: dict[str, Any] = {"readme": words.JSON, "model": model, "trace": trace_json(trace)}
    if changed:
        content |= {"experiment": experiment.json() if experiment else None, "changed": trace_json(changed)}
    return json.dumps(content, ensure_ascii=False)


def trace_json(trace: Trace) -> dict[str, Any]:
    attention = {
        kind: {**map_json(trace.map(kind)), "weights": shortest(trace.map(kind).weights).tolist()} for kind in KINDS
    }
    for of_kind in attention.values():
        del of_kind["special"]  # the pieces say it
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "log_probability": trace.log_probability,
        "stopped_at_limit": trace.stopped_at_limit,
        "vocabulary": trace.vocabulary,
        "source": [piece_json(piece) for piece in trace.source],
        "target": [piece_json(piece) for piece in trace.target],
        "steps": [
            {**step_json(step), "log_probability": step.log_probability, "rank": step.rank} for step in trace.steps
        ],
        "attention": attention,
    }


def shortest(weights: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """The 64-bit numbers that JSON writes with the fewest digits that tell the 32-bit ones apart: half the file."""
    return weights.astype(np.float32).astype(str).astype(np.float64)


def npz_of(
    trace: Trace,
    changed: Trace | None = None,
    experiment: Experiment | None = None,
    model: dict[str, Any] | None = None,
) -> bytes:
    """All of a trace as arrays for `numpy.load`, which needs no pickle; those of the `changed` one have that prefix."""
    arrays: dict[str, Any] = {"readme": np.array(words.NPZ), "model": np.array(json.dumps(model)), **arrays_of(trace)}
    if changed:
        arrays["experiment"] = np.array(json.dumps(experiment.json() if experiment else None))
        arrays |= {f"changed_{name}": array for name, array in arrays_of(changed).items()}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def arrays_of(trace: Trace) -> dict[str, np.ndarray]:
    steps, found = trace.steps, [step.candidates for step in trace.steps]
    predicted = [step.predicted for step in steps]
    return {
        "sentence": np.array(trace.sentence),
        "translation": np.array(trace.translation),
        **{kind: trace.map(kind).weights for kind in KINDS},
        **pieces_of("source", trace.source),
        **pieces_of("fed", trace.target),
        **pieces_of("predicted", predicted),
        "probability": np.array([step.probability for step in steps]),
        "log_probability": np.array([step.log_probability for step in steps]),
        "entropy": np.array([step.entropy for step in steps]),
        "rank": np.array([step.rank for step in steps]),
        "candidate_text": np.array([[one.piece.text for one in all_] for all_ in found]),
        "candidate_id": np.array([[one.piece.id for one in all_] for all_ in found]),
        "candidate_probability": np.array([[one.probability for one in all_] for all_ in found]),
        "stopped_at_limit": np.array(trace.stopped_at_limit),
        "vocabulary": np.array(trace.vocabulary),
    }


def pieces_of(name: str, pieces: list[Piece] | tuple[Piece, ...]) -> dict[str, np.ndarray]:
    """Text, id and marks of pieces."""
    marks = ("unknown", "special", "starts_word")
    return {
        f"{name}_text": np.array([piece.text for piece in pieces]),
        f"{name}_id": np.array([piece.id for piece in pieces]),
        **{f"{name}_{mark}": np.array([getattr(piece, mark) for piece in pieces]) for mark in marks},
    }
