"""Sentence pairs: from TSV files to padded batches, and the shift between what is fed and what is predicted."""

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from model.tokenizer import Tokenizer, seed_sampling, tidy


class Pair(NamedTuple):
    """A sentence and its translation, as text."""

    src: str
    tgt: str


class EncodedPair(NamedTuple):
    """A pair as ids: the source ends with EOS, the target has neither start nor end."""

    src: list[int]
    tgt: list[int]

    @property
    def length(self) -> int:
        """Positions that the longer side takes in a batch; the target is fed with BOS or predicted with EOS."""
        return max(len(self.src), len(self.tgt) + 1)


@dataclass(frozen=True, eq=False)
class Batch:
    """Padded ids. Row t of a decoder's output was fed tgt_in[t] and should predict tgt_out[t]."""

    src: Int[Tensor, "batch src"]
    tgt_in: Int[Tensor, "batch tgt"]
    tgt_out: Int[Tensor, "batch tgt"]


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """Reads TSV or TSV.gz files, a pair a line: source, a tab, target; further columns are ignored.

    Raises ValueError, naming file and line, where a line has no tab or a file no pair.
    """
    pairs: list[Pair] = []
    for path in paths:
        before = len(pairs)
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                columns = line.rstrip("\n").split("\t")
                if len(columns) < 2:
                    raise ValueError(f"{path} line {number}: expected a source, a tab and a target")
                pairs.append(Pair(columns[0], columns[1]))
        if len(pairs) == before:
            raise ValueError(f"{path} has no pairs")
    return pairs


def as_typed(sentence: str, rng: random.Random) -> str:
    """A sentence as visitors type it: perhaps without its final mark, perhaps in lower case."""
    if rng.random() < 0.5:
        sentence = sentence.rstrip(".?!") or sentence
    return sentence.lower() if rng.random() < 0.5 else sentence


def encode_pairs(
    pairs: Sequence[Pair],
    tokenizer: Tokenizer,
    max_pieces: int,
    *,
    sampling: float = 0.0,
    as_typed_part: float = 0.0,
    seed: int = 0,
) -> list[EncodedPair]:
    """Leaves out pairs with an empty side or with more than `max_pieces` positions on a side.

    `sampling` above 0 draws the segmentations at random (see `Tokenizer.sample`), and `as_typed_part` is the share
    of sources that go through `as_typed`; both depend on `seed` alone.
    """
    rng = random.Random(seed)
    sources = [tidy(pair.src) for pair in pairs]
    if as_typed_part:
        sources = [as_typed(src, rng) if rng.random() < as_typed_part else src for src in sources]
    targets = [pair.tgt for pair in pairs]
    if sampling:
        seed_sampling(seed)
        sides = ([tokenizer.sample(text, sampling) for text in texts] for texts in (sources, targets))
    else:
        sides = map(tokenizer.encode_all, (sources, targets))
    encoded = [EncodedPair([*src, tokenizer.eos_id], tgt) for src, tgt in zip(*sides, strict=True) if src and tgt]
    return [pair for pair in encoded if pair.length <= max_pieces]


def pad(rows: Sequence[list[int]], pad_id: int) -> Int[Tensor, "batch position"]:
    """Rows of unequal length to one tensor, filled up on the right."""
    length = max(len(row) for row in rows)
    return torch.tensor([row + [pad_id] * (length - len(row)) for row in rows])


def collate(pairs: Sequence[EncodedPair], tokenizer: Tokenizer) -> Batch:
    """The shift: the target is fed behind BOS and predicted up to EOS."""
    return Batch(
        src=pad([pair.src for pair in pairs], tokenizer.pad_id),
        tgt_in=pad([[tokenizer.bos_id, *pair.tgt] for pair in pairs], tokenizer.pad_id),
        tgt_out=pad([[*pair.tgt, tokenizer.eos_id] for pair in pairs], tokenizer.pad_id),
    )


def batch_indices(pairs: Sequence[EncodedPair], batch_tokens: int, seed: int) -> list[list[int]]:
    """One epoch: batches of pairs of like length, each of at most `batch_tokens` padded positions a side or one pair.

    Pairs of equal length are shuffled among each other and then the batches, from `seed` alone, so that an
    interrupted epoch can be continued.
    """
    rng = random.Random(seed)
    order = list(range(len(pairs)))
    rng.shuffle(order)
    order.sort(key=lambda i: (pairs[i].length, len(pairs[i].src)))
    batches: list[list[int]] = []
    batch: list[int] = []
    for i in order:
        # Pairs come in order of length, so the newest is the longest.
        if batch and (len(batch) + 1) * pairs[i].length > batch_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def batches(
    pairs: Sequence[EncodedPair], tokenizer: Tokenizer, batch_tokens: int, *, seed: int, start: int = 0
) -> Iterator[Batch]:
    """The batches of one epoch from the `start`-th on."""
    for indices in batch_indices(pairs, batch_tokens, seed)[start:]:
        yield collate([pairs[i] for i in indices], tokenizer)
