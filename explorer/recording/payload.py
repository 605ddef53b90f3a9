"""What the browser draws, as one JSON string: a trace with every step, layer and head.

Weights travel as explorer/recording/digits.py says. Where they are too much for one answer, they are left out and the
browser asks for those of one kind at a time. Other tensors travel as 32-bit floats, in base64.
"""

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Shaped

from explorer.recording.digits import levels, packed, packed_one
from explorer.recording.digits import weights_of as from_levels
from explorer.recording.forward_pass import Pass
from explorer.recording.lengths import lengths, strongest_changed
from explorer.recording.rollout import rolled, weights_of
from explorer.recording.telling import telling_step
from explorer.recording.trace import AttentionMap, Piece, ShownCandidate, ShownStep, Trace
from explorer.recording.warnings import Warning
from model.probe import KINDS, Kind

# Characters that one answer carries: 6 x 8 heads at 128 pieces fit, 12 x 16 do not.
TOGETHER = 5_000_000


def trace_payload(trace: Trace, notes: list[str], together: int = TOGETHER, *, warnings: Sequence[Warning] = ()) -> str:
    """A trace with the step at which it is shown first."""
    sent = {**trace_json(trace, notes), "warnings": [warning.json() for warning in warnings]}
    if sum(len(sent["kinds"][kind]["weights"]) for kind in KINDS) > together:
        for kind in KINDS:
            sent["kinds"][kind]["weights"] = None
    return json.dumps({"telling": telling_step(trace), "vocabulary": trace.vocabulary, **sent})


def trace_json(trace: Trace, notes: list[str]) -> dict[str, Any]:
    """All of a trace, its weights packed."""
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "notes": notes,
        "source": [piece_json(piece) for piece in trace.source],
        "steps": [step_json(step) for step in trace.steps],
        "kinds": {
            kind: {
                **map_json(trace.map(kind)),
                "queries": [query.shown for query in trace.map(kind).queries],
                "keys": [piece.isolated.text for piece in trace.map(kind).keys],
                "weights": packed_weights(trace, kind),
                "rollout": rollout,
            }
            for kind, rollout in packed_rollouts(trace).items()
        },
    }


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
    attention = trace.map(kind)
    return packed(attention.weights, attention.special[1], causal=kind == "decoder")


def packed_rollouts(trace: Trace) -> dict[Kind, str]:
    """What the browser needs besides the weights to print a rollout rightly (explorer/recording/digits.py)."""
    exact = weights_of(trace)
    sent: dict[Kind, np.ndarray] = {kind: from_levels(levels(weights)) for kind, weights in exact.items()}
    return {kind: packed_one(rolled(exact, kind), rolled(sent, kind), trace.map(kind).special[1]) for kind in KINDS}


def lengths_payload(whole: Pass, kind: Kind) -> str:
    """The lengths of a kind for the one sentence of a pass, of causal ones the lower triangle alone.

    With them goes how often the strongest key is another one than by weight: with all keys and without special ones.
    """
    (trace,), found = whole.traces, lengths(whole, kind)
    causal = kind == "decoder"
    rows, keys = np.tril_indices(found.shape[-1]) if causal else np.indices(found.shape[2:]).reshape(2, -1)
    changed = strongest_changed(trace.map(kind), found, causal=causal)
    return json.dumps(
        {
            "lengths": tensor_json(found[:, :, rows, keys]),
            "changed": [{"rows": one.rows, "different": one.different.tolist()} for one in changed],
        }
    )


def tensor_json(tensor: Shaped[np.ndarray, "..."]) -> dict[str, Any]:
    """A shape, and all numbers in order as base64; True is 1."""
    data = base64.b64encode(tensor.astype("<f4").tobytes()).decode("ascii")
    return {"shape": list(tensor.shape), "data": data}
