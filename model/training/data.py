"""Sentence pairs: from TSV files to padded batches, and the shift between what is fed and what is predicted."""

import gzip
import math
import random
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

import torch
from jaxtyping import Int
from torch import Tensor

from model.tidying import Rules
from model.tokenizer import Side, Tokenizer, pad

PREFETCHED_BATCHES = 16  # batches that are prepared before they are needed
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
        """Positions that the longer side takes in a batch; the target is fed with BOS or predicted with EOS."""
        return max(len(self.src), len(self.tgt) + 1)


@dataclass(frozen=True, eq=False)
class Batch:
    """Padded ids. Row t of a decoder's output was fed tgt_in[t] and should predict tgt_out[t].

    `places` says where `tgt_out`, flattened, is no padding. It is found when the batch is made, because a device that
    is asked how many there are keeps its host waiting. `pieces` is their number, or that of the whole batch where
    this is a `share` of one.
    """

    src: Int[Tensor, "batch src"]
    tgt_in: Int[Tensor, "batch tgt"]
    tgt_out: Int[Tensor, "batch tgt"]
    places: Int[Tensor, "piece"]
    pieces: int

    def pin(self) -> "Batch":
        """The same in memory that a GPU reads by itself, so that the host need not wait for the copy."""
        return self.with_ids(Tensor.pin_memory)

    def to(self, device: torch.device) -> "Batch":
        return self.with_ids(lambda ids: ids.to(device, non_blocking=True))

    def with_ids(self, change: Callable[[Tensor], Tensor]) -> "Batch":
        src, tgt_in, tgt_out, places = map(change, (self.src, self.tgt_in, self.tgt_out, self.places))
        return replace(self, src=src, tgt_in=tgt_in, tgt_out=tgt_out, places=places)


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a text in UTF-8, which may be packed by gzip."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        yield from file


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """Reads TSV or TSV.gz files, a pair a line: source, a tab, target; further columns are ignored.

    Raises ValueError, naming file and line, where a line has no tab or cannot be read, or a file has no pair.
    """
    pairs: list[Pair] = []
    for path in paths:
        before = len(pairs)
        try:
            for number, line in enumerate(lines_of(path), 1):
                columns = line.rstrip("\n").split("\t")
                if len(columns) < 2:
                    raise ValueError(f"{path} line {number}: expected a source, a tab and a target")
                pairs.append(Pair(columns[0], columns[1]))
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is no text in UTF-8 behind line {len(pairs) - before}") from error
        except (EOFError, zlib.error) as error:
            raise ValueError(f"{path} breaks off or is damaged behind line {len(pairs) - before}") from error
        if len(pairs) == before:
            raise ValueError(f"{path} has no pairs")
    return pairs


def roughen(sentence: str, rng: random.Random) -> str:
    """A sentence as visitors type it: perhaps without its final mark, perhaps in lower case."""
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
    """Leaves out pairs with an empty side or with more than `max_pieces` positions on a side.

    `tidy` are the rules for sources (model/tidying.py), none unless they are given.
    `sampling` above 0 draws the segmentations at random (see `Tokenizer.sample`), of all texts or, where
    `sampled_sources` is above 0, of that share of the sources. `as_typed_part` is the share of sources that go through
    `as_typed`. All depends on `seed` alone.
    """
    rng = random.Random(seed)
    sources = [tidy(pair.src) for pair in pairs]
    if as_typed_part:
        sources = [roughen(src, rng) if rng.random() < as_typed_part else src for src in sources]
    targets = [pair.tgt for pair in pairs]
    if sampling:
        drawing = random.Random(f"pieces {seed}")  # a text, so that its numbers are not those of `rng`
        parts = (sampled_sources, 0.0) if sampled_sources else (1.0, 1.0)
        sides = (
            [
                tokenizer.sample(text, sampling, drawing) if rng.random() < part else tokenizer.encode(text, side)
                for text in texts
            ]
            for texts, part, side in zip((sources, targets), parts, SIDES, strict=True)
        )
    else:
        sides = map(tokenizer.encode_all, (sources, targets), SIDES)
    encoded = [EncodedPair([*src, tokenizer.eos_id], tgt) for src, tgt in zip(*sides, strict=True) if src and tgt]
    return [pair for pair in encoded if pair.length <= max_pieces]


def collate(pairs: Sequence[EncodedPair], tokenizer: Tokenizer) -> Batch:
    """The shift: the target is fed behind BOS and predicted up to EOS."""
    tgt_out = pad([[*pair.tgt, tokenizer.eos_id] for pair in pairs], tokenizer.pad_id)
    places = (tgt_out != tokenizer.pad_id).flatten().nonzero().flatten()
    return Batch(
        src=pad([pair.src for pair in pairs], tokenizer.pad_id),
        tgt_in=pad([[tokenizer.bos_id, *pair.tgt] for pair in pairs], tokenizer.pad_id),
        tgt_out=tgt_out,
        places=places,
        pieces=len(places),
    )


def shard(pairs: Sequence[EncodedPair], tokenizer: Tokenizer, *, rank: int, count: int) -> Batch:
    """What process `rank` of `count` computes of a batch: every `count`-th pair; `pieces` are those of all.

    A process for which no pair is left takes the first and predicts nothing of it, because it must add its
    gradients, zeros then, like the others.
    """
    own = collate(pairs[rank::count] or pairs[:1], tokenizer)
    places = own.places if rank < len(pairs) else own.places[:0]
    return replace(own, places=places, pieces=sum(len(pair.tgt) + 1 for pair in pairs))


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


def prefetch(items: Iterator[Item]) -> Iterator[Item]:
    """The same items in the same order, made by a thread while earlier ones are in use.

    What the making of an item raises is raised where the item is due.
    """
    thread = ThreadPoolExecutor(1)
    try:
        coming = deque(thread.submit(next, items, None) for _ in range(PREFETCHED_BATCHES))
        while (item := coming.popleft().result()) is not None:
            coming.append(thread.submit(next, items, None))
            yield item
    finally:
        thread.shutdown(cancel_futures=True)


class WeightedPairs(NamedTuple):
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


def read_weighted_pairs(names: Sequence[str]) -> list[WeightedPairs]:
    """The files of `path` or `path=weight`. Raises OSError or ValueError where one cannot be read."""
    return [WeightedPairs(read_pairs([Path(path)]), weight) for path, weight in map(split_weight, names)]
