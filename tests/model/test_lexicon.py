"""The lexicon: pieces joined to words, Model 1 against a plain rendering of its formulas, and the links."""

from collections import defaultdict

import numpy as np
import pytest
from cases import each_case

from model.lexicon import ITERATIONS, NULL, Aligner, Lexicon, is_punctuation, join_words, likeliest

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
