"""Sentence pairs, read and written, their batches, and the epochs of a run: the same again after a resumption."""

import gzip
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
import torch
from cases import each_case
from sacrebleu.metrics.bleu import BLEU
from tiny_training import pairs as pairs
from tiny_training import tiny_config

from model.errors import UserError
from model.tidying import english
from model.training import epochs
from model.training.data import (
    Batch,
    EncodedPair,
    Pair,
    WeightedPairs,
    batch_indices,
    batches,
    collate,
    encode_pairs,
    prefetch,
    read_pairs,
    roughen,
    shard,
    split_weight,
)
from model.training.epochs import Epochs, draw_examples, is_sentence, join_following, tokenizer_texts
from model.training.trainer import Position
from tools import interpolate, numerals

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
    with pytest.raises(UserError, match=r"bad\.tsv line 3: "):
        read_pairs([tmp_path / "bad.tsv"])


@each_case(
    ("encoding", "seems"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("cp1252", "Windows-1252 or another")]
)
@each_case("packed", [False, True])
def test_a_file_that_is_no_utf8_is_refused_with_the_line_and_what_it_seems_to_be(tmp_path, encoding, seems, packed):
    lines = "The dog.\tDer Hund.\n\nThe cat sleeps.\tDie Katze schläft.\n"
    path = tmp_path / ("a.tsv.gz" if packed else "a.tsv")
    path.write_bytes((gzip.compress if packed else bytes)(lines.encode(encoding)))
    line = 3 if encoding == "cp1252" else 1
    with pytest.raises(UserError, match=rf"{path} line {line} is no text in UTF-8; it seems to be {seems}"):
        read_pairs([path])


def test_blank_lines_of_a_file_of_pairs_are_left_out_and_counted(tmp_path, caplog):
    (tmp_path / "a.tsv").write_text("\ufeffBread\tBrot\n\n \t\n" + LINES + "\n", encoding="utf-8")
    assert read_pairs([tmp_path / "a.tsv"]) == [Pair("Bread", "Brot"), *PAIRS]
    assert caplog.messages == [f"{tmp_path / 'a.tsv'}: 3 blank lines are left out."]
    (tmp_path / "a.tsv").write_text("\n\nno translation\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 3: expected a source"):
        read_pairs([tmp_path / "a.tsv"])


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
    assert batch.tgt_out.flatten()[batch.piece_indices].tolist() == [7, 8, 3, 4, 4, 4, 3] and batch.pieces == 7


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
    predicted = torch.cat([share.tgt_out.flatten()[share.piece_indices] for share in shares]).tolist()
    whole = collate(batch, tokenizer)
    assert sorted(predicted) == sorted(whole.tgt_out.flatten()[whole.piece_indices].tolist())
    assert {share.pieces for share in shares} == {whole.pieces} == {len(predicted)}


def test_what_is_made_ahead_comes_in_order_and_an_error_where_its_item_is_due():
    def broken() -> Iterator[int]:
        yield from range(40)
        raise OSError("the disk is gone")

    items = prefetch(broken())
    assert [next(items) for _ in range(40)] == list(range(40))
    with pytest.raises(OSError, match="the disk is gone"):
        next(items)


def first(count: int, stream: Iterator[Batch]) -> list[list[list[int]]]:
    """The sources of so many batches."""
    return [batch.src.tolist() for batch in itertools.islice(stream, count)]


def test_every_epoch_brings_all_pairs_in_another_order(tokenizer, pairs):
    run = Epochs(tiny_config(), tokenizer, [WeightedPairs(pairs)])
    count = len(run.batches(run.pairs(0), 0))
    source = run.stream(Position())
    seen = [[next(source).src.tolist() for _ in range(count)] for _ in range(3)]
    assert all(len({str(row) for batch in epoch for row in batch}) == len(pairs) for epoch in seen)
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_every_epoch_draws_and_roughens_its_mix_anew_and_a_resumed_one_as_before(tokenizer, pairs):
    files = [WeightedPairs(pairs, 1.5), WeightedPairs(pairs[::-1], 0.25)]
    run = Epochs(tiny_config(joined=0.3, sampling=0.1, as_typed=0.5), tokenizer, files)
    drawn = [run.pairs(epoch) for epoch in range(3)]
    assert drawn[0] != drawn[1] != drawn[2] != drawn[0]
    counts = [len(run.batches(pairs, epoch)) for epoch, pairs in enumerate(drawn)]
    whole = first(sum(counts), run.stream(Position()))
    part = first(counts[1] - 2 + counts[2], run.stream(Position(epoch=1, batch_of_epoch=2)))
    assert part == whole[counts[0] + 2 :]
    assert first(sum(counts), run.stream(Position(), processes=2)) == whole


NUMBERED = [Pair(f"Line {i}.", f"Zeile {i}.") for i in range(100)]


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
    with pytest.raises(UserError, match=rf"a.tsv={number}: the weight .* not {number}"):
        split_weight(f"a.tsv={number}")


def test_an_epoch_holds_every_pair_as_often_as_the_weight_says_and_another_seed_takes_another_part():
    files = [WeightedPairs(NUMBERED[:60], 2.25), WeightedPairs(NUMBERED[60:], 1)]
    parts = [draw_examples(files, joined=0.0, seed=seed) for seed in (1, 1, 2)]
    assert parts[0] == parts[1] != parts[2] and parts[0][-40:] == NUMBERED[60:]
    counts, others = Counter(parts[0]), Counter(parts[2])
    assert Counter(counts[pair] for pair in NUMBERED[:60]) == {2: 45, 3: 15}
    assert sum(counts[pair] == others[pair] == 3 for pair in NUMBERED) < 9


def test_the_share_asked_for_is_joined_from_neighbours_of_one_file():
    files = NUMBERED[:50], NUMBERED[50:]
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
    portions = [WeightedPairs(NUMBERED), WeightedPairs(NUMBERED, weight)]
    assert Epochs(tiny_config(joined=joined), tokenizer, portions).is_redrawn is anew
    assert (draw_examples(portions, joined=joined, seed=1) != draw_examples(portions, joined=joined, seed=2)) is anew


def test_the_tokenizer_learns_from_the_mix_and_from_no_more_of_it_than_is_enough(monkeypatch):
    portions = [WeightedPairs(NUMBERED[:10]), WeightedPairs(NUMBERED[10:], 0.1)]
    texts = list(tokenizer_texts(portions, seed=1))
    assert texts[:2] == ["Line 0.", "Zeile 0."] and len(texts) == 2 * (10 + 9)
    monkeypatch.setattr(epochs, "MAX_TOKENIZER_PAIRS", 12)
    fewer = list(tokenizer_texts(portions, seed=1))
    assert len(fewer) == 24 and set(fewer) < set(texts)


def test_a_file_holds_each_source_once_with_a_reachable_target(shipped, tmp_path, monkeypatch):
    monkeypatch.setattr(interpolate.command, "load", lambda options: shipped)
    source, out = tmp_path / "pairs.tsv", tmp_path / "nearest.tsv.gz"
    references = ["Zwei Hunde rennen durch den Schnee.", "Zwei Hunde laufen im Schnee."]
    source.write_text("".join(f"Two dogs are running in the snow.\t{text}\n" for text in references), encoding="utf-8")
    interpolate.main(["--pairs", str(source), "--out", str(out)])
    ids = shipped.source_ids("Two dogs are running in the snow.")
    (candidates,) = interpolate.hypotheses(shipped, [ids], 5)
    (pair,) = read_pairs([out])
    assert len(set(candidates)) == 5 and candidates[0] == shipped.translate([pair.src], 5)[0]
    bleu = BLEU(effective_order=True)
    best = max(bleu.sentence_score(text, references).score for text in candidates)
    assert pair.tgt in candidates and bleu.sentence_score(pair.tgt, references).score == pytest.approx(best)


def test_a_name_that_would_be_read_as_plain_text_is_refused(capsys):
    with pytest.raises(SystemExit):
        interpolate.main(["--pairs", "pairs.tsv", "--out", "nearest.tsv"])
    assert "a name that ends with .gz, not nearest.tsv" in capsys.readouterr().err


def test_sources_without_pieces_are_left_out(shipped):
    assert interpolate.interpolate(shipped, [Pair(" ", "nichts")], beam=2, number=5) == []


def test_numbers_and_times_are_written_by_rule(tmp_path, capsys):
    numerals.main(["--out", str(tmp_path / "numerals.tsv.gz"), "--number", "999"])
    found = read_pairs([tmp_path / "numerals.tsv.gz"])
    assert f"{len(found)} pairs" in capsys.readouterr().out and len(set(found)) == len(found)
    texts = dict(found)
    assert texts["I have twenty-one books."] == "Ich habe einundzwanzig Bücher."
    assert texts["It is half past twelve."] == "Es ist halb eins."
    assert texts["It is quarter to one."] == "Es ist Viertel vor eins."
    assert texts["It is one o'clock."] == "Es ist ein Uhr."
    assert texts["The shop closes at 9 p.m."] == "Das Geschäft schließt um 21 Uhr."
