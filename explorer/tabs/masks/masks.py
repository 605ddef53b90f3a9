"""The masks of a batch of sentences, their effect on a head's softmax, and the effect of a well-known mistake.

Sentences of a batch are padded to the longest one. The mistake, seen in published code, masks the padding on the
queries instead of the keys: a combined mask of `padding_mask.transpose(-2, -1) & look_ahead_mask`.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from explorer.recording.forward_pass import Pass
from explorer.recording.head import Head, head_of
from model.probe import Kind

FINITE_FILL = -1e9  # much published code uses it for masked scores instead of minus infinity


@dataclass(frozen=True, eq=False)
class Masks:
    """The masks of one sentence of a batch, True where a query may attend, and one head's weights under each."""

    ids: Int[np.ndarray, "key"]  # with padding
    query_ids: Int[np.ndarray, "query"]
    padding: Bool[np.ndarray, "key"]  # True: no padding
    query_padding: Bool[np.ndarray, "query"]
    causal: Bool[np.ndarray, "query key"]  # all True if attention is not causal
    combined: Bool[np.ndarray, "query key"]  # the mask of the pass
    on_queries: Bool[np.ndarray, "query key"]  # the mistake
    scores: Float[np.ndarray, "query key"]
    weights: Float[np.ndarray, "query key"]  # of the pass
    unmasked: Float[np.ndarray, "query key"]  # the same scores without a mask
    mistaken: Float[np.ndarray, "query key"]  # with the mistake: nan in rows without an allowed key
    mistaken_finite: Float[np.ndarray, "query key"]  # the same with FINITE_FILL: such rows are uniform


def compute_masks(whole: Pass, kind: Kind, layer: int, head: int, sentence: int) -> Masks:
    """One sentence's masks and weights. Raises ValueError if the model has no such layer or head."""
    head_pass = head_of(whole, kind, layer, head, sentence)
    queries = whole.src if kind == "encoder" else whole.tgt_in
    keys = whole.tgt_in if kind == "decoder" else whole.src
    all_allowed = np.ones(head_pass.mask.shape, dtype=bool)
    causal = np.tril(all_allowed) if kind == "decoder" else all_allowed
    padding, query_padding = (is_piece(whole, ids, sentence) for ids in (keys, queries))
    on_queries = query_padding[:, None] & causal
    return Masks(
        ids=keys[sentence],
        query_ids=queries[sentence],
        padding=padding,
        query_padding=query_padding,
        causal=causal,
        combined=head_pass.mask,
        on_queries=on_queries,
        scores=head_pass.scores,
        weights=head_pass.weights,
        unmasked=masked_weights(head_pass, all_allowed),
        mistaken=masked_weights(head_pass, on_queries),
        mistaken_finite=masked_weights(head_pass, on_queries, fill=FINITE_FILL),
    )


def is_piece(whole: Pass, ids: Int[np.ndarray, "batch position"], sentence: int) -> Bool[np.ndarray, "position"]:
    """Which positions are not padding; a padding piece that starts the decoding does not count as padding."""
    config = whole.model.config
    result = ids[sentence] != config.pad_id
    if ids is whole.tgt_in and config.start == "pad":
        result[0] = True
    return result


def masked_weights(head: Head, mask: Bool[np.ndarray, "query key"], fill: float = -math.inf) -> np.ndarray:
    """A head's weights under another mask: softmax over each row; nan in rows that contain only -inf."""
    masked = np.where(mask, head.scores.astype(np.float64), fill)
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(masked - masked.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)
