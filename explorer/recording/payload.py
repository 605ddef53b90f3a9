"""A trace with every step, layer and head as one JSON string for the browser.

Numbers are 32-bit little-endian floats in base64; HTTP compresses them. If the weights are too large for one response,
they are left out and the browser requests one kind at a time.
"""

import base64
from typing import Any

import numpy as np
from jaxtyping import Float, Shaped

from explorer.recording.trace import AttentionMap, Piece, ShownCandidate, ShownStep, Trace
from model.probe import KINDS, Kind

MAX_WEIGHTS_CHARACTERS = 5_000_000  # in one response: 6 x 8 heads fit up to 85 pieces


def trace_json(trace: Trace, max_characters: int = MAX_WEIGHTS_CHARACTERS) -> dict[str, Any]:
    """A trace as explorer/derived reads it; without weights if they have more than `max_characters`."""
    weights = {kind: encode_weights(trace, kind) for kind in KINDS}
    fits = sum(map(len, weights.values())) <= max_characters
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "vocabulary": trace.vocabulary,
        "stopped_at_limit": trace.stopped_at_limit,
        "source": [piece_json(piece) for piece in trace.source],
        "steps": [
            {**step_json(step), "log_probability": step.log_probability, "rank": step.rank} for step in trace.steps
        ],
        "kinds": {
            kind: {"shape": list(trace.map(kind).weights.shape), "weights": weights[kind] if fits else None}
            for kind in KINDS
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
        "excluded": step.excluded and candidate_json(step.excluded),
    }


def candidate_json(candidate: ShownCandidate) -> dict[str, Any]:
    return {"text": candidate.piece.text, "id": candidate.piece.id, "probability": candidate.probability}


def map_json(attention: AttentionMap) -> dict[str, Any]:
    """Shape and labels of a map."""
    return {
        "shape": list(attention.weights.shape),
        "queries": [query.label for query in attention.queries],
        "keys": [piece.text for piece in attention.keys],
        "special": dict(zip(("queries", "keys"), attention.special, strict=True)),
    }


def encode_weights(trace: Trace, kind: Kind) -> str:
    """All weights of a kind in base64: layer by layer, head by head, row by row."""
    return encode_floats(unmasked_cells(trace.map(kind).weights, kind))


def unmasked_cells(
    numbers: Float[np.ndarray, "layer head query key"], kind: Kind
) -> Float[np.ndarray, "layer head query_and_key"]:
    """The numbers of all cells that are not masked; in the decoder's self-attention, the lower triangle."""
    causal = kind == "decoder"
    rows, keys = np.tril_indices(numbers.shape[-1]) if causal else np.indices(numbers.shape[2:]).reshape(2, -1)
    return numbers[:, :, rows, keys]


def tensor_json(tensor: Shaped[np.ndarray, "..."]) -> dict[str, Any]:
    """The shape and all numbers in order; True is 1."""
    return {"shape": list(tensor.shape), "data": encode_floats(tensor)}


def encode_floats(numbers: Shaped[np.ndarray, "..."]) -> str:
    """Numbers in order as 32-bit little-endian floats in base64."""
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")
