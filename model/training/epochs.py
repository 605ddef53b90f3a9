"""What an epoch holds."""

import itertools
import random
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from model.tokenizer import Tokenizer
from model.training import distributed
from model.training.data import Batch, EncodedPair, Pair, WeightedPairs, batch_indices, encode_pairs, prefetch, shard
from model.training.recipe import TrainConfig
from model.training.trainer import Position

MAX_TOKENIZER_PAIRS = 300_000  # enough for tens of thousands of pieces, and a few minutes on one core


def is_sentence(pair: Pair) -> bool:
    """Whether both sides end with a mark, so that another sentence may follow."""
    return all(text and unicodedata.category(text[-1]).startswith("P") for text in map(str.rstrip, pair))


def join_following(pairs: Sequence[Pair], first: int, count: int) -> Pair:
    """A pair joined, with a blank, with the ones behind it in its file: `count` in all, fewer where one is no sentence.

    Only sentences are followed by something, so words of a dictionary and headings stay alone.
    """
    last = first
    while last + 1 < min(first + count, len(pairs)) and is_sentence(pairs[last]) and is_sentence(pairs[last + 1]):
        last += 1
    return Pair(*map(" ".join, zip(*pairs[first : last + 1], strict=True)))


def draw_examples(portions: Sequence[WeightedPairs], *, joined: float, seed: int) -> list[Pair]:
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
            examples.append(join_following(pairs, line, count))
    return examples


def is_random(portions: Sequence[WeightedPairs], joined: float) -> bool:
    """Whether one epoch holds other examples than the next."""
    return joined > 0 or any(weight % 1 for _, weight in portions)


def tokenizer_texts(portions: Sequence[WeightedPairs], *, seed: int) -> Iterator[str]:
    """Both sides of what an epoch holds, so that a file counts for the tokenizer as much as for the model.

    At most PAIRS_FOR_PIECES pairs of it, because SentencePiece's time and memory grow with the text.
    """
    pairs = draw_examples(portions, joined=0.0, seed=seed)
    if len(pairs) > MAX_TOKENIZER_PAIRS:
        pairs = random.Random(seed).sample(pairs, MAX_TOKENIZER_PAIRS)
    for pair in pairs:
        yield from pair


class Epochs:
    """The epochs of a run, without end; each follows from the recipe, the files and its number alone."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, portions: Sequence[WeightedPairs]):
        self.config = config
        self.tokenizer = tokenizer
        self.portions = portions

    def seed_of(self, epoch: int) -> int:
        """What an epoch's examples, their roughenings and its batches depend on."""
        return self.config.seed * 10_007 + epoch

    @property
    def is_redrawn(self) -> bool:
        """Whether one epoch holds other examples than the next, and not only in another order."""
        config = self.config
        return bool(config.sampling or config.as_typed or is_random(self.portions, config.joined))

    def pairs(self, epoch: int) -> list[EncodedPair]:
        """What an epoch holds, as ids; the same in every process and after every resumption.

        Raises ValueError if no pair is short enough.
        """
        seed = self.seed_of(epoch)
        encoded = self.encode(draw_examples(self.portions, joined=self.config.joined, seed=seed), seed)
        if not encoded:
            raise ValueError(f"no pair has at most max_pieces {self.config.max_pieces} pieces a side")
        return encoded

    def encode(self, pairs: Sequence[Pair], seed: int) -> list[EncodedPair]:
        """The pairs as ids, roughened as the recipe says."""
        return encode_pairs(
            pairs,
            self.tokenizer,
            self.config.max_pieces,
            tidy=self.config.tidy,
            sampling=self.config.sampling,
            sampled_sources=self.config.sampled_sources,
            as_typed_part=self.config.as_typed,
            seed=seed,
        )

    def batches(self, encoded: Sequence[EncodedPair], epoch: int) -> list[list[int]]:
        """The batches of an epoch, each as the indices of its pairs."""
        return batch_indices(encoded, self.config.batch_tokens, self.seed_of(epoch))

    def shares(
        self, encoded: Sequence[EncodedPair], epochs: Iterable[int], start: int, pinned: bool
    ) -> Iterator[tuple[int, Batch]]:
        """Epochs with this process's share of each of their batches, from the `start`-th of the first one on."""
        rank, count = distributed.rank(), distributed.process_count()
        for epoch in epochs:
            for indices in self.batches(encoded, epoch)[start:]:
                batch = shard([encoded[i] for i in indices], self.tokenizer, rank=rank, count=count)
                yield epoch, batch.pin() if pinned else batch
            start = 0

    def stream(self, position: Position, pinned: bool = False) -> Iterator[Batch]:
        """What this process computes of batches without end, from the position on; a thread prepares them.

        The position's epoch moves along; its batch counts on with the steps. `pinned` memory is what a GPU reads fast.
        """
        while True:
            encoded = self.pairs(position.epoch)
            epochs = [position.epoch] if self.is_redrawn else itertools.count(position.epoch)
            for epoch, batch in prefetch(self.shares(encoded, epochs, position.batch_of_epoch, pinned)):
                if epoch != position.epoch:
                    position.epoch, position.batch_of_epoch = epoch, 0
                yield batch
            position.epoch, position.batch_of_epoch = position.epoch + 1, 0
