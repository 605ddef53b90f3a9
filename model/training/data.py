"""Sentence pairs: from TSV files to padded batches, and the shift between what is fed and what is predicted."""

import gzip
import math
import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from model.errors import UserError
from model.files import read_lines, write_atomically
from model.tidying import Rules
from model.tokenizer import Side, Tokenizer, pad

PREFETCHED_BATCHES = 16
SIDES: tuple[Side, Side] = ("source", "target")
Item = TypeVar("Item")


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
        """The positions of the longer side in a batch, where the target has BOS in front or EOS behind it."""
        return max(len(self.src), len(self.tgt) + 1)


@dataclass(frozen=True, eq=False)
class Batch:
    """Padded ids. Row t of a decoder's output was fed tgt_in[t] and should predict tgt_out[t].

    `piece_indices` are the indices in the flattened `tgt_out` that are not padding, computed beforehand so that
    the host need not wait for the device. `pieces` is their number, or that of the whole batch if this is a `shard` of
    it.
    """

    src: Int[Tensor, "batch src"]
    tgt_in: Int[Tensor, "batch tgt"]
    tgt_out: Int[Tensor, "batch tgt"]
    piece_indices: Int[Tensor, "piece"]
    pieces: int

    @property
    def ids(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Its tensors, in the order of the fields."""
        return self.src, self.tgt_in, self.tgt_out, self.piece_indices

    def pin(self) -> "Batch":
        """The batch in pinned memory, which a GPU copies while the host goes on."""
        return self.with_ids(Tensor.pin_memory)

    def to(self, device: torch.device) -> "Batch":
        """The batch on a device."""
        return self.with_ids(lambda ids: ids.to(device, non_blocking=True))

    def with_ids(self, change: Callable[[Tensor], Tensor]) -> "Batch":
        return Batch(*map(change, self.ids), pieces=self.pieces)


def read_numbered_pairs(path: Path) -> Iterator[tuple[int, Pair]]:
    """Reads a TSV or TSV.gz file, a pair a line: source, a tab, target; further columns and blank lines are ignored.

    Raises UserError, naming file and line, if a line has no tab or cannot be read, or the file has no pairs.
    """
    number = 0
    for number, line in read_lines(path):
        columns = line.split("\t")
        if len(columns) < 2:
            raise UserError(f"{path} line {number}: expected a source, a tab and a target")
        yield number, Pair(columns[0], columns[1])
    if not number:
        raise UserError(f"{path} has no pairs")


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """The pairs of files, in order. Raises what `read_numbered_pairs` raises."""
    return [pair for path in paths for _, pair in read_numbered_pairs(path)]


def write_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    """Writes pairs as gzipped TSV, the same bytes for the same pairs."""
    write_atomically(path, gzip.compress("".join(f"{pair.src}\t{pair.tgt}\n" for pair in pairs).encode(), mtime=0))


def roughen(sentence: str, rng: random.Random) -> str:
    """A sentence as users type it: at random without its final mark, and at random in lower case."""
    if rng.random() < 0.5:
        sentence = sentence.rstrip(".?!") or sentence
    return sentence.lower() if rng.random() < 0.5 else sentence


def encode_pairs(
    pairs: Sequence[Pair],
    tokenizer: Tokenizer,
    max_pieces: int,
    *,
    tidy: Rules = str,
    sampling: float = 0.0,
    sampled_sources: float = 0.0,
    as_typed_part: float = 0.0,
    seed: int = 0,
) -> list[EncodedPair]:
    """The pairs as ids, without those that have an empty side or more than `max_pieces` positions on a side.

    `tidy` are the tidying rules for sources. With `sampling` above 0 segmentations are drawn at random (see
    `Tokenizer.sample`), for all texts or, with `sampled_sources` above 0, for that share of the sources and no target.
    `as_typed_part` is the share of sources that `roughen` changes. Everything random depends on `seed` alone.
    """
    rng = random.Random(seed)
    sources = [tidy(pair.src) for pair in pairs]
    if as_typed_part:
        sources = [roughen(src, rng) if rng.random() < as_typed_part else src for src in sources]
    targets = [pair.tgt for pair in pairs]
    if sampling:
        pieces_rng = random.Random(f"pieces {seed}")  # a string, for other numbers than those of `rng`
        parts = (sampled_sources, 0.0) if sampled_sources else (1.0, 1.0)
        sides = (
            [
                tokenizer.sample(text, sampling, pieces_rng) if rng.random() < part else tokenizer.encode(text, side)
                for text in texts
            ]
            for texts, part, side in zip((sources, targets), parts, SIDES, strict=True)
        )
    else:
        sides = map(tokenizer.encode_all, (sources, targets), SIDES)
    encoded = [EncodedPair([*src, tokenizer.eos_id], tgt) for src, tgt in zip(*sides, strict=True) if src and tgt]
    return [pair for pair in encoded if pair.length <= max_pieces]


def collate(pairs: Sequence[EncodedPair], tokenizer: Tokenizer) -> Batch:
    """A batch, with the shift: the target is fed after BOS and predicted up to EOS."""
    tgt_out = pad([[*pair.tgt, tokenizer.eos_id] for pair in pairs], tokenizer.pad_id)
    piece_indices = (tgt_out != tokenizer.pad_id).flatten().nonzero().flatten()
    return Batch(
        src=pad([pair.src for pair in pairs], tokenizer.pad_id),
        tgt_in=pad([[tokenizer.bos_id, *pair.tgt] for pair in pairs], tokenizer.pad_id),
        tgt_out=tgt_out,
        piece_indices=piece_indices,
        pieces=len(piece_indices),
    )


def shard(pairs: Sequence[EncodedPair], tokenizer: Tokenizer, *, rank: int, count: int) -> Batch:
    """The part of a batch that process `rank` of `count` computes: every `count`-th pair; `pieces` counts all pairs.

    A process without a pair takes the first one and predicts nothing of it, because it must contribute gradients, which
    are zeros then.
    """
    share = collate(pairs[rank::count] or pairs[:1], tokenizer)
    piece_indices = share.piece_indices if rank < len(pairs) else share.piece_indices[:0]
    return replace(share, piece_indices=piece_indices, pieces=sum(len(pair.tgt) + 1 for pair in pairs))


def batch_indices(pairs: Sequence[EncodedPair], batch_tokens: int, seed: int) -> list[list[int]]:
    """The batches of an epoch, as indices: pairs of similar length, at most `batch_tokens` padded positions a side.

    A pair that is longer has a batch to itself. Pairs of equal length and the batches are shuffled, depending on `seed`
    alone, so that an interrupted epoch can be continued.
    """
    rng = random.Random(seed)
    order = list(range(len(pairs)))
    rng.shuffle(order)
    order.sort(key=lambda i: (pairs[i].length, len(pairs[i].src)))
    batches: list[list[int]] = []
    batch: list[int] = []
    for i in order:
        # Pairs come in order of length, so this one is the longest so far.
        if batch and (len(batch) + 1) * pairs[i].length > batch_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def batches(pairs: Sequence[EncodedPair], tokenizer: Tokenizer, batch_tokens: int, *, seed: int) -> Iterator[Batch]:
    """The batches of one epoch."""
    for indices in batch_indices(pairs, batch_tokens, seed):
        yield collate([pairs[i] for i in indices], tokenizer)


def prefetch(items: Iterator[Item]) -> Iterator[Item]:
    """The same items in the same order, prepared by a thread while earlier ones are in use.

    An exception in the thread is raised when its item is due.
    """
    thread = ThreadPoolExecutor(1)
    try:
        pending = deque(thread.submit(next, items, None) for _ in range(PREFETCHED_BATCHES))
        while (item := pending.popleft().result()) is not None:
            pending.append(thread.submit(next, items, None))
            yield item
    finally:
        thread.shutdown(cancel_futures=True)


class WeightedPairs(NamedTuple):
    """The pairs of a file, in order, and how often an epoch contains each of them."""

    pairs: Sequence[Pair]
    weight: float = 1.0


def split_weight(name: str) -> tuple[str, float]:
    """The path and the weight in `path=weight`; the weight is 1 if no number follows an equals sign.

    Raises UserError unless the weight is above 0 and finite.
    """
    path, sign, number = name.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        return name, 1.0
    if not sign:
        return name, 1.0
    if not 0 < weight < math.inf:
        raise UserError(f"{name}: the weight of a file must be above 0 and finite, not {number}")
    return path, weight


def read_weighted_pairs(names: Sequence[str]) -> list[WeightedPairs]:
    """Reads files named as `path` or `path=weight`. Raises OSError or UserError if one cannot be read."""
    return [WeightedPairs(read_pairs([Path(path)]), weight) for path, weight in map(split_weight, names)]
