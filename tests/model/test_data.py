"""Sentence pairs: reading them, leaving some out, the shift, and batches that can be continued."""

import gzip
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
import torch
from cases import each_case

from model.tidying import english
from model.training.data import (
    EncodedPair,
    Pair,
    batch_indices,
    batches,
    collate,
    encode_pairs,
    prefetch,
    read_pairs,
    roughen,
    shard,
)

LINES = "The cat sleeps.\tDie Katze schläft.\nThe dog.\tDer Hund.\ta further column\n"
PAIRS = [Pair("The cat sleeps.", "Die Katze schläft."), Pair("The dog.", "Der Hund.")]


def random_pairs(count: int) -> list[EncodedPair]:
    """Pairs of 1 to 20 pieces a side; the first pieces tell every pair apart."""
    rng = random.Random(0)
    sides = [[[i, *range(rng.randrange(1, 20))] for _ in range(2)] for i in range(10, 10 + count)]
    return [EncodedPair(src, tgt) for src, tgt in sides]


def test_pairs_are_read_from_tsv_and_gz_in_order(tmp_path):
    plain, packed = tmp_path / "a.tsv", tmp_path / "b.tsv.gz"
    plain.write_text(LINES, encoding="utf-8")
    packed.write_bytes(gzip.compress(b"Bread\tBrot\r\n"))
    assert read_pairs([packed, plain]) == [Pair("Bread", "Brot"), *PAIRS]


def test_a_line_without_a_tab_is_refused_by_file_and_line(tmp_path):
    (tmp_path / "bad.tsv").write_text(LINES + "no translation\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.tsv line 3: "):
        read_pairs([tmp_path / "bad.tsv"])


def test_sources_end_with_eos_and_pairs_with_an_empty_side_are_left_out(tokenizer):
    pairs = [Pair("", "Die Katze."), PAIRS[0], Pair("The cat.", ""), Pair("  ", "Die Katze.")]
    ((src, tgt),) = encode_pairs(pairs, tokenizer, max_pieces=100)
    assert src == [*tokenizer.encode("The cat sleeps."), tokenizer.eos_id]
    assert tgt == tokenizer.encode("Die Katze schläft.")


@each_case("pair", [Pair("The cat", "Die"), Pair("The", "Die Katze")])
def test_pairs_longer_than_max_pieces_are_left_out(tokenizer, pair):
    longer = max(len(tokenizer.encode(side)) for side in pair)
    assert len(encode_pairs([pair], tokenizer, max_pieces=longer + 1)) == 1
    assert encode_pairs([pair], tokenizer, max_pieces=longer) == []


def test_the_target_is_fed_behind_bos_and_predicted_up_to_eos(tokenizer):
    batch = collate([EncodedPair([5, 6, 3], [7, 8]), EncodedPair([9, 3], [4, 4, 4])], tokenizer)
    assert batch.src.tolist() == [[5, 6, 3], [9, 3, 0]]
    assert batch.tgt_in.tolist() == [[2, 7, 8, 0], [2, 4, 4, 4]]
    assert batch.tgt_out.tolist() == [[7, 8, 3, 0], [4, 4, 4, 3]]
    assert batch.tgt_out.flatten()[batch.places].tolist() == [7, 8, 3, 4, 4, 4, 3] and batch.pieces == 7


@each_case("batch_tokens", [25, 1000])
def test_no_side_of_a_batch_exceeds_the_token_budget(tokenizer, batch_tokens):
    epoch = list(batches(random_pairs(200), tokenizer, batch_tokens, seed=1))
    sizes = [(batch.src.numel(), batch.tgt_in.numel()) for batch in epoch]
    assert max(map(max, sizes)) <= batch_tokens
    # And a batch is not needlessly small: two of them would not fit the budget together.
    assert len(epoch) < 2 * sum(map(max, sizes)) / batch_tokens + 20


def test_a_pair_longer_than_the_budget_gets_a_batch_of_its_own():
    pairs = [EncodedPair([5] * 30, [6]), EncodedPair([5, 3], [6])]
    assert sorted(batch_indices(pairs, 10, seed=0)) == [[0], [1]]


def test_an_epoch_holds_every_pair_once_in_batches_of_like_length_that_come_in_no_order():
    pairs = random_pairs(200)
    indices = batch_indices(pairs, 60, seed=1)
    assert sorted(i for batch in indices for i in batch) == list(range(200)) and all(indices)
    lengths = [sorted(pairs[i].length for i in batch) for batch in indices]
    assert all(shorter[-1] <= longer[0] for shorter, longer in pairwise(sorted(lengths)))
    assert lengths not in (sorted(lengths), sorted(lengths, reverse=True))


def test_as_typed_drops_the_final_mark_or_the_capitals_and_nothing_else():
    sentence = "Did Tom see the U.S. flag?"
    variants = {roughen(sentence, random.Random(seed)) for seed in range(40)}
    assert variants == {sentence, sentence.lower(), sentence[:-1], sentence[:-1].lower()}
    assert roughen("...", random.Random(1)) == roughen("...", random.Random(2)) == "..."


def test_roughening_depends_on_the_seed_alone_and_touches_the_share_it_should(tokenizer, corpus):
    pairs = [Pair(text, text) for text in corpus * 20]
    plain = encode_pairs(pairs, tokenizer, 80)
    rough = encode_pairs(pairs, tokenizer, 80, as_typed_part=0.4, seed=3)
    assert rough == encode_pairs(pairs, tokenizer, 80, as_typed_part=0.4, seed=3)
    changed = [ours.src != theirs.src for ours, theirs in zip(rough, plain, strict=True)]
    assert 0.2 < sum(changed) / len(changed) < 0.4  # a quarter of the roughened stay as they are
    assert [pair.tgt for pair in rough] == [pair.tgt for pair in plain]


def test_sampled_pieces_differ_but_say_the_same(tokenizer, corpus):
    pairs = [Pair(text, text) for text in corpus]
    plain, one, again, other = (
        encode_pairs(pairs, tokenizer, 80, sampling=alpha, seed=seed)
        for alpha, seed in ((0.0, 1), (0.1, 1), (0.1, 1), (0.1, 2))
    )
    assert one == again != other != plain
    for pair, text in zip(one, corpus, strict=True):
        assert tokenizer.decode(pair.src[:-1]) == tokenizer.decode(pair.tgt) == text


def test_the_share_of_sources_is_sampled_and_no_target(tokenizer, corpus):
    pairs = [Pair(text, text) for text in corpus * 20]
    plain = encode_pairs(pairs, tokenizer, 80)
    some = encode_pairs(pairs, tokenizer, 80, sampling=0.1, sampled_sources=0.25, seed=3)
    changed = [ours.src != theirs.src for ours, theirs in zip(some, plain, strict=True)]
    assert 0.12 < sum(changed) / len(changed) < 0.33  # now and then the likeliest segmentation is drawn
    assert [pair.tgt for pair in some] == [pair.tgt for pair in plain]


def test_a_source_is_read_as_the_rules_of_its_language_write_it(tokenizer):
    typed, printed = Pair("The cat\u2014cold.", "a"), Pair("The cat - cold.", "a")
    assert encode_pairs([typed], tokenizer, 80, tidy=english) == encode_pairs([printed], tokenizer, 80)
    assert encode_pairs([typed], tokenizer, 80) != encode_pairs([printed], tokenizer, 80)


@each_case(("pairs", "count"), [(7, 3), (2, 4)])
def test_shares_hold_every_piece_of_a_batch_once_and_know_how_many_there_are(tokenizer, pairs, count):
    batch = [EncodedPair([5, 3], list(range(10, 12 + 3 * i))) for i in range(pairs)]
    shares = [shard(batch, tokenizer, rank=rank, count=count) for rank in range(count)]
    predicted = torch.cat([own.tgt_out.flatten()[own.places] for own in shares]).tolist()
    whole = collate(batch, tokenizer)
    assert sorted(predicted) == sorted(whole.tgt_out.flatten()[whole.places].tolist())
    assert {own.pieces for own in shares} == {whole.pieces} == {len(predicted)}


def test_what_is_made_ahead_comes_in_order_and_an_error_where_its_item_is_due():
    def broken() -> Iterator[int]:
        yield from range(40)
        raise OSError("the disk is gone")

    items = prefetch(broken())
    assert [next(items) for _ in range(40)] == list(range(40))
    with pytest.raises(OSError, match="the disk is gone"):
        next(items)
