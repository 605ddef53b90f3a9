"""Words of a trace's axes: pieces that make up a word, so that a lesson can name it as it is read."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from explorer.recording.splitting import joined_text, joined_words
from explorer.recording.trace import Piece


class Word(NamedTuple):
    """A word, a mark or a special piece, and the pieces that it is made of."""

    text: str
    pieces: tuple[int, ...]


def words_in(pieces: Sequence[Piece]) -> list[Word]:
    """What `pieces` say, in the words of the picture."""
    return [Word(joined_text(pieces, group), tuple(group)) for group in joined_words(pieces)]


def place_of(text: str, words: Sequence[Word]) -> int:
    """Where a word first stands. Raises ValueError, with a sentence, where it does not."""
    for place, word in enumerate(words):
        if word.text == text:
            return place
    raise ValueError(f"there is no “{text}” in: {' '.join(word.text for word in words)}")


def joined(row: Float[np.ndarray, "piece"], words: Sequence[Word]) -> Float[np.ndarray, "word"]:
    """A row of weights, summed over the pieces of every word."""
    return np.array([row[list(word.pieces)].sum() for word in words])
