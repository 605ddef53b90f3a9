"""A tokenizer of a closed set of words: a SentencePiece model of the kind that has one piece for each."""

from collections.abc import Sequence
from functools import cache

from model.tokenizer import SPECIAL_PIECES, Tokenizer


@cache
def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """Every word is a piece that begins a word; any other word is unknown. The same words give the same model."""
    return Tokenizer.train(words, len(words) + len(SPECIAL_PIECES), kind="word")
