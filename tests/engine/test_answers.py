"""The answers in the browser against those of Python, which are the one truth: the same JSON."""

from pathlib import Path

import pytest
from cases import each_case
from marian import TAGS
from same_answers import Question, assert_same_answers
from same_answers import pages as pages
from same_answers import tiny_pages as tiny_pages
from tiny_models import ARABIC
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

from explorer.recording.examples import examples
from model.probe import KINDS

pytestmark = needs_browser

SENTENCE = "A man is riding a bicycle."
VERDICTS = Path(__file__).parents[1] / "verdicts.tsv"
REFUSED = ["", " \n", "\ufeff", "a" * 401, "😀" * 400, "bell \x07", "日本語", "z" * 300, "Hi,yes." * 57, "\x85 \x1c"]
TRICKY = [
    'Mr. Smith met Dr. Jones at 10:45. "Stop!" he said. They left, e.g. at 3 p.m. in 1999.',
    "TWO DOGS ARE RUNNING.",
    "Keep your fingers crossed, Krzysztof Wojciechowski.",
    "two dogs are running",
    "Zwei Hunde laufen über die Straße, weil sie spielen wollen.",
    "Les deux chiens courent dans la rue.",
    "qwrt zxcv bnmk plkj",
    "I have ❶ black cat and ② dogs 🙂 ☃.",
    "The number 1234567 and the word Donaudampfschifffahrt are rare, Mr Featherstonehaugh.",
    "A man ﬁxes\u00a0the café\u2019s   roof \u2014 in 2,000 steps; www.example.com!",
    "\u001fA man sleeps.\u2029",
    "The dog dog dog dog dog dog is hahahaha.",
    "He said: «Hello! How are you?» Then he left. And she stayed!",
    "I like 猫 and 犬.",
]
NEVER_RIGHT = Path(__file__).parents[1] / "never-right.tsv"


def never_right() -> list[str]:
    """Texts with the faults that a warning knows."""
    lines = NEVER_RIGHT.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[1] for line in lines if not line.startswith("#")]


def verdict_sentences(kind: str = "") -> list[str]:
    """The sentences of which the page is to warn, or may, in this way."""
    rows = [line.split("\t") for line in VERDICTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [sentence for _, sentence, *kinds in filter(lambda row: len(row) > 1, rows) if kind in " ".join(kinds)]


def test_translations_are_the_same(in_browser, pages):
    """Each text in one of the languages of the page; what is refused in all of them."""
    sentences = [
        *(example["sentence"] for example in examples()[:2]),
        *TRICKY,
        *verdict_sentences("missing")[::2],
        *verdict_sentences("repetition")[:2],
        *never_right()[::20],
    ]
    for number, language in enumerate(pages):
        asked = [*sentences[number :: len(pages)], *REFUSED]
        assert_same_answers(in_browser, pages[language], [("translate", [sentence]) for sentence in asked])


@pytest.mark.thorough
@each_case("language", ["en", "de"])
def test_many_translations_are_the_same(in_browser, pages, language):
    """Every text that is never right; and with a verdict as it is, without its first letter, in capitals or twice."""
    sentences = never_right()
    for number, sentence in enumerate(verdict_sentences()):
        sentences += [sentence, sentence[1:], f"{sentence} {sentence}" if number % 2 else sentence.upper()]
    assert_same_answers(in_browser, pages[language], [("translate", [sentence]) for sentence in sentences])


SITES = [["encoder", None, None, "positions"], ["decoder", None, None, "stream"]]
TINY = {
    "learned": ["The cat sleeps on the old chair."],
    "without-positions": ["The cat sleeps on the old chair.", "xyz 漢字", ""],
    "arabic": list(ARABIC[:1]),
    "opus": [f"{TAGS[0]} She reads the book ?!", TAGS[0], "cats 漢字 and  dogs"],
}


@pytest.mark.thorough
@each_case("name", [*TINY])
def test_other_models_have_the_same_answers(in_browser, tiny_pages, name):
    questions: list[Question] = []
    for sentence in TINY[name]:
        questions += [("translate", [sentence]), ("encode", [sentence]), ("tensors", [sentence, SITES])]
        questions += [("overview", [sentence, {}]), ("parameter", ["decoder.layers.0.cross_attention.w_q", 1])]
        questions += [("lens", [sentence, 1]), ("contributions", [sentence])]
        questions += [("norms", [sentence, kind]) for kind in KINDS]
        questions += [("head", [sentence, kind, 0, 1]) for kind in KINDS]
    assert_same_answers(in_browser, tiny_pages[name], questions)
