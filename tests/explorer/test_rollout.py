"""Attention across layers: by hand, by paths, by what must hold, and the same numbers in the browser."""

import numpy as np
import pytest
from samples import random_trace

from explorer import rollout
from explorer.recording.rollout import self_attention_rollout


def test_two_layers_by_hand():
    first, second = np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    weights = np.stack([first, second])[:, None]
    lower, upper = np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([[1.0, 0.0], [0.5, 0.5]])
    np.testing.assert_array_equal(self_attention_rollout(weights), upper @ lower)


def paths(trace, row: int) -> np.ndarray:
    """The share of every source piece in a row, summed over all paths; two layers, slowly, from the last one back."""
    maps = (trace.decoder, trace.cross, trace.encoder)
    own, cross, encoder = (attention.weights.mean(axis=1, dtype=float) for attention in maps)
    n_source = len(trace.source)
    found = np.zeros(n_source)

    def in_encoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            found[at] += share
            return
        in_encoder(layer - 1, at, share / 2)
        for to in range(n_source):
            in_encoder(layer - 1, to, share * encoder[layer, at, to] / 2)

    def in_decoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            return  # it ends at a piece fed
        for to in range(n_source):
            in_encoder(len(encoder) - 1, to, share * cross[layer, at, to] / 2)
        in_decoder(layer - 1, at, share / 4)
        for to in range(at + 1):
            in_decoder(layer - 1, to, share * own[layer, at, to] / 4)

    in_decoder(len(own) - 1, row, 1.0)
    return found


def test_cross_attention_follows_every_path_to_the_source():
    trace = random_trace(2, 2, 4, 3)
    for row, shares in enumerate(rollout(trace, "cross")):
        by_paths = paths(trace, row)
        assert by_paths.sum() == pytest.approx(1 - 2**-2)
        np.testing.assert_allclose(shares, by_paths / by_paths.sum(), atol=1e-6)  # weights are of single precision
