"""Attention rollout: how much of each input piece reaches each row after the last layer, by the weights alone.

Attention rollout (Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", arXiv:2005.00928, section 4)
takes the mean A of a layer's heads and gives the residual connection half of every row: a layer mixes its rows by
(A + I) / 2, and the stack by the product of its layers, the last one on the left:

    R = (A_n + I) / 2 · ... · (A_1 + I) / 2

The encoder's rollout E is this product from source pieces to source pieces; the decoder's is the same product of its
masked self-attention among the pieces fed, as if there were no source. For cross-attention there is no definition in
that paper; Chefer et al. 2021 ("Generic Attention-model Explainability", arXiv:2103.15679) generalise to encoder and
decoder, with gradients. This is the plain rollout for both: every decoder row is a share F of each piece fed and a
share S of each source piece. It begins with F = I, S = 0; then, in every layer,

    self-attention D:    F <- (D + I) / 2 · F        S <- (D + I) / 2 · S
    cross-attention C:   F <- F / 2                  S <- (S + C · E) / 2

and the feed-forward network leaves a row with itself. F and S of a row sum to 1 together. Half of what was there is
replaced at every cross-attention, whatever the weights are, so that of every row 1 - 2^-n arrives at the source, with
n layers of the decoder; the rest stays with the German pieces fed. The rollout of cross-attention is S, each row
divided by that.

Rollout follows weights only: neither the values, nor W_O, nor the feed-forward networks, and the half for the residual
connection is a convention. `tests/explorer/test_depths.py` compares explorer/derived/rollout.js with this file.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from explorer.recording.trace import Trace, parse_kind
from model.probe import KINDS, Kind

Weights = Float[np.ndarray, "layer head query key"]


def rollout(trace: Trace, kind: Kind) -> Float[np.ndarray, "query key"]:
    """The rollout of a kind of attention, from its rows to its columns, in double precision; every row sums to 1.

    Raises UserError if there is no such kind.
    """
    weights = weights_by_kind(trace)
    if parse_kind(kind) != "cross":
        return self_attention_rollout(weights[kind])
    source = decoder_shares(weights)[:, weights["decoder"].shape[-1] :]
    arrived = source.sum(axis=-1, keepdims=True)
    return source / np.where(arrived > 0, arrived, 1)  # nothing arrives where a row of weights is no distribution


def weights_by_kind(trace: Trace) -> dict[Kind, np.ndarray]:
    """The weights of every kind."""
    return {kind: trace.map(kind).weights for kind in KINDS}


def layer_mixing(weights: Weights) -> Float[np.ndarray, "layer query key"]:
    """(A + I) / 2 of every layer, with the mean A of its heads."""
    return (weights.mean(axis=1, dtype=np.float64) + np.eye(weights.shape[-1])) / 2


def self_attention_rollout(weights: Weights) -> Float[np.ndarray, "query key"]:
    """The rollout of a stack of self-attention: from the rows that leave it to the rows that enter it."""
    return join_layers(layer_mixing(weights))


def decoder_shares(weights: Mapping[Kind, np.ndarray]) -> Float[np.ndarray, "query fed_and_source"]:
    """F and S of the module's docstring, side by side: the composition of each decoder row after the last layer."""
    cross = weights["cross"].mean(axis=1, dtype=np.float64) / 2
    kept = np.full((*cross.shape[:2], 1), 0.5)
    return join_decoder(self_attention_rollout(weights["encoder"]), layer_mixing(weights["decoder"]), cross, kept)


def join_layers(mixing: Float[np.ndarray, "layer query key"]) -> Float[np.ndarray, "query key"]:
    """The product of layers that mix rows, the last one on the left."""
    result = np.eye(mixing.shape[-1])
    for layer in mixing:
        result = layer @ result
    return result


def join_decoder(
    encoder: Float[np.ndarray, "src src"],
    decoder: Float[np.ndarray, "layer query fed"],
    cross: Float[np.ndarray, "layer query src"],
    kept: Float[np.ndarray, "layer query 1"],
) -> Float[np.ndarray, "query fed_and_source"]:
    """The composition of each decoder row after the last layer.

    In every layer self-attention mixes the rows by `own`; cross-attention keeps the part `kept` of each row and adds
    `cross` of the encoder's rows.
    """
    n_fed = decoder.shape[-1]
    shares = np.hstack((np.eye(n_fed), np.zeros((n_fed, cross.shape[-1]))))
    for decoder_layer, cross_layer, kept_layer in zip(decoder, cross, kept, strict=True):
        shares = decoder_layer @ shares * kept_layer
        shares[:, n_fed:] += cross_layer @ encoder
    return shares
