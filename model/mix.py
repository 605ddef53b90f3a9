"""What an epoch holds: files of sentence pairs, each by its weight, and sentences joined with those behind them."""

import math
import random
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from model.data import Pair, read_pairs

PAIRS_FOR_PIECES = 300_000  # enough for tens of thousands of pieces, and a few minutes on one core


class Portion(NamedTuple):
    """The pairs of one file, in its order, and how often an epoch holds each of them."""

    pairs: Sequence[Pair]
    weight: float = 1.0


def split_weight(name: str) -> tuple[str, float]:
    """The path and the weight of `path=weight`; without a number behind an equals sign the weight is 1.

    Raises ValueError unless the weight is above 0 and finite.
    """
    path, sign, number = name.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        return name, 1.0
    if not sign:
        return name, 1.0
    if not 0 < weight < math.inf:
        raise ValueError(f"{name}: the weight of a file must be above 0 and finite, not {number}")
    return path, weight


def read_portions(names: Sequence[str]) -> list[Portion]:
    """The files of `path` or `path=weight`. Raises OSError or ValueError where one cannot be read."""
    return [Portion(read_pairs([Path(path)]), weight) for path, weight in map(split_weight, names)]


def is_sentence(pair: Pair) -> bool:
    """Whether both sides end with a mark, so that another sentence may follow."""
    return all(text and unicodedata.category(text[-1]).startswith("P") for text in map(str.rstrip, pair))


def with_next(pairs: Sequence[Pair], first: int, count: int) -> Pair:
    """A pair joined, with a blank, with the ones behind it in its file: `count` in all, fewer where one is no sentence.

    Only sentences are followed by something, so words of a dictionary and headings stay alone.
    """
    last = first
    while last + 1 < min(first + count, len(pairs)) and is_sentence(pairs[last]) and is_sentence(pairs[last + 1]):
        last += 1
    return Pair(*map(" ".join, zip(*pairs[first : last + 1], strict=True)))


def draw(portions: Sequence[Portion], *, joined: float, seed: int) -> list[Pair]:
    """The examples of one epoch, from `seed` alone: a file as often as its weight is whole, and a random part of it.

    A weight of 2.25 gives the file twice and a random quarter of its lines, another quarter with another seed.
    `joined` is the share of examples that are a sentence with the next one or two of its file behind it, so far as
    there are some.
    """
    rng = random.Random(f"mix {seed}")  # a text, so that its numbers are not those of other draws from this seed
    examples: list[Pair] = []
    for pairs, weight in portions:
        whole, lines = int(weight), range(len(pairs))
        part = rng.sample(lines, round((weight - whole) * len(lines)))
        for line in [*lines] * whole + sorted(part):
            count = rng.choice((2, 3)) if joined and rng.random() < joined else 1
            examples.append(with_next(pairs, line, count))
    return examples


def is_drawn_anew(portions: Sequence[Portion], joined: float) -> bool:
    """Whether one epoch holds other examples than the next."""
    return joined > 0 or any(weight % 1 for _, weight in portions)


def texts_for_pieces(portions: Sequence[Portion], *, seed: int) -> Iterator[str]:
    """Both sides of what an epoch holds, so that a file counts for the tokenizer as much as for the model.

    At most PAIRS_FOR_PIECES pairs of it, because SentencePiece's time and memory grow with the text.
    """
    pairs = draw(portions, joined=0.0, seed=seed)
    if len(pairs) > PAIRS_FOR_PIECES:
        pairs = random.Random(seed).sample(pairs, PAIRS_FOR_PIECES)
    for pair in pairs:
        yield from pair
