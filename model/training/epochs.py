"""The epochs of a run: which pairs they contain, in which batches.

An epoch takes each file according to its weight, joins sentences with those that follow them, and roughens sources, all
depending on the seed and its number alone.
"""

import itertools
import multiprocessing
import random
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import torch

from model.errors import UserError
from model.tokenizer import Tokenizer
from model.training import distributed
from model.training.data import Batch, EncodedPair, Pair, WeightedPairs, batch_indices, encode_pairs, prefetch, shard
from model.training.recipe import TrainConfig
from model.training.trainer import Position

shared: "Epochs"  # in a process that prepares them
MAX_TOKENIZER_PAIRS = 300_000  # enough for tens of thousands of pieces, in a few minutes on one core


def is_sentence(pair: Pair) -> bool:
    """Whether both sides end with a punctuation mark, so that another sentence may follow."""
    return all(text and unicodedata.category(text[-1]).startswith("P") for text in map(str.rstrip, pair))


def join_following(pairs: Sequence[Pair], first: int, count: int) -> Pair:
    """Joins up to `count` pairs of a file, from the `first` on, with blanks; stops before a pair that is no sentence.

    So entries of a dictionary and headings stay alone.
    """
    last = first
    while last + 1 < min(first + count, len(pairs)) and is_sentence(pairs[last]) and is_sentence(pairs[last + 1]):
        last += 1
    return Pair(*map(" ".join, zip(*pairs[first : last + 1], strict=True)))


def draw_examples(files: Sequence[WeightedPairs], *, joined: float, seed: int) -> list[Pair]:
    """The pairs of one epoch, which depend on `seed` alone.

    A weight of 2.25 takes the file twice and a random quarter of its lines; another seed takes another quarter.
    `joined` is the share of examples in which the next one or two sentences of the file follow the first.
    """
    rng = random.Random(f"mix {seed}")  # a string, for other numbers than other draws from this seed
    examples: list[Pair] = []
    for pairs, weight in files:
        whole, lines = int(weight), range(len(pairs))
        part = rng.sample(lines, round((weight - whole) * len(lines)))
        for line in [*lines] * whole + sorted(part):
            count = rng.choice((2, 3)) if joined and rng.random() < joined else 1
            examples.append(join_following(pairs, line, count))
    return examples


def tokenizer_texts(files: Sequence[WeightedPairs], *, seed: int) -> Iterator[str]:
    """Both sides of an epoch's pairs, so that a file counts as much for the tokenizer as for the model.

    At most MAX_TOKENIZER_PAIRS pairs, because SentencePiece's time and memory grow with the text.
    """
    pairs = draw_examples(files, joined=0.0, seed=seed)
    if len(pairs) > MAX_TOKENIZER_PAIRS:
        pairs = random.Random(seed).sample(pairs, MAX_TOKENIZER_PAIRS)
    for pair in pairs:
        yield from pair


class Epochs:
    """The endless epochs of a run; each depends on the recipe, the files and its number alone."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, files: Sequence[WeightedPairs]):
        self.config = config
        self.tokenizer = tokenizer
        self.files = files

    def seed_of(self, epoch: int) -> int:
        """The seed of an epoch's examples and batches."""
        return self.config.seed * 10_007 + epoch

    @property
    def is_redrawn(self) -> bool:
        """Whether the examples themselves differ from epoch to epoch, and not only their order."""
        config = self.config
        return any((config.sampling, config.as_typed, config.joined, *(weight % 1 for _, weight in self.files)))

    def pairs(self, epoch: int) -> list[EncodedPair]:
        """The pairs of an epoch as ids; the same in every process and after every resumption.

        Raises UserError if no pair is short enough.
        """
        config, seed = self.config, self.seed_of(epoch)
        encoded = encode_pairs(
            draw_examples(self.files, joined=config.joined, seed=seed),
            self.tokenizer,
            config.max_pieces,
            tidy=config.tidy,
            sampling=config.sampling,
            sampled_sources=config.sampled_sources,
            as_typed_part=config.as_typed,
            seed=seed,
        )
        if not encoded:
            raise UserError(f"no pair has at most max_pieces {config.max_pieces} tokens a side")
        return encoded

    def batches(self, encoded: Sequence[EncodedPair], epoch: int) -> list[list[int]]:
        """The batches of an epoch, as indices of its pairs."""
        return batch_indices(encoded, self.config.batch_tokens, self.seed_of(epoch))

    def collated(self, encoded: Sequence[EncodedPair], epoch: int, start: int = 0) -> Iterator[Batch]:
        """This process's part of the batches of an epoch, from batch `start` on."""
        rank, count = distributed.rank(), distributed.process_count()
        for indices in self.batches(encoded, epoch)[start:]:
            yield shard([encoded[i] for i in indices], self.tokenizer, rank=rank, count=count)

    def from_position(self, position: Position) -> Iterator[Iterator[Batch]]:
        """The batches of every epoch from the position on."""
        first, start = position.epoch, position.batch_of_epoch
        encoded = self.pairs(first)
        yield self.collated(encoded, first, start)
        for epoch in itertools.count(first + 1):
            encoded = self.pairs(epoch) if self.is_redrawn else encoded
            yield self.collated(encoded, epoch)

    def stream(self, position: Position, pinned: bool = False, processes: int = 0) -> Iterator[Batch]:
        """This process's part of all batches from the position on, without end; a thread prepares them.

        Updates the position's epoch; the trainer counts its batches. `pinned` puts the ids into pinned memory. With
        `processes` so many others draw, encode and collate the next epochs, for which a GPU would otherwise wait.
        """
        epochs = prepared_ahead(self, position, processes) if processes else self.from_position(position)
        numbered = ((epoch, batch) for epoch, batches in enumerate(epochs, position.epoch) for batch in batches)
        pin = Batch.pin if pinned else lambda batch: batch
        for epoch, batch in prefetch((epoch, pin(batch)) for epoch, batch in numbered):
            if epoch != position.epoch:
                position.epoch, position.batch_of_epoch = epoch, 0
            yield batch


def share(epochs: Epochs) -> None:
    """Gives a forked process the epochs that it will prepare."""
    global shared
    shared = epochs
    torch.set_num_threads(1)  # OpenMP's threads do not survive a fork


def prepare_shared(epoch: int) -> list[tuple[Any, ...]]:
    """The batches of an epoch as NumPy arrays, which are quick to send, and the number of their pieces."""
    batches = shared.collated(shared.pairs(epoch), epoch)
    return [(*(ids.numpy() for ids in batch.ids), batch.pieces) for batch in batches]


def prepared_ahead(epochs: Epochs, position: Position, processes: int) -> Iterator[Iterator[Batch]]:
    """The batches of every epoch from the position on; each of so many processes prepares one of the next epochs."""
    first, start = position.epoch, position.batch_of_epoch
    # Forked now, so that they share the text of the files, and before there are threads.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"), share, (epochs,))
    pending = deque(pool.submit(prepare_shared, epoch) for epoch in range(first, first + processes))

    def results() -> Iterator[Iterator[Batch]]:
        skipped = start
        try:
            for epoch in itertools.count(first + processes):
                arrays = pending.popleft().result()[skipped:]
                pending.append(pool.submit(prepare_shared, epoch))
                yield (Batch(*map(torch.from_numpy, ids), pieces=pieces) for *ids, pieces in arrays)
                skipped = 0
        finally:
            pool.shutdown(cancel_futures=True)

    return results()
