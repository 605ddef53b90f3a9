"""What a run learns from: all pairs in every epoch, drawn and roughened anew, and the same again after a resumption."""

import itertools
from collections.abc import Iterator

from training import pairs as pairs
from training import tiny_config

from model.training.data import Batch, WeightedPairs, encode_pairs
from model.training.epochs import Epochs, draw_examples
from model.training.trainer import Position


def first(count: int, stream: Iterator[Batch]) -> list[list[list[int]]]:
    """The sources of so many batches."""
    return [batch.src.tolist() for batch in itertools.islice(stream, count)]


def test_every_epoch_brings_all_pairs_in_another_order(tokenizer, pairs):
    epochs = Epochs(tiny_config(), tokenizer, [WeightedPairs(pairs)])
    count = len(epochs.batches(epochs.pairs(0), 0))
    source = epochs.stream(Position())
    seen = [[next(source).src.tolist() for _ in range(count)] for _ in range(3)]
    assert all(len({str(row) for batch in epoch for row in batch}) == len(pairs) for epoch in seen)
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_every_epoch_is_roughened_anew_and_a_resumed_one_as_before(tokenizer, pairs):
    epochs, count = Epochs(tiny_config(sampling=0.1, as_typed=0.5), tokenizer, [WeightedPairs(pairs)]), 40
    seen = first(count, epochs.stream(Position()))
    assert len({str(batch) for batch in seen}) > count / 2
    assert first(2, epochs.stream(Position(batch_of_epoch=2))) == seen[2:4]


def test_every_epoch_draws_its_mix_anew_and_a_resumed_one_as_before(tokenizer, pairs):
    epochs = Epochs(tiny_config(joined=0.3), tokenizer, [WeightedPairs(pairs, 1.5), WeightedPairs(pairs[::-1], 0.25)])
    drawn = [epochs.pairs(epoch) for epoch in range(3)]
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]
    counts = [len(epochs.batches(pairs, epoch)) for epoch, pairs in enumerate(drawn)]
    whole = first(sum(counts), epochs.stream(Position()))
    part = first(counts[1] - 2 + counts[2], epochs.stream(Position(epoch=1, batch_of_epoch=2)))
    assert part == whole[counts[0] + 2 :]


def test_an_epoch_is_what_is_drawn_with_its_seed(tokenizer, pairs):
    portions = [WeightedPairs(pairs, 2.5)]
    epochs = Epochs(tiny_config(joined=0.5, seed=3), tokenizer, portions)
    drawn = draw_examples(portions, joined=0.5, seed=epochs.seed_of(4))
    assert epochs.pairs(4) == encode_pairs(drawn, tokenizer, 40)
