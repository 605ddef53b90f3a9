"""What a run learns from: all pairs in every epoch, drawn and roughened anew, and the same again after a resumption."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest
from cases import each_case
from training import pairs as pairs
from training import tiny_config

from model.training import epochs
from model.training.data import Batch, Pair, WeightedPairs, split_weight
from model.training.epochs import Epochs, draw_examples, is_sentence, join_following, tokenizer_texts
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


def test_every_epoch_draws_and_roughens_its_mix_anew_and_a_resumed_one_as_before(tokenizer, pairs):
    files = [WeightedPairs(pairs, 1.5), WeightedPairs(pairs[::-1], 0.25)]
    epochs = Epochs(tiny_config(joined=0.3, sampling=0.1, as_typed=0.5), tokenizer, files)
    drawn = [epochs.pairs(epoch) for epoch in range(3)]
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]
    counts = [len(epochs.batches(pairs, epoch)) for epoch, pairs in enumerate(drawn)]
    whole = first(sum(counts), epochs.stream(Position()))
    part = first(counts[1] - 2 + counts[2], epochs.stream(Position(epoch=1, batch_of_epoch=2)))
    assert part == whole[counts[0] + 2 :]


LINES = [Pair(f"Line {i}.", f"Zeile {i}.") for i in range(100)]


@each_case(
    ("name", "expected"),
    [
        ("a.tsv.gz", ("a.tsv.gz", 1.0)),
        ("a.tsv.gz=1.5", ("a.tsv.gz", 1.5)),
        ("x=1/a=b.tsv=0.25", ("x=1/a=b.tsv", 0.25)),
        ("2024", ("2024", 1.0)),
    ],
)
def test_a_number_behind_the_last_equals_sign_is_a_weight(name, expected):
    assert split_weight(name) == expected


@each_case("number", ["0", "nan"])
def test_a_weight_that_no_epoch_can_hold_is_refused_with_its_file(number):
    with pytest.raises(ValueError, match=rf"a.tsv={number}: the weight .* not {number}"):
        split_weight(f"a.tsv={number}")


def test_an_epoch_holds_every_pair_as_often_as_the_weight_says_and_another_seed_takes_another_part():
    files = [WeightedPairs(LINES[:60], 2.25), WeightedPairs(LINES[60:], 1)]
    parts = [draw_examples(files, joined=0.0, seed=seed) for seed in (1, 1, 2)]
    assert parts[0] == parts[1] != parts[2] and parts[0][-40:] == LINES[60:]
    counts, others = Counter(parts[0]), Counter(parts[2])
    assert Counter(counts[pair] for pair in LINES[:60]) == {2: 45, 3: 15}
    assert sum(counts[pair] == others[pair] == 3 for pair in LINES) < 9


def test_the_share_asked_for_is_joined_from_neighbours_of_one_file():
    files = LINES[:50], LINES[50:]
    examples = draw_examples([WeightedPairs(file, 20) for file in files], joined=0.3, seed=1)
    lengths = Counter(pair.src.count(".") for pair in examples)
    assert sum(lengths.values()) == 2000 and set(lengths) == {1, 2, 3}
    assert 0.25 < (lengths[2] + lengths[3]) / 2000 < 0.35
    assert abs(lengths[2] - lengths[3]) < 100
    told = [" ".join(pair.src for pair in file) for file in files]
    assert all(any(pair.src in text for text in told) for pair in examples)
    assert all(pair.tgt == pair.src.replace("Line", "Zeile") for pair in examples)


def test_only_sentences_are_joined():
    pairs = [Pair("house", "Haus"), Pair("He sat.", "Er saß."), Pair('"Oh!"', '"Oh!"'), Pair("a tree.", "Baum")]
    assert [is_sentence(pair) for pair in pairs] == [False, True, True, False]
    assert not is_sentence(Pair(" ", "Ja."))
    assert [join_following(pairs, first, 3) for first in range(4)] == [
        pairs[0],
        Pair('He sat. "Oh!"', 'Er saß. "Oh!"'),
        pairs[2],
        pairs[3],
    ]


@each_case(("weight", "joined", "anew"), [(2, 0.0, False), (1, 0.1, True), (1.5, 0.0, True)])
def test_an_epoch_is_drawn_anew_only_where_chance_has_a_part_in_it(tokenizer, weight, joined, anew):
    portions = [WeightedPairs(LINES), WeightedPairs(LINES, weight)]
    assert Epochs(tiny_config(joined=joined), tokenizer, portions).is_redrawn is anew
    assert (draw_examples(portions, joined=joined, seed=1) != draw_examples(portions, joined=joined, seed=2)) is anew


def test_the_tokenizer_learns_from_the_mix_and_from_no_more_of_it_than_is_enough(monkeypatch):
    portions = [WeightedPairs(LINES[:10]), WeightedPairs(LINES[10:], 0.1)]
    texts = list(tokenizer_texts(portions, seed=1))
    assert texts[:2] == ["Line 0.", "Zeile 0."] and len(texts) == 2 * (10 + 9)
    monkeypatch.setattr(epochs, "MAX_TOKENIZER_PAIRS", 12)
    fewer = list(tokenizer_texts(portions, seed=1))
    assert len(fewer) == 24 and set(fewer) < set(texts)
