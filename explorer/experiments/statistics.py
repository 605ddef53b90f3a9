"""Statistics over sentences: rank correlation, means with bootstrap intervals, and the stability of an order."""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from model.errors import UserError


def ranks(values: Float[np.ndarray, "value"], tie: float = 0.0) -> Float[np.ndarray, "value"]:
    """The rank of each value, from 1; equal values share the mean of their ranks.

    Two values closer than `tie` share them in part, the more the closer they are, so that no rank jumps where rounding
    changes a value.
    """
    if tie:
        return (len(values) + 1) / 2 + np.clip((values[:, None] - values) / tie, -1, 1).sum(axis=1) / 2
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[inverse]


def rank_correlation(
    first: Float[np.ndarray, "..."], second: Float[np.ndarray, "..."], tie: float = 0.0
) -> float | None:
    """The correlation of the `ranks`, from -1 to 1; None if no two values of one side are more than `tie` apart."""
    if min(np.ptp(side) for side in (first, second)) <= tie:
        return None
    pair = [ranks(side.ravel(), tie) - (side.size + 1) / 2 for side in (first, second)]
    norms = [math.sqrt(side @ side) for side in pair]
    return float(pair[0] @ pair[1]) / (norms[0] * norms[1])


RESAMPLES = 2000
SPLITS = 200
MIN_STABLE_CORRELATION = 0.9  # the smallest split-half correlation of a stable order


class Average(NamedTuple):
    """The mean of every head over sentences, and the bounds of its 95 % interval."""

    drop: Float[np.ndarray, "head"]
    low: Float[np.ndarray, "head"]
    high: Float[np.ndarray, "head"]


def average(drops: Float[np.ndarray, "sentence head"], seed: int) -> Average:
    """Intervals by the bootstrap: the 2.5th and the 97.5th percentile of the means of resampled sentences."""
    rng, count = np.random.default_rng(seed), len(drops)
    # Counts of each sentence in each resample: one product gives all means.
    times = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    low, high = np.percentile(times @ drops / count, (2.5, 97.5), axis=0)
    return Average(drops.mean(axis=0), low, high)


def split_half(drops: Float[np.ndarray, "sentence head"], seed: int) -> float:
    """The rank correlation of the heads' means over two random halves of the sentences, averaged over many splits.

    Near 1, other sentences would give the same order of heads; it is a lower estimate, because halves are smaller.
    Raises UserError if there are fewer than two sentences.
    """
    if len(drops) < 2:
        raise UserError("at least two sentences are needed, to halve them")
    rng, half = np.random.default_rng(seed), len(drops) // 2
    orders = (rng.permutation(len(drops)) for _ in range(SPLITS))
    halves = ((drops[order[:half]], drops[order[half : 2 * half]]) for order in orders)
    correlations = [rank_correlation(one.mean(axis=0), other.mean(axis=0)) or 0.0 for one, other in halves]
    return float(np.mean(correlations))
