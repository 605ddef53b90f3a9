"""A trace as one JSON string for the browser, which draws every step, layer and head from it alone.

Weights travel as 16-bit integers, 65535 for 1, in base64: exact to 0.00001 and four times smaller than text.
"""

import base64
import json
from typing import Any

import numpy as np

from explorer.trace import AttentionMap, Piece, ShownStep, Trace

FULL = 65535


def trace_payload(trace: Trace, notes: list[str], request: int = 0) -> str:
    """`request` numbers the visitor's submissions, so that a late answer cannot replace a newer one."""
    return json.dumps(
        {
            "request": request,
            "sentence": trace.sentence,
            "translation": trace.translation,
            "notes": notes,
            "source": [piece_json(piece) for piece in trace.source],
            "steps": [step_json(step) for step in trace.steps],
            "kinds": {kind: map_json(trace.map(kind)) for kind in ("encoder", "decoder", "cross")},
        }
    )


def refusal_payload(reason: str, request: int = 0) -> str:
    """What is sent instead of a trace where the text cannot be translated."""
    return json.dumps({"request": request, "error": reason})


def piece_json(piece: Piece) -> dict[str, Any]:
    return {"text": piece.text, "id": piece.id, "unknown": piece.unknown}


def step_json(step: ShownStep) -> dict[str, Any]:
    return {
        "fed": piece_json(step.fed),
        "predicted": piece_json(step.predicted),
        "probability": step.probability,
        "entropy": step.entropy,
        "candidates": [{**piece_json(c.piece), "probability": c.probability} for c in step.candidates],
    }


def map_json(attention: AttentionMap) -> dict[str, Any]:
    weights = np.rint(attention.weights * FULL).astype("<u2")
    return {
        "shape": list(weights.shape),
        "weights": base64.b64encode(weights.tobytes()).decode("ascii"),
        "queries": [query.label for query in attention.queries],
        "keys": [piece.text for piece in attention.keys],
    }
