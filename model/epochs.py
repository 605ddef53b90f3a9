"""What a run learns from, epoch by epoch: pairs drawn from the files, roughened, and cut into batches."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from model import processes
from model.data import Batch, EncodedPair, Pair, ahead, batch_indices, encode_pairs, share
from model.mix import Portion, draw, is_drawn_anew
from model.plan import Position
from model.recipe import TrainConfig
from model.tokenizer import Tokenizer


class Epochs:
    """The epochs of a run, without end; each follows from the recipe, the files and its number alone."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, portions: Sequence[Portion]):
        self.config = config
        self.tokenizer = tokenizer
        self.portions = portions

    def seed_of(self, epoch: int) -> int:
        """What an epoch's examples, their roughenings and its batches depend on."""
        return self.config.seed * 10_007 + epoch

    @property
    def differ(self) -> bool:
        """Whether one epoch holds other examples than the next, and not only in another order."""
        config = self.config
        return bool(config.sampling or config.as_typed or is_drawn_anew(self.portions, config.joined))

    def pairs(self, epoch: int) -> list[EncodedPair]:
        """What an epoch holds, as ids; the same in every process and after every resumption.

        Raises ValueError if no pair is short enough.
        """
        seed = self.seed_of(epoch)
        encoded = self.encode(draw(self.portions, joined=self.config.joined, seed=seed), seed)
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
        rank, count = processes.rank(), processes.count()
        for epoch in epochs:
            for indices in self.batches(encoded, epoch)[start:]:
                batch = share([encoded[i] for i in indices], self.tokenizer, rank=rank, count=count)
                yield epoch, batch.pin() if pinned else batch
            start = 0

    def stream(self, position: Position, pinned: bool = False) -> Iterator[Batch]:
        """What this process computes of batches without end, from the position on; a thread prepares them.

        The position's epoch moves along; its batch counts on with the steps. `pinned` memory is what a GPU reads fast.
        """
        while True:
            encoded = self.pairs(position.epoch)
            epochs = [position.epoch] if self.differ else itertools.count(position.epoch)
            for epoch, batch in ahead(self.shares(encoded, epochs, position.batch_of_epoch, pinned)):
                if epoch != position.epoch:
                    position.epoch, position.batch_of_epoch = epoch, 0
                yield batch
            position.epoch, position.batch_of_epoch = position.epoch + 1, 0
