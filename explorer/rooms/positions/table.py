"""The positional encodings of the loaded model: its own table, and what is drawn and said about it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from explorer.rooms.positions import words
from explorer.rooms.positions.figures import (
    positions_curves,
    positions_heatmap,
    similarity_curve,
    similarity_heatmap,
    turn_figure,
)
from explorer.rooms.positions.sinusoids import (
    Measure,
    angle,
    by_distance,
    fit_error,
    similarity,
    sinusoid,
    trained_length,
    turn_error,
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
    def shown(self) -> int:
        """How many positions a visitor can see."""
        return min(MOST_SHOWN, len(self.vectors))

    @property
    def waves(self) -> Float[np.ndarray, "pair"] | None:
        return wavelengths(self.vectors.shape[1]) if self.kind == "sinusoidal" else None

    def heatmap(self, length: int, position: int, dimension: int) -> go.Figure:
        return positions_heatmap(self.vectors[: max(length, position + 1)], (position, dimension), self.trained)

    def curves(self, length: int, dimensions: Sequence[int]) -> go.Figure:
        return positions_curves(self.vectors[:length], dimensions, self.waves)

    def formula(self, position: int, dimension: int) -> str:
        """The formula with its numbers, and what the table holds."""
        width = self.vectors.shape[1]
        return words.FORMULA[self.kind].format(
            position=position,
            dimension=dimension,
            held=self.vectors[position, dimension],
            i=dimension // 2,
            even=dimension // 2 * 2,
            name=words.WAVE_NAMES[dimension % 2],
            function=("sin", "cos")[dimension % 2],
            d_model=width,
            angle=angle(position, dimension, width),
            value=sinusoid(position, dimension, width),
        )

    def similarities(self, length: int, measure: Measure) -> tuple[go.Figure, go.Figure]:
        similar = similarity(self.vectors[:length], measure)
        return similarity_heatmap(similar, measure), similarity_curve(by_distance(similar), measure)

    def turn(self, length: int, pair: int, position: int, distance: int) -> tuple[go.Figure, str]:
        """The plane of a pair, by one of its dimensions, and how far the shift is from a fixed linear map."""
        pair = pair // 2 * 2
        plane = self.vectors[: max(length, position + distance + 1), pair : pair + 2]
        if self.kind == "learned":
            error = fit_error(self.vectors[: self.trained], distance)
            text = words.ERROR["undetermined" if error is None else "learned"].format(distance=distance, error=error)
            return turn_figure(plane, position, distance, None), text
        turned = angle(distance, pair, self.vectors.shape[1])
        text = words.ERROR["sinusoidal"].format(
            turn=turned,
            degrees=np.degrees(turned),
            distance=distance,
            count=len(self.vectors) - distance,
            error=turn_error(self.vectors, distance),
        )
        return turn_figure(plane, position, distance, turned), text

    @property
    def beyond(self) -> str:
        """What is to be said about positions that the training did not reach."""
        count = len(self.vectors)
        facts = {"trained": self.trained, "max_len": count, "last": count - 1, "shown": self.shown}
        if self.trained is None:
            return (words.BEYOND["unknown"] + words.BEYOND[self.kind]).format(**facts)
        if self.trained >= len(self.vectors):
            return words.BEYOND["covered"].format(**facts)
        seen = words.BEYOND["try"] if self.trained < self.shown else ""
        return (words.BEYOND["marked"] + words.BEYOND[self.kind] + seen).format(**facts)
