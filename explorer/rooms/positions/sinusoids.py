"""What a table of positional encodings is made of: waves, similarities, and a turn for every distance (section 3.5).

Sinusoids come in pairs: dimensions 2i and 2i + 1 are the sine and the cosine of the angle pos / 10000^(2i / d_model).
Positions, dimensions and pairs count from zero, as in the paper.
"""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float

BASE = 10000  # of the paper's geometric progression
Measure = Literal["dot product", "cosine"]
Table = Float[np.ndarray, "position d_model"]


class Similarities(NamedTuple):
    """The similarity of two positions by their distance, over all pairs so far apart."""

    mean: Float[np.ndarray, "distance"]
    least: Float[np.ndarray, "distance"]
    greatest: Float[np.ndarray, "distance"]


def wavelengths(d_model: int) -> Float[np.ndarray, "pair"]:
    """How many positions a pair of dimensions takes for one turn: 2 pi 10000^(2i / d_model)."""
    return 2 * math.pi * BASE ** (np.arange(0, d_model, 2) / d_model)


def angle(position: int, dimension: int, d_model: int) -> float:
    """pos / 10000^(2i / d_model), in radians, with 2i the even dimension of the pair."""
    return position / BASE ** (dimension // 2 * 2 / d_model)


def sinusoid(position: int, dimension: int, d_model: int) -> float:
    """The sine of the angle in even dimensions, the cosine in odd ones."""
    turned = angle(position, dimension, d_model)
    return math.cos(turned) if dimension % 2 else math.sin(turned)


def similarity(table: Table, measure: Measure) -> Float[np.ndarray, "position other"]:
    """Every position's encoding against every other's."""
    if measure == "cosine":
        table = table / np.linalg.norm(table, axis=1, keepdims=True)
    return table @ table.T


def by_distance(similar: Float[np.ndarray, "position other"]) -> Similarities:
    """The diagonals of a similarity matrix, from distance 0 on."""
    diagonals = [np.diagonal(similar, distance) for distance in range(len(similar))]
    return Similarities(*(np.array([f(d) for d in diagonals]) for f in (np.mean, np.min, np.max)))


def turned(table: Table, distance: int) -> Table:
    """Every pair of dimensions turned by the angle that belongs to a distance.

    sin(a + b) = sin a cos b + cos a sin b and cos(a + b) = cos a cos b - sin a sin b: the same turn at every position.
    """
    pairs = table.astype(np.float64).reshape(len(table), -1, 2)
    sine, cosine = pairs[..., 0], pairs[..., 1]
    turn = distance * 2 * math.pi / wavelengths(table.shape[1])
    shifted = sine * np.cos(turn) + cosine * np.sin(turn), cosine * np.cos(turn) - sine * np.sin(turn)
    return np.stack(shifted, axis=-1).reshape(table.shape)


def turn_error(table: Table, distance: int) -> float:
    """The largest difference, over all elements, between turned encodings and those `distance` positions on."""
    return float(np.abs(turned(table[: len(table) - distance], distance) - table[distance:]).max())


def fit_error(table: Table, distance: int) -> float | None:
    """How badly a linear map, fitted to the table, takes encodings to those `distance` positions on.

    The map is fitted by least squares on every second position and judged on those between: the norm of what it gets
    wrong there over the norm of what it should give. 0 is a linear map, 1 no better than answering zero. None where
    there are fewer positions to fit than dimensions: then some map always fits, and says nothing about the others.
    """
    if (len(table) - distance) // 2 < table.shape[1]:
        return None
    here, there = table[: len(table) - distance].astype(np.float64), table[distance:].astype(np.float64)
    best, *_ = np.linalg.lstsq(here[::2], there[::2], rcond=None)
    return float(np.linalg.norm(here[1::2] @ best - there[1::2]) / np.linalg.norm(there[1::2]))


def trained_length(record: dict[str, Any]) -> int | None:
    """How many positions a sentence of the training could take at most; None where the record does not tell."""
    return record.get("recipe", {}).get("max_pieces")
