"""The answer to Inside's question: all numbers of one head."""

import json
from dataclasses import replace

from explorer.recording.head import Head, Linear, head_of
from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from model.probe import Kind

TENSORS = ("queries_from", "keys_from", "q", "k", "v", "mask", "scores", "weights", "heads", "output")


def head_payload(head: Head) -> str:
    """One head of a pass with its projections to queries, keys and values, without the output projection."""
    tensors = {name: getattr(head, name) for name in TENSORS}
    for name in ("w_q", "w_k", "w_v"):
        linear: Linear = getattr(head, name)
        tensors |= {name: linear.weight, f"{name}_bias": linear.bias}
    return json.dumps({"index": head.index, **{name: tensor_json(tensor) for name, tensor in tensors.items()}})


def head_answer(recordings: Recordings, sentence: str, kind: Kind, layer: int, head: int) -> str:
    """The numbers of a head as JSON. Raises ValueError if there is no such head."""
    found = head_of(recordings.forward_pass(sentence), kind, layer, head)
    # Uses the weights of the decoding steps, as Explore does: those of the pass differ in the last bits, which can
    # change a rounded digit.
    return head_payload(replace(found, weights=recordings.trace(sentence).map(kind).weights[layer, head]))
