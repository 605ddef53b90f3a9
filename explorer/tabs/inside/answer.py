"""What Inside asks of the server: every number of one head."""

import json
from dataclasses import replace

from explorer.recording.head import Head, Linear, head_of
from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from model.probe import Kind

TENSORS = ("queries_from", "keys_from", "q", "k", "v", "mask", "scores", "weights", "heads", "output")


def head_payload(head: Head) -> str:
    """One head of a pass with its projections to queries, keys and values; what mixes the heads is left out."""
    tensors = {name: getattr(head, name) for name in TENSORS}
    for name in ("w_q", "w_k", "w_v"):
        linear: Linear = getattr(head, name)
        tensors |= {name: linear.weight, f"{name}_bias": linear.bias}
    return json.dumps({"index": head.index, **{name: tensor_json(tensor) for name, tensor in tensors.items()}})


def head_answer(recordings: Recordings, sentence: str, kind: Kind, layer: int, head: int) -> str:
    """Raises ValueError where there is no such head."""
    found = head_of(recordings.forward_pass(sentence), kind, layer, head)
    # Those of the steps, which Explore shows: equal to those of the pass but for their last bits, which can decide how
    # a digit is rounded.
    return head_payload(replace(found, weights=recordings.trace(sentence).map(kind).weights[layer, head]))
