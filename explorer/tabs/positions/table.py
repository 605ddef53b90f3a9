"""The positional encodings of the loaded model, with their figures and texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go  # types in quotes: the first that is looked up imports all of Plotly
from jaxtyping import Float

from explorer.tabs.positions import words
from explorer.tabs.positions.figures import (
    positions_curves,
    positions_heatmap,
    similarity_curve,
    similarity_heatmap,
    turn_figure,
)
from explorer.tabs.positions.sinusoids import (
    Measure,
    angle,
    fit_error,
    pair_dimensions,
    rounding_bound,
    similarity,
    similarity_by_distance,
    sinusoid,
    trained_length,
    turn_error,
    wave,
    wavelengths,
)
from model.config import Positions
from model.decoding import Translator

MAX_POSITIONS = 256  # in figures: more would make them slow to send


@dataclass(frozen=True, eq=False)
class PositionTable:
    """The model's table of positional encodings."""

    kind: Positions
    vectors: Float[np.ndarray, "position d_model"]
    trained: int | None  # positions of the longest training sentence

    @classmethod
    def of(cls, translator: Translator) -> "PositionTable":
        vectors = translator.model.encoder.embedding.positions.detach().cpu().numpy()
        return cls(translator.model.config.positions, vectors, trained_length(translator.record))

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return self.vectors.shape[1]

    @property
    def shown(self) -> int:
        """The number of positions in figures."""
        return min(MAX_POSITIONS, len(self.vectors))

    @property
    def waves(self) -> Float[np.ndarray, "pair"] | None:
        """The wavelength of every pair; None unless the table is sinusoidal."""
        return wavelengths(self.width) if self.kind in ("sinusoidal", "sinusoidal halves") else None

    @property
    def last_pair(self) -> int:
        """The sine's dimension of the last pair, the largest argument of `turn`."""
        return pair_dimensions(self.width // 2 - 1, self.width, self.kind)[0]

    @property
    def notable_dimensions(self) -> list[int]:
        """The initial selection: the fastest pair, the pair after an eighth of the dimensions, and the sine halfway."""
        first, eighth, middle = (
            pair_dimensions(self.width // 2 * part // 8, self.width, self.kind) for part in (0, 1, 4)
        )
        return sorted({*first, *eighth, middle[0]})

    def heatmap(self, length: int, position: int, dimension: int) -> "go.Figure":
        return positions_heatmap(self.vectors[: max(length, position + 1)], (position, dimension), self.trained)

    def curves(self, length: int, dimensions: Sequence[int]) -> "go.Figure":
        return positions_curves(self.vectors[:length], dimensions, self.waves, self.kind)

    def formula(self, position: int, dimension: int) -> str:
        """The formula with its numbers, and the value in the table."""
        pair, cosine = wave(dimension, self.width, self.kind)
        return words.FORMULA[self.kind].format(
            position=position,
            dimension=dimension,
            held=self.vectors[position, dimension],
            i=pair,
            even=2 * pair,
            name=words.WAVE_NAMES[cosine],
            half=words.HALVES[cosine],
            function=("sin", "cos")[cosine],
            d_model=self.width,
            angle=angle(position, pair, self.width),
            value=sinusoid(position, dimension, self.width, self.kind),
        )

    def similarities(self, length: int, measure: Measure) -> "tuple[go.Figure, go.Figure]":
        similar = similarity(self.vectors[:length], measure)
        return similarity_heatmap(similar, measure), similarity_curve(similarity_by_distance(similar), measure)

    def turn(self, length: int, pair: int, position: int, distance: int) -> "tuple[go.Figure, str]":
        """The plane of a pair, given by one of its dimensions, and the error of the shift as a linear map."""
        number, _ = wave(pair, self.width, self.kind)
        dimensions = pair_dimensions(number, self.width, self.kind)
        plane = self.vectors[: max(length, position + distance + 1), dimensions]
        if self.kind == "learned":
            error = fit_error(self.vectors[: self.trained], distance)
            text = words.ERROR["undetermined" if error is None else "learned"].format(distance=distance, error=error)
            return turn_figure(plane, position, distance, None), text
        radians = angle(distance, number, self.width)
        text = words.ERROR[self.kind].format(
            turn=radians,
            degrees=np.degrees(radians),
            distance=distance,
            count=len(self.vectors) - distance,
            rounding=rounding_bound(turn_error(self.vectors, distance, self.kind)),
        )
        return turn_figure(plane, position, distance, radians, self.kind), text

    @property
    def beyond(self) -> str:
        """A text about positions beyond the longest training sentence."""
        if self.kind == "none":
            return words.BEYOND["none"]
        count = len(self.vectors)
        facts = {"trained": self.trained, "max_len": count, "last": count - 1, "shown": self.shown}
        if self.trained is None:
            return (words.BEYOND["unknown"] + words.BEYOND[self.kind]).format(**facts)
        if self.trained >= len(self.vectors):
            return words.BEYOND["covered"].format(**facts)
        hint = words.BEYOND["try"] if self.trained < self.shown else ""
        return (words.BEYOND["marked"] + words.BEYOND[self.kind] + hint).format(**facts)
