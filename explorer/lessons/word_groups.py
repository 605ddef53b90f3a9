"""Groups the pieces of a trace into words, so that a lesson can name a word as readers see it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from explorer.recording.splitting import joined_text, joined_words
from explorer.recording.trace import Piece


class Word(NamedTuple):
    """A word, a punctuation mark or a special piece, with the indices of its pieces."""

    text: str
    pieces: tuple[int, ...]


def group_words(pieces: Sequence[Piece]) -> list[Word]:
    """Groups pieces into words, as the attention map does."""
    return [Word(joined_text(pieces, group), tuple(group)) for group in joined_words(pieces)]


def find_word(text: str, words: Sequence[Word]) -> int:
    """The index of the first occurrence of a word. Raises ValueError with a sentence if there is none."""
    for index, word in enumerate(words):
        if word.text == text:
            return index
    raise ValueError(f"there is no “{text}” in: {' '.join(word.text for word in words)}")


def sum_by_word(row: Float[np.ndarray, "piece"], words: Sequence[Word]) -> Float[np.ndarray, "word"]:
    """Sums a row of weights over the pieces of each word."""
    return np.array([row[list(word.pieces)].sum() for word in words])
