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
LONG = "The little girl in the red dress is playing with a big brown dog in the park, and her mother is reading a book."
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


def verdict_sentences(kind: str = "") -> list[str]:
    """The sentences of which the page is to warn, or may, in this way."""
    rows = [line.split("\t") for line in VERDICTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [sentence for _, sentence, *kinds in filter(lambda row: len(row) > 1, rows) if kind in " ".join(kinds)]


def test_translations_are_the_same(in_browser, pages):
    """Each text in one of the languages of the page; what is refused in all of them."""
    sentences = [
        *(example["sentence"] for example in examples()[:2]),
        *TRICKY,
        *verdict_sentences("missing"),
        *verdict_sentences("repetition")[:3],
        *(line.split("\t")[1] for line in NEVER_RIGHT.read_text(encoding="utf-8").splitlines() if line[0] != "#"),
    ]
    for number, language in enumerate(pages):
        asked = [*sentences[number :: len(pages)], *REFUSED]
        assert_same_answers(in_browser, pages[language], [("translate", [sentence]) for sentence in asked])


@pytest.mark.thorough
@each_case("language", ["en", "de"])
def test_many_translations_are_the_same(in_browser, pages, language):
    """Every sentence with a verdict: as it is, without its first letter, and in capitals or twice."""
    sentences = []
    for number, sentence in enumerate(verdict_sentences()):
        sentences += [sentence, sentence[1:], f"{sentence} {sentence}" if number % 2 else sentence.upper()]
    assert_same_answers(in_browser, pages[language], [("translate", [sentence]) for sentence in sentences])


SIDES = ("encoder", "decoder")


def test_heads_are_the_same(in_browser, pages):
    places = [(kind, layer, (3 * layer + i) % 8) for i, kind in enumerate(KINDS) for layer in (0, 3)]
    questions: list[Question] = []
    for sentence in (SENTENCE, TRICKY[0]):
        questions += [("inside.head", [sentence, *place]) for place in places]
    questions += [("inside.head", [SENTENCE, "cross", *place]) for place in ((4, 0), (1234, 8), (3, 8))]
    assert_same_answers(in_browser, pages["en"], questions)


def test_predictions_and_shapes_are_the_same(in_browser, pages):
    questions = [("prediction", [SENTENCE, step]) for step in (0, 4, 99)]
    questions += [("shapes", [sentence]) for sentence in (LONG, "")]
    assert_same_answers(in_browser, pages["de"], questions)


ORDERS = [
    ("the dog bites the man.", "the man bites the dog."),
    ("a dog", "dog a"),
    ("A man.", "A woman."),
    ("a", " "),
    ("日本語", "a"),
    (LONG, LONG),
]


def test_positions_are_the_same(in_browser, pages):
    questions: list[Question] = [("positions.table", place) for place in ([60, 3, 6], [2, 140, 201], [256, 255, 0])]
    questions += [("positions.waves", [40, [0, 1, 64, 129, 255]]), ("positions.waves", [2, []])]
    questions += [("positions.similarity", [30, measure]) for measure in ("dot product", "cosine")]
    questions += [("positions.turn", place) for place in ([60, 4, 2, 3], [2, 0, 127, 128], [90, 254, 0, 1])]
    questions += [("positions.table", [257, 0, 0]), ("positions.table", [4, 256, 0]), ("positions.table", [4, 0, 256])]
    questions += [
        ("positions.waves", [4, [256]]),
        ("positions.turn", [4, 256, 0, 1]),
        ("positions.turn", [4, 0, 128, 1]),
    ]
    questions += [("positions.pieces", [SENTENCE, side, forget]) for side in SIDES for forget in (True, False)]
    questions += [("positions.order", list(pair)) for pair in ORDERS]
    assert_same_answers(in_browser, pages["de"], questions)


TINY = {
    "learned": ["The cat sleeps on the old chair."],
    "without-positions": ["The cat sleeps on the old chair.", "xyz 漢字", ""],
    "arabic": list(ARABIC[:1]),
    "opus": [f"{TAGS[0]} She reads the book ?!", TAGS[0], "cats 漢字 and  dogs"],
}


@each_case("name", [*TINY])
def test_other_models_have_the_same_answers(in_browser, tiny_pages, name):
    questions: list[Question] = []
    for sentence in TINY[name]:
        questions += [
            ("translate", [sentence]),
            ("shapes", [sentence]),
            ("prediction", [sentence, 1]),
        ]
        questions += [("norms", [sentence, kind]) for kind in KINDS]
        questions += [("inside.head", [sentence, kind, 0, 1]) for kind in KINDS]
        questions += [("positions.pieces", [sentence, side, side == "encoder"]) for side in SIDES]
    questions += [("positions.order", [TINY[name][0], " ".join(reversed(TINY[name][0].split(" ")))])]
    if name != "without-positions":
        questions += [("positions.table", [20, 3, 6]), ("positions.waves", [20, [0, 1, 5]])]
        questions += [("positions.turn", [20, 0, 3, distance]) for distance in (1, 16)]
        questions += [("positions.similarity", [9, "cosine"])]
    assert_same_answers(in_browser, tiny_pages[name], questions)
