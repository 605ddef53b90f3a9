"""What the browser draws, as one JSON string: a trace with every step, layer and head; a head's tensors; masks.

Weights travel as explorer/digits.py says. Where they are too much for one answer, they are left out and the browser
asks for those of one kind at a time. The tensors of a head travel as 32-bit floats, in base64.
"""

import base64
import json
from dataclasses import fields
from typing import Any

import numpy as np
from jaxtyping import Shaped

from explorer.digits import packed
from explorer.head import Head, Linear
from explorer.masks import Masks
from explorer.trace import AttentionMap, Kind, Piece, ShownCandidate, ShownStep, Trace

# Characters that one answer carries: 6 x 8 heads at 128 pieces fit, 12 x 16 do not.
TOGETHER = 5_000_000
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")


def trace_payload(trace: Trace, notes: list[str], request: int = 0, together: int = TOGETHER) -> str:
    """`request` numbers the visitor's submissions, so that a late answer cannot replace a newer one."""
    sent = trace_json(trace, notes)
    if sum(len(sent["kinds"][kind]["weights"]) for kind in KINDS) > together:
        for kind in KINDS:
            sent["kinds"][kind]["weights"] = None
    return json.dumps({"request": request, **sent})


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


def refusal_payload(reason: str, request: int = 0) -> str:
    """What is sent instead of a trace where the text cannot be translated."""
    return json.dumps({"request": request, "error": reason})


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


HEAD = ("queries_from", "keys_from", "q", "k", "v", "mask", "scores", "weights", "heads", "output")


def head_payload(head: Head) -> str:
    """One head of a pass with its projections to queries, keys and values; what mixes the heads is left out."""
    tensors = {name: getattr(head, name) for name in HEAD}
    for name in ("w_q", "w_k", "w_v"):
        linear: Linear = getattr(head, name)
        tensors |= {name: linear.weight, f"{name}_bias": linear.bias}
    return json.dumps({"index": head.index, **{name: tensor_json(tensor) for name, tensor in tensors.items()}})


def masks_payload(batch: list[tuple[Trace, Masks]], kind: Kind, padding: str) -> str:
    """The masks of a batch, sentence by sentence; `padding` is the piece that fills the labels up."""
    return json.dumps([masks_json(trace, found, kind, padding) for trace, found in batch])


def masks_json(trace: Trace, found: Masks, kind: Kind, padding: str) -> dict[str, Any]:
    labels = map_json(trace.map(kind))
    n_queries, n_keys = found.combined.shape
    asking = trace.source if kind == "encoder" else trace.target

    def filled(texts: list[str], count: int) -> list[str]:
        return [*texts, *[padding] * (count - len(texts))]

    ids = ("ids", "query_ids")
    return {
        "sentence": trace.sentence,
        "queries": filled(labels["queries"], n_queries),
        "keys": filled(labels["keys"], n_keys),
        "asking": filled([piece.text for piece in asking], n_queries),  # the pieces of the queries, one by one
        **{name: getattr(found, name).tolist() for name in ids},
        **{field.name: tensor_json(getattr(found, field.name)) for field in fields(Masks) if field.name not in ids},
    }


def tensor_json(tensor: Shaped[np.ndarray, "..."]) -> dict[str, Any]:
    """A shape, and all numbers in order as base64; True is 1."""
    data = base64.b64encode(tensor.astype("<f4").tobytes()).decode("ascii")
    return {"shape": list(tensor.shape), "data": data}
