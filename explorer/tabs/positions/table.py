"""The positional encodings of the loaded model: its own table, and what is drawn and said about it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
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
    by_distance,
    fit_error,
    pair_dimensions,
    similarity,
    sinusoid,
    trained_length,
    turn_error,
    wave,
    wavelengths,
)
from model.config import Positions
from model.decoding import Translator

MOST_SHOWN = 256  # positions: more would make the pictures slow to send


@dataclass(frozen=True, eq=False)
class PositionTable:
    """The model's own table, and what is known about it."""

    kind: Positions
    vectors: Float[np.ndarray, "position d_model"]
    trained: int | None  # positions of the longest training sentence

    @classmethod
    def of(cls, translator: Translator) -> "PositionTable":
        vectors = translator.model.encoder.embedding.positions.detach().cpu().numpy()
        return cls(translator.model.config.positions, vectors, trained_length(translator.record))

    @property
    def width(self) -> int:
        """How many dimensions the vectors have."""
        return self.vectors.shape[1]

    @property
    def shown(self) -> int:
        """How many positions a visitor can see."""
        return min(MOST_SHOWN, len(self.vectors))

    @property
    def waves(self) -> Float[np.ndarray, "pair"] | None:
        """The wavelength of every pair, where there are any."""
        return wavelengths(self.width) if self.kind in ("sinusoidal", "sinusoidal halves") else None

    @property
    def last_pair(self) -> int:
        """The largest number by which `turn` knows a pair: its sine's dimension."""
        return pair_dimensions(self.width // 2 - 1, self.width, self.kind)[0]

    @property
    def telling_dimensions(self) -> list[int]:
        """Those drawn at first: the pair that turns fastest, one an eighth of the way on, and a sine halfway."""
        first, eighth, middle = (
            pair_dimensions(self.width // 2 * part // 8, self.width, self.kind) for part in (0, 1, 4)
        )
        return sorted({*first, *eighth, middle[0]})

    def heatmap(self, length: int, position: int, dimension: int) -> go.Figure:
        return positions_heatmap(self.vectors[: max(length, position + 1)], (position, dimension), self.trained)

    def curves(self, length: int, dimensions: Sequence[int]) -> go.Figure:
        return positions_curves(self.vectors[:length], dimensions, self.waves, self.kind)

    def formula(self, position: int, dimension: int) -> str:
        """The formula with its numbers, and what the table holds."""
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

    def similarities(self, length: int, measure: Measure) -> tuple[go.Figure, go.Figure]:
        similar = similarity(self.vectors[:length], measure)
        return similarity_heatmap(similar, measure), similarity_curve(by_distance(similar), measure)

    def turn(self, length: int, pair: int, position: int, distance: int) -> tuple[go.Figure, str]:
        """The plane of a pair, by one of its dimensions, and how far the shift is from a fixed linear map."""
        number, _ = wave(pair, self.width, self.kind)
        both = pair_dimensions(number, self.width, self.kind)
        plane = self.vectors[: max(length, position + distance + 1), both]
        if self.kind == "learned":
            error = fit_error(self.vectors[: self.trained], distance)
            text = words.ERROR["undetermined" if error is None else "learned"].format(distance=distance, error=error)
            return turn_figure(plane, position, distance, None), text
        turned = angle(distance, number, self.width)
        text = words.ERROR[self.kind].format(
            turn=turned,
            degrees=np.degrees(turned),
            distance=distance,
            count=len(self.vectors) - distance,
            error=turn_error(self.vectors, distance, self.kind),
        )
        return turn_figure(plane, position, distance, turned, self.kind), text

    @property
    def beyond(self) -> str:
        """What is to be said about positions that the training did not reach."""
        if self.kind == "none":
            return words.BEYOND["none"]
        count = len(self.vectors)
        facts = {"trained": self.trained, "max_len": count, "last": count - 1, "shown": self.shown}
        if self.trained is None:
            return (words.BEYOND["unknown"] + words.BEYOND[self.kind]).format(**facts)
        if self.trained >= len(self.vectors):
            return words.BEYOND["covered"].format(**facts)
        seen = words.BEYOND["try"] if self.trained < self.shown else ""
        return (words.BEYOND["marked"] + words.BEYOND[self.kind] + seen).format(**facts)
