"""Words that translate each other, by Model 1 against its formulas; heads that align, against weights made by hand."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import torch
from cases import each_case
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.probe import KINDS
from model.training.data import EncodedPair, Pair, encode_pairs
from tools.alignment import (
    Agreement,
    RecordedAttention,
    agreement_table,
    learn_aligner,
    main,
    measure,
    measure_agreement,
    measure_shares,
    record_attention,
    shares_table,
)
from tools.lexicon import ITERATIONS, NULL, Aligner, Lexicon, Words, is_punctuation, join_words, likeliest

# Three source words, the second of two pieces, then the end; two target words, the first of two pieces.
SRC, TGT = Words(("a", "b", "c"), (0, 1, 1, 2)), Words(("x", "y"), (0, 0, 1))


def cross_of(*rows: list[float]) -> np.ndarray:
    """One layer with one head: rows are the queries, the first is fed the start; columns are pieces and the end."""
    return np.array(rows)[None, None]


def found(cross: np.ndarray, links: list[tuple[int, int]]) -> list[float]:
    """Links found in the rows that predict, and in those that are fed."""
    return measure_agreement(cross, links, SRC, TGT).matches[:, 0, 0].tolist()


A, C, MIXED, SPLIT = [1.0, 0, 0, 0, 0], [0, 0, 0, 1.0, 0], [0.4, 0, 0, 0.6, 0], [0.4, 0.3, 0.3, 0, 0]
STRONG, END, NEARLY = [0.9, 0, 0, 0.1, 0], [0, 0, 0, 0, 1.0], [0.4, 0, 0, 0, 0.6]


@each_case(
    ("rows", "links", "expected"),
    [
        # x is predicted in rows 0 and 1 and fed in 1 and 2; y is predicted in row 2 and fed in 3.
        ((A, MIXED, C, A), [(0, 0), (1, 2)], [2, 0]),
        ((C, MIXED, A, C), [(0, 0), (1, 2)], [0, 2]),
        # Weights are summed over a word's pieces as keys, and averaged over its pieces as queries.
        ((SPLIT, SPLIT, SPLIT, SPLIT), [(0, 1), (1, 1)], [2, 2]),
        ((SPLIT, SPLIT, SPLIT, SPLIT), [(0, 0), (1, 0)], [0, 0]),
        ((STRONG, MIXED, END, END), [(0, 0)], [1, 0]),
        # The end of the sentence competes.
        ((NEARLY, NEARLY, NEARLY, NEARLY), [(0, 0), (1, 0)], [0, 0]),
    ],
)
def test_a_link_is_found_by_the_largest_weight_between_words(rows, links, expected):
    assert found(cross_of(*rows), links) == expected


def test_the_last_column_is_the_mean_of_a_layers_heads():
    one, other, third = [0.6, 0, 0, 0.4, 0], [0, 0.3, 0.3, 0.4, 0], [0.5, 0.1, 0, 0.4, 0]
    cross = np.stack([cross_of(row, row, row, row)[0, 0] for row in (one, other, third)])[None]
    counts = measure_agreement(cross, [(0, 2)], SRC, TGT).matches
    assert counts.shape == (2, 1, 4)
    assert counts[0, 0].tolist() == [0, 0, 0, 1]


def test_chance_counts_the_end_and_the_diagonal_is_the_same_place():
    cross = np.full((2, 3, 4, 5), 0.2)
    nothing = measure_agreement(cross, [], SRC, TGT)
    assert (nothing.links, nothing.by_chance, nothing.on_diagonal) == (0, 0, 0) and not nothing.matches.any()
    both = measure_agreement(cross, [(0, 0), (1, 2)], SRC, TGT)
    assert (both.links, both.by_chance, both.on_diagonal) == (2, 0.5, 2)
    assert measure_agreement(cross, [(0, 2), (1, 0)], SRC, TGT).on_diagonal == 0


def test_shares_are_summed_over_rows_and_kept_apart_by_head():
    weights = np.array([[[[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]], [[0, 1.0, 0], [1.0, 0, 0]]]])
    lengths = np.array([[[2.0, 4.0, 1.0], [4.0, 8.0, 2.0]]])
    seen = RecordedAttention(
        weights, lengths, special=np.array([False, False, True]), marks=np.array([False, True, False])
    )
    whole, later = measure_shares(seen), measure_shares(seen, first_row=1)
    np.testing.assert_allclose((whole.special[0], whole.marks[0]), [[[0.9, 0]], [[0.5, 1]]])
    np.testing.assert_allclose((later.special[0], later.marks[0]), [[[0.7, 0]], [[0.2, 0]]])
    assert (whole.rows, later.rows, whole.specials, whole.words) == (2, 1, 1, 1)
    assert (whole.special_length, whole.word_length) == ([1.5], [3.0])


@pytest.fixture
def pair(translator, corpus) -> EncodedPair:
    return encode_pairs([Pair("A cat sleeps.", "Die Katze.")], translator.tokenizer, 32)[0]


def test_what_is_seen_is_what_the_model_returns(translator, pair):
    seen, tokenizer = record_attention(translator, pair), translator.tokenizer
    encoded = translator.encode(pair.src)
    decoded = translator.decode([tokenizer.bos_id, *pair.tgt], encoded)
    layers = {"encoder": encoded.attention, "decoder": decoded.self_attention, "cross": decoded.cross_attention}
    for kind, weights in layers.items():
        assert (seen[kind].weights == torch.cat(weights).numpy()).all()


def test_special_pieces_and_marks_are_those_of_the_keys(translator, pair):
    seen, n_src, n_tgt = record_attention(translator, pair), len(pair.src), len(pair.tgt) + 1
    assert np.flatnonzero(seen["encoder"].special).tolist() == np.flatnonzero(seen["cross"].special).tolist()
    assert np.flatnonzero(seen["cross"].special).tolist() == [n_src - 1]
    assert np.flatnonzero(seen["cross"].marks).tolist() == [n_src - 2]
    assert np.flatnonzero(seen["decoder"].special).tolist() == [0]
    assert np.flatnonzero(seen["decoder"].marks).tolist() == [n_tgt - 1]


def test_lengths_are_those_of_what_a_head_adds_for_a_key_attended_to_alone(translator, pair):
    """The output of attention with the whole weight of head 1 on key 2, and nothing from the other heads."""
    seen = record_attention(translator, pair)
    memory = translator.encode(pair.src).memory
    for layer in range(2):
        attention = translator.model.decoder.layers[layer].cross_attention
        with torch.inference_mode():
            heads = torch.zeros(1, 4, 4)
            heads[0, 1] = attention.keys_values(key=memory, value=memory).v[0, 1, 2]
            added = attention.w_o(heads.flatten(1)) - attention.w_o.bias
        assert seen["cross"].lengths[layer, 1, 2] == pytest.approx(float(added.norm()), rel=1e-5)
    assert {kind: seen[kind].lengths.shape for kind in KINDS} == {
        kind: (2, 4, seen[kind].weights.shape[3]) for kind in KINDS
    }


def test_links_and_shares_are_summed_over_pairs_and_punctuation_is_never_linked(translator):
    """Pairs that teach every word of the first one; both its sides end with a mark."""
    texts = [("The dog sings.", "Der Hund singt."), ("The dog", "Der Hund"), ("The", "Der"), ("sings", "singt")]
    lesson = encode_pairs([Pair(*pair) for pair in texts], translator.tokenizer, 32)
    aligner = learn_aligner(lesson, translator.tokenizer)
    (once, shares), (twice, both) = (measure(translator, aligner, lesson[:1] * count) for count in (1, 2))
    assert (once.links, twice.links) == (3, 6) and (twice.matches == 2 * once.matches).all()
    for kind in KINDS:
        np.testing.assert_allclose(both[kind].special, 2 * shares[kind].special)
    assert shares["decoder"].rows == shares["cross"].rows - 1  # the first sees the start alone


def test_heads_align_that_find_more_than_the_diagonal_and_count_once():
    counts = np.zeros((2, 1, 4))
    counts[0, 0], counts[1, 0] = [5, 4, 6, 10], [7, 0, 0, 10]  # the last is the mean of the heads
    lines = agreement_table(Agreement(10, counts, by_chance=2.0, on_diagonal=4)).splitlines()
    assert lines[0] == "Links found, of 10; by chance 20%, on the diagonal 40%"
    assert lines[2:5:2] == ["In the row that predicts the word:", "layer 1    50%  40%  60%   100%"]
    assert lines[-3:] == [
        "Heads that align, finding more than the diagonal: 2 of 3",
        "  in the row that predicts the word: 2",
        "  in the row that is fed with the word: 1",
    ]


def test_the_table_of_shares_gives_mean_largest_and_the_ratio_of_lengths():
    weights = np.array([[[[0.5, 0.25, 0.25]], [[0.0, 0.75, 0.25]]]])
    lengths = np.array([[[4.0, 1.0, 2.0], [4.0, 1.0, 3.0]]])
    seen = RecordedAttention(
        weights, lengths, special=np.array([False, True, False]), marks=np.array([False, False, True])
    )
    row = shares_table({"cross": measure_shares(seen)}).splitlines()[-1]
    # Times length, head 1 has 2, 0.25 and 0.5, head 2 has 0, 0.75 and 0.75.
    weighted = ["30%", "50%", "34%", "50%"]
    assert row.split() == ["cross", "layer", "1", "50%", "75%", "25%", "25%", *weighted, "0.25"]


def write_pairs(path: Path, corpus: list[str]) -> str:
    path.write_text("".join(f"{src}\t{tgt}\n" for src, tgt in zip(corpus[:8], corpus[8:], strict=True)), "utf-8")
    return str(path)


def test_the_command_prints_both_tables(folder, corpus, tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.tsv", corpus)
    main(["--pairs", pairs, pairs, "--dev", pairs, "--model", str(folder), "--device", "cpu"])
    lines = capsys.readouterr().out.splitlines()
    n_dev = int(lines[0].split()[0])
    assert 1 <= n_dev <= 8 and lines[0] == f"{n_dev} dev pairs, a lexicon of {2 * n_dev} training pairs"
    assert [line.split()[:3] for line in lines[-6:]] == [
        [kind, "layer", layer] for kind in ("encoder", "decoder", "cross") for layer in "12"
    ]


@each_case(
    ("source", "sentence"),
    [
        ("The cat " * 32, "no pair has words on both sides and fits into the model"),
        ("Nothing.", "the training pairs link no word of the dev pairs"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(folder, corpus, tmp_path, source, sentence):
    pairs, dev = write_pairs(tmp_path / "pairs.tsv", corpus), tmp_path / "dev.tsv"
    dev.write_text(f"{source}\tNichts.\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=rf"^python -m tools\.alignment: {sentence}"):
        main(["--pairs", pairs, "--dev", str(dev), "--model", str(folder)])


ENGLISH = ["the house", "the book", "a book", "the the cat", "a house and a cat"]
GERMAN = ["das haus", "das buch", "ein buch", "die katze", "ein haus und eine katze"]


def split(sentences: list[str]) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


def plain_model_1(sources: list[list[str]], targets: list[list[str]]) -> dict[tuple[str, str], float]:
    """The same expectation maximisation, word by word."""
    t = defaultdict(lambda: 1.0)
    for _ in range(ITERATIONS):
        count, of_source = defaultdict(float), defaultdict(float)
        for source, target in zip(sources, targets, strict=True):
            for f in target:
                total = sum(t[f, e] for e in (NULL, *source))
                for e in (NULL, *source):
                    count[f, e] += t[f, e] / total
                    of_source[e] += t[f, e] / total
        t = {(f, e): value / of_source[e] for (f, e), value in count.items()}
    return t


@each_case(
    ("pieces", "words"),
    [
        ("▁A ▁dog .", "a dog ."),
        ("▁Bäck er ei", "bäckerei"),
        ("▁don ' t ▁T - shirt", "don't t-shirt"),
        ("▁ X yl oph on", "xylophon"),
        ("▁end . C at", "end . cat"),
        ("<unk> ▁is", "<unk> is"),
    ],
)
def test_pieces_are_joined_to_words_and_marks_stand_alone(pieces, words):
    found = join_words(pieces.split())
    assert " ".join(found.texts) == words
    joined = ["".join(p for p, w in zip(pieces.split(), found.of_piece, strict=True) if w == i) for i in range(99)]
    assert [text.replace("▁", "").lower() for text in joined if text] == list(found.texts)


@each_case(("piece", "mark"), [(".", True), ("▁„", True), ("...", True), ("a.", False), ("▁", False)])
def test_a_mark_is_punctuation_that_stands_beside_words(piece, mark):
    assert is_punctuation(piece) == mark
    assert not any(map(is_punctuation, ["'", "-", "▁-", "1", "</s>"]))


def test_expectation_maximisation_equals_its_formulas_word_by_word():
    sources, targets = split(ENGLISH), split(GERMAN)
    lexicon, t = Lexicon.learn(sources, targets), plain_model_1(sources, targets)
    assert len(lexicon.t) == len(t)
    for source, target in zip(sources, targets, strict=True):
        expected = [[t[f, e] for e in (NULL, *source)] for f in target]
        np.testing.assert_allclose(lexicon.table(source, target), expected, rtol=1e-12)


def test_words_that_never_met_or_are_unknown_have_no_probability():
    lexicon = Lexicon.learn(split(ENGLISH), split(GERMAN))
    assert lexicon.table(["the", "dog"], ["und", "hund", "das"])[:, 1:].tolist() == [
        [0, 0],
        [0, 0],
        [pytest.approx(lexicon.table(["the"], ["das"])[0, 1]), 0],
    ]


def test_a_link_needs_both_directions_and_known_words():
    aligner = Aligner.learn(split(ENGLISH[:3]), split(GERMAN[:3]))
    assert aligner.links(["the", "old", "book"], ["das", "alte", "buch"]) == [(0, 0), (2, 2)]
    assert aligner.links(["book"], ["das", "buch"]) == [(1, 0)]
    assert aligner.links(["nothing"], ["nichts"]) == []


def test_repeated_words_are_linked_along_the_diagonal():
    aligner = Aligner.learn(split(ENGLISH[:3]), split(GERMAN[:3]))
    source, target = ["the", "book", "the", "house"], ["das", "buch", "das", "haus"]
    assert aligner.links(source, target) == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_null_wins_where_it_is_likelier_or_nothing_is_known():
    table = np.array([[0.5, 0.1, 0.4], [0.0, 0.0, 0.0], [0.1, 0.2, 0.4]])
    assert likeliest(table) == [-1, -1, 1]
