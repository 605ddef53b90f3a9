"""The same pieces in another order: the encoder's outputs with positions and without.

Without positions self-attention is a function of a set: it treats every order of the pieces alike, so that the
encoder's outputs of two orders are the same vectors, in another order.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.differences import match_permutation
from explorer.recording.trace import Piece, source_pieces
from explorer.tabs.positions import words
from model.decoding import Translator
from model.probe import Probe, Site

POSITIONS = Site("encoder", tensor="positions")


@dataclass(frozen=True, eq=False)
class Reordering:
    """Euclidean distances between the encoder's outputs of two sentences of the same pieces."""

    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    partners: tuple[int, ...]  # the index in `second` of each piece of `first`
    ordered: Float[np.ndarray, "first second"]  # positions added, as the model does
    unordered: Float[np.ndarray, "first second"]  # zeros added instead

    def largest(self, distances: Float[np.ndarray, "first second"]) -> float:
        """The largest distance between a piece of the first sentence and its partner."""
        return float(distances[range(len(self.partners)), self.partners].max())


def compare_orders(translator: Translator, first: str, second: str) -> Reordering:
    """Compares the outputs of two sentences. Raises ValueError, with a sentence, if their pieces differ."""
    sides = [translator.source_ids(text) for text in (first, second)]
    if sorted(sides[0]) != sorted(sides[1]):
        pieces = [
            [piece.isolated.text for piece in source_pieces(translator, *side)]
            for side in zip((first, second), sides, strict=True)
        ]
        raise ValueError(words.OTHER_PIECES.format(first=" ".join(pieces[0]), second=" ".join(pieces[1])))
    ordered, unordered = (
        [encoder_outputs(translator, ids, probe) for ids in sides] for probe in (Probe(), Probe(no_positions))
    )
    return Reordering(
        source_pieces(translator, first, sides[0]),
        source_pieces(translator, second, sides[1]),
        match_permutation(*sides),
        euclidean_distances(*ordered),
        euclidean_distances(*unordered),
    )


def no_positions(site: Site, tensor: Tensor) -> Tensor | None:
    """A probe function that replaces the encoder's positions by zeros."""
    return torch.zeros_like(tensor) if site == POSITIONS else None


def encoder_outputs(translator: Translator, src: list[int], probe: Probe) -> Float[np.ndarray, "src d_model"]:
    return translator.encode(src, probe).memory[0].cpu().numpy()


def euclidean_distances(
    first: Float[np.ndarray, "first d_model"], second: Float[np.ndarray, "second d_model"]
) -> Float[np.ndarray, "first second"]:
    """Euclidean distances from differences, because the shortcut through dot products is inexact near zero."""
    return np.linalg.norm(first[:, None] - second[None], axis=-1)
