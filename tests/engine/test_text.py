"""The engine's tokenizer, tidying and random numbers against those of Python, on lines of every kind."""

import random
import sys
import unicodedata
from pathlib import Path

import pytest
from cases import each_case
from tiny_models import arabic_to_japanese as arabic_to_japanese
from tiny_models import tiny_translator
from visiting import needs_browser

from model.checkpoints import checkpoint
from model.tidying import RULES
from model.tokenizer import WORD_START, Tokenizer

pytestmark = needs_browser

ROOT = Path(__file__).parents[2]
N_LINES = 1000
# Blanks, marks, joiners, ligatures, fractions, full-width and half-width forms, combining marks, scripts, emoji.
AWKWARD = [
    *" \t\n\u00a0\u2003\u3000\u200b\ufeff\u2028\x1c\x85\u2581.,?!;:…'\"«»‹›„“‚‘—–-\u00ad\u2060\u200d",
    *"ﬁ½²Ⅷ①％ＡｂｶﾞがÅ\u0301\u0308\u0327ßẞǅİıſΣς한글漢字ไทยعربي🙂👩\u200d👩\u200d👧\U00010400\U000e0041\ue000\x00\x7f�",
]

CASE_CHANGED = "ʕჼꟲꟳꟴꭩ"  # small letters or not: that differs between Unicode 14 (Python 3.11) and 16


def awkward_lines(words: list[str], count: int) -> list[str]:
    """Random lines: words as they are, cut, joined and in capitals, mixed with awkward characters."""
    rng = random.Random(0)

    def part() -> str:
        word, rare = rng.choice(words), chr(rng.choice((rng.randint(32, 0x2FFF), rng.randint(32, 0xD7FF))))
        forms = (word, word, word.upper(), word[: rng.randint(1, 9)], word[::-1], word.capitalize())
        return rng.choice((*forms, rng.choice(AWKWARD), rare))

    return ["".join(part() + rng.choice(("", "", " ", "  ")) for _ in range(rng.randint(0, 14))) for _ in range(count)]


@pytest.fixture(scope="session")
def lines(shipped) -> list[str]:
    """The lines of our own texts, and awkward ones."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "assets").glob("*.tsv"))]
    written = [part for text in texts for line in text.splitlines() for part in line.split("\t")]
    words = [piece.replace(WORD_START, " ") for piece in shipped.tokenizer.pieces(range(4, 16000))]
    return [*written[:800], "", " ", "   ", *awkward_lines([*words, *" ".join(written).split()], N_LINES)]


def in_parts(lines: list[str]) -> list[list[str]]:
    """Lists that a page takes at once."""
    return [lines[start : start + 50_000] for start in range(0, len(lines), 50_000)]


def assert_same_pieces(in_browser, tokenizer: Tokenizer, name: str, lines: list[str]) -> None:
    found = in_browser("encodeLines", name, lines)
    for line, (ids, surfaces) in zip(lines, found, strict=True):
        assert (ids, surfaces) == (tokenizer.encode(line), tokenizer.surfaces(line)), ascii(line)


def test_lines_have_the_same_pieces(in_browser, shipped, lines):
    assert_same_pieces(in_browser, shipped.tokenizer, "small", lines)


@pytest.mark.thorough
def test_rounding_decides_alike_between_equally_probable_pieces(in_browser, checkpoints):
    """Among words of two letters many segmentations have the same pieces in another order."""
    rng = random.Random(0)
    words = ["".join(rng.choice("ab") for _ in range(rng.randint(1, 12))) for _ in range(3000)]
    tokenizer = Tokenizer.train([" ".join(words[start : start + 6]) for start in range(0, 3000, 6)], vocab_size=90)
    checkpoint.save(tiny_translator(tokenizer), checkpoints / "two-letters")
    lines = ["".join(rng.choice("ab") for _ in range(rng.randint(20, 80))) for _ in range(1000)]
    assert_same_pieces(in_browser, tokenizer, "two-letters", lines)


def test_pieces_make_the_same_text(in_browser, shipped):
    rng, tokenizer = random.Random(1), shipped.tokenizer
    rows = [[rng.choice((rng.randrange(8), rng.randrange(16000))) for _ in range(9)] for _ in range(500)]
    rows += [[], [1], [3, 0, 2]]
    expected = [[tokenizer.decode(row), tokenizer.pieces(row)] for row in rows]
    assert in_browser("decodeIds", "small", rows) == expected


@each_case("rules", [*RULES])
def test_lines_are_tidied_alike(in_browser, lines, rules):
    marked = [
        f"{line[: i % 40]}{mark}{line[i % 40 :]}" for i, line in enumerate(lines[::2]) for mark in (".", " ?", "« A")
    ]
    for line, found in zip(marked, in_browser("tidyLines", rules, marked), strict=True):
        assert found == RULES[rules](line), ascii(line)


@pytest.mark.thorough
def test_every_character_has_the_same_pieces(in_browser, shipped):
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    for part in in_parts([f"a{character} {character}" for character in characters]):
        assert_same_pieces(in_browser, shipped.tokenizer, "small", part)


@pytest.mark.thorough
@each_case("rules", [*RULES])
def test_every_character_is_tidied_alike(in_browser, rules):
    """All that Python's version of Unicode knows and later ones did not change; a browser knows newer letters."""
    characters = map(chr, range(sys.maxunicode + 1))
    known = [c for c in characters if unicodedata.category(c) not in ("Cn", "Cs") and c not in CASE_CHANGED]
    for part in in_parts([f"{c}.A a{c}.{c}x {c}?b ab.{c} {c}, «{c}" for c in known]):
        found = in_browser("tidyLines", rules, part)
        wrong = [line for line, mine in zip(part, found, strict=True) if mine != RULES[rules](line)]
        assert not wrong, ascii(wrong[:50])


def test_lists_are_shuffled_as_by_python(in_browser):
    lengths, seeds = [0, 1, 2, 7, 33, 700], [0, 1, 5, 2**31, 2**32 - 1, 2**32, 2**40 + 7]
    expected = []
    for length in lengths:
        for seed in seeds:
            expected.append([*range(length)])
            random.Random(seed).shuffle(expected[-1])
    assert in_browser("shuffledLists", lengths, seeds) == expected
