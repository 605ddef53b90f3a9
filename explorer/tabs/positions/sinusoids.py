"""The properties of positional encodings: waves, similarities, and a rotation for every distance (section 3.5).

Sinusoids come in pairs: the sine and the cosine of the angle pos / 10000^(2i / d_model). In the paper's order pair i is
dimensions 2i and 2i + 1; in that of halves, which is Marian's, it is dimensions i and d_model / 2 + i. Positions,
dimensions and pairs count from zero, as in the paper.
"""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Float

from model.config import Positions

MIN_ROUNDING_BOUND = 1e-7  # about the precision of a 32-bit float
BASE = 10000  # of the paper's geometric progression
Measure = Literal["dot product", "cosine"]
Table = Float[np.ndarray, "position d_model"]


class Wave(NamedTuple):
    """A dimension's pair, and whether it is the pair's cosine."""

    pair: int
    cosine: bool


class Similarities(NamedTuple):
    """The similarity of two positions by their distance, over all pairs at that distance."""

    mean: Float[np.ndarray, "distance"]
    least: Float[np.ndarray, "distance"]
    greatest: Float[np.ndarray, "distance"]


def wavelengths(d_model: int) -> Float[np.ndarray, "pair"]:
    """The wavelength of each pair of dimensions in positions: 2 pi 10000^(2i / d_model)."""
    return 2 * math.pi * BASE ** (np.arange(0, d_model, 2) / d_model)


def wave(dimension: int, d_model: int, order: Positions = "sinusoidal") -> Wave:
    """The wave of a dimension in one of the two orders; a learned table has pairs as in the paper's order."""
    if order == "sinusoidal halves":
        return Wave(dimension % (d_model // 2), dimension >= d_model // 2)
    return Wave(dimension // 2, dimension % 2 == 1)


def pair_dimensions(pair: int, d_model: int, order: Positions = "sinusoidal") -> tuple[int, int]:
    """The dimensions of a pair's sine and cosine."""
    return (pair, d_model // 2 + pair) if order == "sinusoidal halves" else (2 * pair, 2 * pair + 1)


def angle(position: int, pair: int, d_model: int) -> float:
    """pos / 10000^(2i / d_model), in radians, of pair i."""
    return position / BASE ** (2 * pair / d_model)


def sinusoid(position: int, dimension: int, d_model: int, order: Positions = "sinusoidal") -> float:
    """The sine or the cosine of the angle, according to the order of dimensions."""
    pair, cosine = wave(dimension, d_model, order)
    radians = angle(position, pair, d_model)
    return math.cos(radians) if cosine else math.sin(radians)


def similarity(table: Table, measure: Measure) -> Float[np.ndarray, "position other"]:
    """The similarity of all pairs of positions."""
    if measure == "cosine":
        table = table / np.linalg.norm(table, axis=1, keepdims=True)
    return table @ table.T


def similarity_by_distance(similar: Float[np.ndarray, "position other"]) -> Similarities:
    """The diagonals of a similarity matrix, from distance 0 on."""
    diagonals = [np.diagonal(similar, distance) for distance in range(len(similar))]
    return Similarities(*(np.array([f(d) for d in diagonals]) for f in (np.mean, np.min, np.max)))


def turn_table(table: Table, distance: int, order: Positions = "sinusoidal") -> Table:
    """The table with every pair of dimensions rotated by the angle of a distance.

    sin(a + b) = sin a cos b + cos a sin b and cos(a + b) = cos a cos b - sin a sin b: the same turn at every position.
    """
    sines, cosines = np.transpose([pair_dimensions(pair, table.shape[1], order) for pair in range(table.shape[1] // 2)])
    sine, cosine = table[:, sines].astype(np.float64), table[:, cosines].astype(np.float64)
    turn = distance * 2 * math.pi / wavelengths(table.shape[1])
    shifted = np.empty(table.shape)
    shifted[:, sines] = sine * np.cos(turn) + cosine * np.sin(turn)
    shifted[:, cosines] = cosine * np.cos(turn) - sine * np.sin(turn)
    return shifted


def rounding_bound(error: float) -> float:
    """The next power of ten above an error that is rounding: its digits differ between machines, and may all be 0."""
    bound = MIN_ROUNDING_BOUND
    while bound <= error:
        bound *= 10
    return bound


def turn_error(table: Table, distance: int, order: Positions = "sinusoidal") -> float:
    """The largest difference between rotated encodings and those `distance` positions later."""
    return float(np.abs(turn_table(table[: len(table) - distance], distance, order) - table[distance:]).max())


def fit_error(table: Table, distance: int) -> float | None:
    """The relative error of a linear map, fitted to the table, from encodings to those `distance` positions later.

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
    """The maximum number of positions of a training sentence; None if the record does not say."""
    return record.get("recipe", {}).get("max_pieces")
