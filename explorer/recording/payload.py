"""A trace with every step, layer and head as one JSON string for the browser.

Numbers are 32-bit little-endian floats in base64; HTTP compresses them. If the weights are too large for one response,
they are left out and the browser requests one kind at a time.
"""

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Shaped

from explorer.recording.default_step import default_step
from explorer.recording.forward_pass import Pass
from explorer.recording.lengths import lengths, strongest_key_changes
from explorer.recording.likelihood import likelihood
from explorer.recording.trace import AttentionMap, Piece, ShownCandidate, ShownStep, Trace
from explorer.recording.warnings import TranslationWarning
from model.probe import KINDS, Kind

MAX_WEIGHTS_CHARACTERS = 5_000_000  # in one response: 6 x 8 heads fit up to 85 pieces


def trace_payload(
    trace: Trace,
    notes: list[str],
    max_characters: int = MAX_WEIGHTS_CHARACTERS,
    *,
    warnings: Sequence[TranslationWarning] = (),
    subject: str = "",
    text: str | None = None,
) -> str:
    """A trace and its default step, at the word `subject`; without weights if they have more than `max_characters`.

    `text` is what the visitor typed, which is named where another form of it was read.
    """
    likely = likelihood(trace)
    payload = {
        **shown_trace_json(trace, notes),
        "warnings": [warning.json() for warning in warnings],
        "likelihood": likely and likely.json(),
        "typed": None if text == trace.sentence else text,
    }
    if sum(len(payload["kinds"][kind]["weights"]) for kind in KINDS) > max_characters:
        for kind in KINDS:
            payload["kinds"][kind]["weights"] = None
    return json.dumps({"defaultStep": default_step(trace, subject), "vocabulary": trace.vocabulary, **payload})


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


def shown_trace_json(trace: Trace, notes: list[str]) -> dict[str, Any]:
    """A whole trace."""
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
                "weights": encode_weights(trace, kind),
            }
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


def lengths_payload(whole: Pass, kind: Kind) -> str:
    """The lengths of a kind for the one sentence of a pass, without masked cells, and the strongest-key changes."""
    (trace,), all_lengths = whole.traces, lengths(whole, kind)
    changes = strongest_key_changes(trace.map(kind), all_lengths, causal=kind == "decoder")
    return json.dumps(
        {
            "lengths": tensor_json(unmasked_cells(all_lengths, kind)),
            "changed": [{"rows": one.rows, "different": one.different.tolist()} for one in changes],
        }
    )


def tensor_json(tensor: Shaped[np.ndarray, "..."]) -> dict[str, Any]:
    """The shape and all numbers in order; True is 1."""
    return {"shape": list(tensor.shape), "data": encode_floats(tensor)}


def encode_floats(numbers: Shaped[np.ndarray, "..."]) -> str:
    """Numbers in order as 32-bit little-endian floats in base64."""
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")
