"""BLEU and chrF of the panel Your German, which JavaScript computes, against sacreBLEU's sentence scores."""

import random
from itertools import product

import pytest
from by_node import in_node, needs_node
from sacrebleu import sentence_bleu, sentence_chrf

pytestmark = needs_node

SCORES = """
    import { bleu, chrf } from "./explorer/drawer/score/metrics.js";
    const pairs = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(pairs.map((pair) => [bleu(...pair), chrf(...pair)])));
"""
ODD = [
    "",
    " ",
    "Ja",
    "ja",
    ".",
    "...!?",
    "Ein Hund",
    "Ein Hund bellt.",
    "ein Hund bellt!",
    "Ein Hund bellt , weil er 1.234,50 Euro kostet.",
    "Ein Hund bellt, weil er 1,5 Euro kostet",
    "Ü ä ö ß Größe Grösse",
    "Gro\u0308ße der Größe",
    "„Hallo“, sagte er: 'Geh!' Dann »ging« er.",
    '"Hallo", sagte er - und ging.',
    "&quot;Tom &amp; Anna&quot; &lt;3 &amp;lt; &gt;",
    '"Tom & Anna" <3 < >',
    "Er ist 3-mal da, 1990-1995, z.B. im E-Mail-Text.",
    "Zeile eins-\nzwei\nTrenn-",
    "<skipped>nichts<skipped>",
    "der der der der der der der",
    "der Hund der Hund der Hund",
    "a\u00a0b\x1cc\x85d\ufeffe\u2028f",
    "Smile 😀, 😀.😀 犬",
    "[ein] {Satz} (in) ~Klammern~ `und` a/b @c #d $e %f ^g *h +i =j |k \\l _m",
]
WORDS = ["der", "Hund", "läuft", "schläft", "Garten", "und", ",", ".", "!", "1,5", "2.000", "3-mal", "„Ja“", "&amp;"]


def sentences(seed: int) -> list[tuple[str, str]]:
    """Pairs of made-up sentences: the second one is the first with some words replaced, left out or added."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(100):
        reference = rng.choices(WORDS, k=rng.randint(1, 16))
        changed = [rng.choice([word, word, word, rng.choice(WORDS), "", f"{word} {word}"]) for word in reference]
        pairs.append((" ".join(reference), " ".join(changed)))
    return pairs


def test_bleu_and_chrf_are_those_of_sacrebleu():
    pairs = [*product(ODD, ODD), *sentences(seed=1)]
    for pair, (bleu, chrf) in zip(pairs, in_node(SCORES, pairs), strict=True):
        expected = sentence_bleu(pair[0], [pair[1]])
        orders = bleu["orders"]
        assert [order["matched"] for order in orders] == expected.counts, pair
        assert [order["totals"][0] for order in orders] == expected.totals, pair
        assert bleu["lengths"] == [expected.sys_len, expected.ref_len], pair
        found = [bleu["score"], bleu["penalty"], *(order["precision"] for order in orders)]
        assert found == pytest.approx([expected.score, expected.bp, *expected.precisions], abs=1e-10), pair
        assert f"{bleu['score']:.2f}" == f"{expected.score:.2f}", pair
        assert f"{chrf['score']:.2f}" == f"{sentence_chrf(pair[0], [pair[1]]).score:.2f}", pair
        assert chrf["score"] == pytest.approx(sentence_chrf(pair[0], [pair[1]]).score, abs=1e-10), pair
