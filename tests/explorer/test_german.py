"""The checks of German in the browser against those of Python, over many words and numbers."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from by_node import in_node, needs_node

from explorer.answers.data import german_data
from explorer.recording.numbers import missing_numbers
from explorer.recording.splitting import Word
from explorer.recording.vocabulary import vocabulary

pytestmark = needs_node
TESTS = Path(__file__).parents[1]


def bare(text: str) -> list[Word]:
    return [Word(word, (i,)) for i, word in enumerate(text.split())]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """Sentences with a translation, and each with that of another: most numbers are missing there."""
    lines = (TESTS.parent / "docs" / "own-sentences.tsv").read_text(encoding="utf-8").splitlines()
    own = [tuple(line.split("\t")[:2]) for line in lines]
    tricky = [
        ("It costs $1,234.56 at 10:30 or 5 p.m.", "Es kostet 1.234,56 $ um halb elf oder 17 Uhr."),
        ("He sold 3,482 cars in 1.5 years.", "Er verkaufte 3 482 Autos in 1,50 Jahren."),
        ("Flight LH2374 at six-thirty, see www.a.org", "Flug LH2347 um halb sieben, siehe www. a.org"),
        ("Half past twelve is ٣ or ½ or 45.", "Halb eins ist fünfundvierzig."),
        ("The fourth of July, room 0 and 100.", "Der vierte Juli, Zimmer hundert."),
    ]
    both = [*own, *tricky]
    return [*both, *((english, german) for (english, _), (_, german) in pairwise(both))]


def test_the_browser_finds_the_same_words(pairs):
    words = sorted({word.bare for pair in pairs for text in pair for word in bare(text)})
    script = """
        const { Vocabulary } = await import("./explorer/answers/vocabulary.js");
        const [data, words] = JSON.parse(readFileSync(0)), vocabulary = new Vocabulary(data);
        console.log(JSON.stringify(words.map((word) => [vocabulary.isGerman(word), vocabulary.isEnglish(word)])));
    """
    known = vocabulary()
    found = [[known.is_german(word), known.is_english(word)] for word in words]
    assert in_node(script, [german_data()["vocabulary"], words]) == found
    assert all(0.2 < sum(column) / len(words) < 0.8 for column in zip(*found, strict=True))


def test_the_browser_misses_the_same_numbers(pairs):
    script = """
        const { Numbers } = await import("./explorer/answers/numbers.js");
        const [data, pairs] = JSON.parse(readFileSync(0)), numbers = new Numbers(data);
        const missing = ([words, german]) => numbers.missing(words, german).map(({ text }) => text);
        console.log(JSON.stringify(pairs.map(missing)));
    """
    given = [[[word_json(word) for word in bare(english)], german] for english, german in pairs]
    found = [[word.text for word in missing_numbers(bare(english), german)] for english, german in pairs]
    assert in_node(script, [json.loads(json.dumps(german_data()["numbers"])), given]) == found
    assert len([one for one in found if one]) > 20


def word_json(word: Word) -> dict[str, object]:
    return {"text": word.text, "clean": word.clean, "bare": word.bare, "isNumber": word.is_number}
