"""Which words translate each other, learned from sentence pairs alone: IBM Model 1 (Brown et al. 1993).

In Model 1 every target word f of a pair comes from one source word e, all equally likely, or from none (NULL),
with probability t(f | e), which expectation maximisation estimates. Word order plays no role. Aligning in both
directions and keeping the links in both leaves few, but reliable ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from model.tokenizer import WORD_START

NULL = ""  # precedes every source sentence; no word is empty
ITERATIONS = 5


class Words(NamedTuple):
    """The words of a sentence, lower-cased, and the index of the word to which each piece belongs."""

    texts: tuple[str, ...]
    of_piece: tuple[int, ...]


@cache
def is_punctuation(piece: str) -> bool:
    """Whether a piece is punctuation between words; apostrophes and hyphens are parts of words."""
    text = piece.removeprefix(WORD_START)
    return bool(text) and not any(character.isalnum() or character in "'-" for character in text)


def join_words(pieces: Sequence[str]) -> Words:
    """Joins pieces to words; a punctuation mark is a word."""
    texts, of_piece, after_mark = [], [], False
    for piece in pieces:
        begins = piece.startswith(WORD_START) or is_punctuation(piece) or after_mark
        # A blank may be a piece of its own, before the word.
        if not texts or (begins and texts[-1]):
            texts.append("")
        texts[-1] += piece.removeprefix(WORD_START).lower()
        of_piece.append(len(texts) - 1)
        after_mark = is_punctuation(piece)
    return Words(tuple(texts), tuple(of_piece))


def number_words(sentences: Sequence[Sequence[str]]) -> tuple[dict[str, int], Int[np.ndarray, "word"]]:
    """An id for every word, and the ids of all sentences, one after the other."""
    ids: dict[str, int] = {}
    flat = [ids.setdefault(word, len(ids)) for sentence in sentences for word in sentence]
    return ids, np.array(flat, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """t(f | e) for every source word e, or NULL, and every target word f that share a training pair."""

    source_ids: dict[str, int]
    target_ids: dict[str, int]
    keys: Int[np.ndarray, "entry"]  # source id * number of target words + target id, ascending
    t: Float[np.ndarray, "entry"]

    @classmethod
    def learn(
        cls, sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]], iterations: int = ITERATIONS
    ) -> "Lexicon":
        """Expectation maximisation from equal t, over sentence pairs as words."""
        source_ids, flat_source = number_words([(NULL, *source) for source in sources])
        target_ids, flat_target = number_words(targets)
        n_source = np.array([len(source) + 1 for source in sources])
        n_target = np.array([len(target) for target in targets])
        # A cell for every target word and every word of its source sentence.
        choices = np.repeat(n_source, n_target)  # of every target word
        first_cell = np.cumsum(choices) - choices
        first_source = np.repeat(np.cumsum(n_source) - n_source, n_target)
        source = flat_source[np.arange(choices.sum()) + np.repeat(first_source - first_cell, choices)]
        keys, entry = np.unique(source * len(target_ids) + np.repeat(flat_target, choices), return_inverse=True)
        source_of, t = keys // len(target_ids), np.ones(len(keys))
        for _ in range(iterations):
            expected = t[entry]
            expected /= np.repeat(np.add.reduceat(expected, first_cell), choices)
            count = np.bincount(entry, expected)
            t = count / np.bincount(source_of, count)[source_of]
        return cls(source_ids, target_ids, keys, t)

    def table(self, source: Sequence[str], target: Sequence[str]) -> Float[np.ndarray, "target source"]:
        """t(f | e) of every target word and, behind NULL, every source word; 0 where they share no training pair."""
        e = np.array([self.source_ids.get(word, -1) for word in (NULL, *source)])
        f = np.array([self.target_ids.get(word, -1) for word in target])[:, None]
        key = e * len(self.target_ids) + f
        index = np.searchsorted(self.keys, key).clip(max=len(self.keys) - 1)
        known = (e >= 0) & (f >= 0) & (self.keys[index] == key)
        return np.where(known, self.t[index], 0.0)


class Aligner(NamedTuple):
    """A lexicon for each direction."""

    forward: Lexicon
    backward: Lexicon

    @classmethod
    def learn(cls, sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> "Aligner":
        return cls(Lexicon.learn(sources, targets), Lexicon.learn(targets, sources))

    def links(self, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
        """Links (target, source), as positions of words, that are the most probable in both directions."""
        forward = likeliest(self.forward.table(source, target))
        backward = likeliest(self.backward.table(target, source))
        return [(j, i) for j, i in enumerate(forward) if i >= 0 and backward[i] == j]


def likeliest(table: Float[np.ndarray, "target source"]) -> list[int]:
    """The position of each target word's most probable source word, -1 for NULL; ties go to the diagonal."""
    n_target, n_source = table.shape[0], table.shape[1] - 1
    distance = np.abs((np.arange(n_target)[:, None] + 0.5) / n_target - (np.arange(n_source) + 0.5) / n_source)
    scores = np.concatenate((table[:, :1], table[:, 1:] * (1 - 1e-6 * distance)), axis=1)
    # NULL comes first, so that it wins if nothing is known.
    return [int(best) - 1 for best in scores.argmax(axis=1)]
