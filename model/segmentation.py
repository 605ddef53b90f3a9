"""Random segmentations of a text into pieces: subword regularisation (Kudo 2018, arXiv:1804.10959, section 3.3).

SentencePiece can draw them itself, but salts its random numbers anew in every process, whatever seed it is given; a run
could then neither be repeated nor resumed as it would have gone on. Here they follow from the given numbers alone.
"""

import math
import random
from bisect import bisect
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

WORD_START = "\u2581"  # SentencePiece's mark
UNKNOWN_PENALTY = 10.0  # SentencePiece's: how much less probable a character without a piece is than any piece
MOST_WORDS = 20_000  # that are remembered


class Ending(NamedTuple):
    """The pieces that may end at a place of a word: where each begins, and the chances of it or one before it."""

    starts: list[int]
    ids: list[int]
    chances: list[float]  # cumulative; the last is 1


class Segmenter:
    """Draws segmentations by their probability under a unigram model: the product of its pieces'."""

    def __init__(self, scores: Mapping[str, tuple[int, float]], unk_id: int):
        """`scores` are id and log-probability of every piece."""
        self.scores = scores
        self.unk_id = unk_id
        self.unknown_score = min(score for _, score in scores.values()) - UNKNOWN_PENALTY
        self.longest = max(map(len, scores))
        # Words are independent of each other where no piece reaches from one into the next.
        self.by_word = not any(WORD_START in piece[1:] for piece in scores)
        self.endings = lru_cache(MOST_WORDS)(self.find_endings)

    def pieces_at(self, word: str, end: int) -> list[tuple[int, int, float]]:
        """Begin, id and score of all pieces that end there; a character that is no piece is unknown."""
        begins = range(max(0, end - self.longest), end)
        found = [(start, *self.scores[word[start:end]]) for start in begins if word[start:end] in self.scores]
        alone = bool(found) and found[-1][0] == end - 1
        return found if alone else [*found, (end - 1, self.unk_id, self.unknown_score)]

    def find_endings(self, word: str, alpha: float) -> list[Ending]:
        """Forward filtering: for every place of a word what may end there, by the probability of all before it."""
        total, endings = [0.0], []
        for end in range(1, len(word) + 1):
            starts, ids, scores = map(list, zip(*self.pieces_at(word, end), strict=True))
            sums = [total[start] + alpha * score for start, score in zip(starts, scores, strict=True)]
            largest = max(sums)
            weights = [math.exp(value - largest) for value in sums]
            whole = math.fsum(weights)
            total.append(largest + math.log(whole))
            endings.append(Ending(starts, ids, [*accumulate(weight / whole for weight in weights)]))
        return endings

    def draw(self, text: str, alpha: float, rng: random.Random) -> list[int]:
        """Ids of a segmentation of a normalised text, drawn from its end backwards, with probability ~ p ** alpha."""
        words = [word for word in text.replace(WORD_START, f" {WORD_START}").split(" ") if word]
        ids: list[int] = []
        for word in reversed(words if self.by_word else [text]):
            endings, end = self.endings(word, alpha), len(word)
            while end:
                starts, candidates, chances = endings[end - 1]
                chosen = min(bisect(chances, rng.random()), len(starts) - 1)  # rounding may leave the last below 1
                end = starts[chosen]
                # Like SentencePiece, which shows several unknown characters in a row as one piece.
                if candidates[chosen] != self.unk_id or ids[-1:] != [self.unk_id]:
                    ids.append(candidates[chosen])
        return ids[::-1]
