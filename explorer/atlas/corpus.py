"""The sentences of an atlas: which are chosen, and where each of their tokens lies.

An encoder position belongs to the English token there, the end of the sentence last. A decoder position belongs to the
token that is fed there, the start of the sentence first; the model writes the token after it.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Integer

from model.decoding import Translator
from model.errors import UserError
from model.probe import Stack
from model.tokenizer import WORD_START

MIN_TOKENS, MAX_TOKENS = 4, 24  # of a source sentence, without its end
NO_TOKEN = -1  # after the last token of the source


@dataclass(frozen=True, eq=False)
class Corpus:
    """Source sentences with EOS, and what the model writes for each, up to EOS or the limit of steps."""

    src: list[list[int]]
    tgt_out: list[list[int]]
    bos_id: int

    def __len__(self) -> int:
        return len(self.src)

    @cached_property
    def tgt_in(self) -> list[list[int]]:
        """What the decoder is fed."""
        return [[self.bos_id, *ids[:-1]] for ids in self.tgt_out]

    def read_by(self, stack: Stack) -> list[list[int]]:
        """The ids at the positions of a stack."""
        return self.src if stack == "encoder" else self.tgt_in

    @cached_property
    def encoder(self) -> "Positions":
        """The positions of the source."""
        return Positions.of(self.src, [[*ids[1:], NO_TOKEN] for ids in self.src])

    @cached_property
    def decoder(self) -> "Positions":
        """The positions of what is fed."""
        return Positions.of(self.tgt_in, self.tgt_out)

    def positions(self, stack: Stack) -> "Positions":
        """The positions of a stack."""
        return self.encoder if stack == "encoder" else self.decoder


@dataclass(frozen=True, eq=False)
class Positions:
    """Every position of a stack, sentence behind sentence."""

    ids: Integer[np.ndarray, "position"]  # the token there
    next_ids: Integer[np.ndarray, "position"]  # the token after it; in the decoder, the one that is written there
    sentence: Integer[np.ndarray, "position"]
    start: Integer[np.ndarray, "sentence"]  # the first position of a sentence

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], next_rows: Sequence[Sequence[int]]) -> "Positions":
        lengths = np.array([len(row) for row in rows])
        ids, next_ids = (np.array([i for row in side for i in row], dtype=np.int64) for side in (rows, next_rows))
        return cls(ids, next_ids, np.repeat(np.arange(len(rows)), lengths), lengths.cumsum() - lengths)

    def __len__(self) -> int:
        return len(self.ids)


def choose_sources(translator: Translator, texts: Iterable[str], count: int, seed: int) -> list[list[int]]:
    """The ids of at most `count` different source sentences of a fitting length, drawn with a seed, with EOS.

    Sentences with a token that the model does not know are left out. Raises UserError if none is left.
    """
    different = [*dict.fromkeys(text.strip() for text in texts)]
    random.Random(seed).shuffle(different)
    chosen: list[list[int]] = []
    for text in different:
        if len(chosen) == count:
            break
        ids = translator.tokenizer.encode(translator.tidy(text))
        fits = MIN_TOKENS <= len(ids) <= min(MAX_TOKENS, translator.max_pieces)
        if fits and translator.tokenizer.unk_id not in ids:
            chosen.append([*ids, translator.tokenizer.eos_id])
    if not chosen:
        raise UserError(f"no sentence of the pairs has {MIN_TOKENS} to {MAX_TOKENS} tokens that the model knows")
    return chosen


def token_key(piece: str) -> str:
    """What tokens have in common that differ in letter case, or in whether they begin a word."""
    return piece.removeprefix(WORD_START).lower() or piece
