"""What the browser draws, as one JSON string: a trace with every step, layer and head.

Weights travel as 12-bit integers, two in three bytes, in base64; of the decoder's own attention only the lower
triangle, since the rest is masked. Where even that is too much for one answer, the weights are left out and
the browser asks for those of one kind at a time. Other tensors travel as 32-bit floats, in base64.
"""

import base64
import json
from typing import Any

import numpy as np
from jaxtyping import Float, Integer, Shaped

from explorer.recording.trace import KINDS, AttentionMap, Kind, Piece, ShownCandidate, ShownStep, Trace

LEVELS = 4095
# Characters of base64 that one answer carries: 6 x 8 heads at 128 pieces fit, 12 x 16 do not.
TOGETHER = 5_000_000


def trace_payload(trace: Trace, notes: list[str], submission: int = 0, together: int = TOGETHER) -> str:
    """`submission` numbers the visitor's submissions, so that a late answer cannot replace a newer one."""
    sent = trace_json(trace, notes)
    if sum(len(sent["kinds"][kind]["weights"]) for kind in KINDS) > together:
        for kind in KINDS:
            sent["kinds"][kind]["weights"] = None
    return json.dumps({"submission": submission, **sent})


def trace_json(trace: Trace, notes: list[str]) -> dict[str, Any]:
    """All of a trace, its weights packed."""
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "notes": notes,
        "source": [piece_json(piece) for piece in trace.source],
        "steps": [step_json(step) for step in trace.steps],
        "kinds": {kind: {**map_json(trace.map(kind)), "weights": packed_weights(trace, kind)} for kind in KINDS},
    }


def refusal_payload(reason: str, submission: int = 0) -> str:
    """What is sent instead of a trace where the text cannot be translated."""
    return json.dumps({"submission": submission, "error": reason})


def piece_json(piece: Piece) -> dict[str, Any]:
    return piece._asdict()


def step_json(step: ShownStep) -> dict[str, Any]:
    return {
        "fed": piece_json(step.fed),
        "predicted": piece_json(step.predicted),
        "probability": step.probability,
        "entropy": step.entropy,
        "candidates": [candidate_json(candidate) for candidate in step.candidates],
    }


def candidate_json(candidate: ShownCandidate) -> dict[str, Any]:
    return {"text": candidate.piece.text, "id": candidate.piece.id, "probability": candidate.probability}


def map_json(attention: AttentionMap) -> dict[str, Any]:
    """Shape and labels of a map, for the browser to lay its weights out."""
    return {
        "shape": list(attention.weights.shape),
        "queries": [query.label for query in attention.queries],
        "keys": [piece.text for piece in attention.keys],
        "special": dict(zip(("queries", "keys"), attention.special, strict=True)),
    }


def packed_weights(trace: Trace, kind: Kind) -> str:
    """The weights of a kind as text: rows of all layers and heads in order, in the decoder up to its diagonal."""
    integers = levels(trace.map(kind).weights)
    if kind == "decoder":
        rows, keys = np.tril_indices(integers.shape[-1])
        integers = integers[:, :, rows, keys]
    return packed(integers.ravel())


def levels(weights: Float[np.ndarray, "... key"]) -> Integer[np.ndarray, "... key"]:
    """Weights to 0..4095, each less than one level off, so that a row keeps its sum and a zero stays zero.

    The running sum is rounded, not the single weight.
    """
    running = np.rint(np.cumsum(weights.astype(np.float64) * LEVELS, axis=-1))
    return np.diff(running, axis=-1, prepend=0).astype(np.uint16)


def packed(integers: Integer[np.ndarray, "n"]) -> str:
    """12-bit integers, low bits first, in base64."""
    first, second = np.append(integers, [0] * (len(integers) % 2)).astype(np.uint16).reshape(-1, 2).T
    low, middle, high = first & 0xFF, first >> 8 | (second & 0xF) << 4, second >> 4
    return base64.b64encode(np.stack((low, middle, high), axis=1).astype(np.uint8).tobytes()).decode("ascii")


def tensor_json(tensor: Shaped[np.ndarray, "..."]) -> dict[str, Any]:
    """A shape, and all numbers in order as base64; True is 1."""
    data = base64.b64encode(tensor.astype("<f4").tobytes()).decode("ascii")
    return {"shape": list(tensor.shape), "data": data}
