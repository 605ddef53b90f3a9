"""The masks of a batch of sentences, what they do to a head's softmax, and what a well-known mistake would do.

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

FINITE = -1e9  # what much published code writes into masked scores instead of minus infinity


@dataclass(frozen=True, eq=False)
class Masks:
    """The masks of one sentence of a batch, True where a query may attend, and one head's weights under each."""

    ids: Int[np.ndarray, "key"]  # as they stand in the batch
    query_ids: Int[np.ndarray, "query"]
    padding: Bool[np.ndarray, "key"]  # True: no padding
    query_padding: Bool[np.ndarray, "query"]
    causal: Bool[np.ndarray, "query key"]  # True everywhere where attention is not causal
    combined: Bool[np.ndarray, "query key"]  # as the pass used it
    on_queries: Bool[np.ndarray, "query key"]  # the mistake
    scores: Float[np.ndarray, "query key"]
    weights: Float[np.ndarray, "query key"]  # of the pass
    unmasked: Float[np.ndarray, "query key"]  # the same scores without a mask
    mistaken: Float[np.ndarray, "query key"]  # with the mistake: nan where a row is left empty
    mistaken_finite: Float[np.ndarray, "query key"]  # the same, filled with FINITE: such a row comes out uniform


def masks(whole: Pass, kind: Kind, layer: int, head: int, sentence: int) -> Masks:
    """One sentence's masks and rows. Raises ValueError where the model has no such layer or head."""
    seen = head_of(whole, kind, layer, head, sentence)
    queries = whole.src if kind == "encoder" else whole.tgt_in
    keys = whole.tgt_in if kind == "decoder" else whole.src
    everything = np.ones(seen.mask.shape, dtype=bool)
    causal = np.tril(everything) if kind == "decoder" else everything
    padding, query_padding = (real(whole, ids, sentence) for ids in (keys, queries))
    on_queries = query_padding[:, None] & causal
    return Masks(
        ids=keys[sentence],
        query_ids=queries[sentence],
        padding=padding,
        query_padding=query_padding,
        causal=causal,
        combined=seen.mask,
        on_queries=on_queries,
        scores=seen.scores,
        weights=seen.weights,
        unmasked=weights_under(seen, everything),
        mistaken=weights_under(seen, on_queries),
        mistaken_finite=weights_under(seen, on_queries, fill=FINITE),
    )


def real(whole: Pass, ids: Int[np.ndarray, "batch position"], sentence: int) -> Bool[np.ndarray, "position"]:
    """Where a sentence has no padding: the padding piece from which decoding may start pads nothing."""
    config = whole.model.config
    found = ids[sentence] != config.pad_id
    if ids is whole.tgt_in and config.start == "pad":
        found[0] = True
    return found


def weights_under(head: Head, mask: Bool[np.ndarray, "query key"], fill: float = -math.inf) -> np.ndarray:
    """A head's weights under another mask: softmax over each row, nan where a row holds nothing but -inf."""
    masked = np.where(mask, head.scores.astype(np.float64), fill)
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(masked - masked.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)
