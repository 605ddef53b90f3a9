"""Spearman's rank correlation."""

import math

import numpy as np
from jaxtyping import Float


def ranks(values: Float[np.ndarray, "value"]) -> Float[np.ndarray, "value"]:
    """The rank of each value, from 1; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[inverse]


def rank_correlation(first: Float[np.ndarray, "..."], second: Float[np.ndarray, "..."]) -> float | None:
    """The correlation of the ranks, from -1 to 1; None if all values of one side are equal."""
    pair = [ranks(side.ravel()) - (side.size + 1) / 2 for side in (first, second)]
    norms = [math.sqrt(side @ side) for side in pair]
    return float(pair[0] @ pair[1]) / (norms[0] * norms[1]) if all(norms) else None
