"""The answers in the browser against those of Python, which are the one truth: the same JSON."""

import base64
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from cases import each_case
from marian import TAGS, write_tokenizer
from playwright.sync_api import Page
from reference import tiny_model
from tiny_models import ARABIC, MARIAN, RECORD, tiny_translator
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

from explorer.answers.data import answers_data
from explorer.recording.app_context import AppContext
from explorer.recording.examples import examples
from explorer.recording.recordings import Recordings
from explorer.tabs import tab_labels
from explorer.tabs.architecture.tab import architecture_tab
from explorer.tabs.explore.tab import add_questions
from explorer.tabs.inside.tab import inside_tab
from explorer.tabs.masks.tab import masks_tab
from explorer.tabs.positions.tab import positions_tab
from explorer.tabs.predictions.tab import predictions_tab
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import Questions
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.opus.tokenizer import TwoModels, tag_file
from model.probe import KINDS

pytestmark = needs_browser

Question = tuple[str, Sequence[Any]]
SENTENCE = "A man is riding a bicycle."
LONG = "The little girl in the red dress is playing with a big brown dog in the park, and her mother is reading a book."
VERDICTS = Path(__file__).parents[1] / "verdicts.tsv"
REFUSED = ["", " \n", "\ufeff", "a" * 401, "😀" * 400, "bell \x07", "日本語", "z" * 300, "\x85 \x1c"]
TRICKY = [
    'Mr. Smith met Dr. Jones at 10:45. "Stop!" he said. They left, e.g. at 3 p.m. in 1999.',
    "TWO DOGS ARE RUNNING.",
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
]


class PageUnderTest(NamedTuple):
    """A page in a language with its questions, and the name under which the browser answers them."""

    name: str
    context: LanguageContext
    questions: Questions


@pytest.fixture(scope="session")
def call(engine_page: Page) -> Callable[..., Any]:
    def call(name: str, *arguments: Any) -> Any:
        script = "async ([name, values]) => (await import('./tests/answers_driver.js'))[name](...values)"
        return engine_page.evaluate(script, [name, list(arguments)])

    return call


def page_under_test(call, recordings: Recordings, checkpoint_name: str, language: str) -> PageUnderTest:
    context, name = LanguageContext(language, recordings.translator.languages), f"{checkpoint_name}-{language}"
    with use_language(context):
        app = AppContext(recordings, None, tab_labels())
        add_questions(app)
        for add_tab in (inside_tab, predictions_tab, masks_tab, positions_tab, architecture_tab):
            add_tab(app)
        call("open", name, checkpoint_name, answers_data(app))
    return PageUnderTest(name, context, app.questions)


@pytest.fixture(scope="session")
def pages(call, shipped: Translator) -> dict[str, PageUnderTest]:
    """The shipped checkpoint's pages by language."""
    recordings = Recordings(shipped)
    return {language: page_under_test(call, recordings, "small", language) for language in ("en", "de")}


@pytest.fixture(scope="session")
def tiny(call, tokenizer, corpus, arabic_to_japanese, checkpoints, tmp_path_factory) -> dict[str, PageUnderTest]:
    """Pages of random models with what the shipped one has not, by name."""
    learned = tiny_translator(
        tokenizer, positions="learned", d_model=8, d_head=3, d_value=5, n_layers=1, n_decoder_layers=3
    )
    translators = {
        "learned": replace(learned, record={**RECORD, "recipe": {"max_pieces": 31}}),
        "without-positions": tiny_translator(tokenizer, positions="none", tying="none", shared_vocabulary=False),
        "arabic": arabic_to_japanese,
        "opus": opus_translator(corpus, tmp_path_factory.mktemp("opus")),
    }
    found = {}
    for (name, translator), language in zip(translators.items(), ("de", "en", "de", "en"), strict=True):
        checkpoint.save(translator, checkpoints / f"answers-{name}", torch.float32)
        loaded = checkpoint.load(checkpoints / f"answers-{name}")
        found[name] = page_under_test(call, Recordings(loaded), f"answers-{name}", language)
    return found


def opus_translator(corpus: Sequence[str], folder: Path) -> Translator:
    """Starts from padding, and has a tokenizer for each language, and tags."""
    vocabulary = write_tokenizer(folder, corpus, TAGS)
    (folder / "target_tag.json").write_bytes(tag_file(TAGS[1]))
    sizes = {"src_vocab_size": len(vocabulary), "tgt_vocab_size": len(vocabulary), "pad_id": vocabulary["<pad>"]}
    model = tiny_model(**sizes, **MARIAN, max_len=40)
    return Translator(model, TwoModels.load(folder), {**RECORD, "tidying": "none"})


def assert_same_answers(call, page: PageUnderTest, questions: Sequence[Question]) -> None:
    found = call("answer", page.name, [[name, list(arguments)] for name, arguments in questions])
    with use_language(page.context):
        for (name, arguments), mine in zip(questions, found, strict=True):
            theirs = page.questions.answer(name, list(arguments))
            assert_same(parsed(mine), parsed(theirs), f"{name} {arguments}")


def parsed(text: str) -> Any:
    """JSON; the answer to `weights` is only their base64, and Plotly's arrays are lists."""
    return json.loads(text, object_hook=plotly_list) if text.startswith(("{", "[")) else {"weights": text}


def plotly_list(value: dict[str, Any]) -> Any:
    if "bdata" not in value:
        return value
    shape = [int(size) for size in value.get("shape", "-1").split(",")]
    return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).reshape(shape).tolist()


# The largest differences that are allowed: of weights; of other tensors, as a part of the largest number
# (above 1); and of single numbers by their names.
WEIGHTS, STREAMS = 5e-6, 5e-5
PROBABILITIES = ("weights", "unmasked", "mistaken", "mistaken_finite")
ROUNDING = re.compile(
    r"\b(?:0[.,]0e\+00|\d(?:[.,]\d+)?e-0[5-9]|0(?![.,]\d))(?!\w)"
)  # what texts tell of errors of rounding
NUMBER = {"entropy": 5e-5}  # PyTorch adds up the entropy of 16,000 pieces in 32 bits


def assert_same(mine: Any, theirs: Any, place: str) -> None:
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys(), place
        for name in theirs:
            if name in ("data", "weights") and isinstance(theirs[name], str) and " " not in theirs[name]:
                assert_same_numbers(mine[name], theirs[name], f"{place}.{name}")
            else:
                assert_same(mine[name], theirs[name], f"{place}.{name}")
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs), place
        for i, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            assert_same(one, other, f"{place}[{i}]")
    elif isinstance(theirs, float):
        within = NUMBER.get(place.rpartition(".")[2], 1e-5)
        assert math.isclose(mine, theirs, rel_tol=within, abs_tol=within), place
    elif isinstance(theirs, str) and place.startswith(("positions.order", "positions.turn")):
        assert ROUNDING.sub("~", mine) == ROUNDING.sub("~", theirs), place
    else:
        assert mine == theirs, place


def assert_same_numbers(mine: str, theirs: str, place: str) -> None:
    one, other = (np.frombuffer(base64.b64decode(text), "<f4") for text in (mine, theirs))
    name = place.removesuffix(".data").rpartition(".")[2]
    largest = np.abs(other[np.isfinite(other)]).max(initial=1)
    within = WEIGHTS if name in PROBABILITIES else STREAMS * largest
    np.testing.assert_allclose(one, other, rtol=0, atol=within, err_msg=place)


def verdict_sentences() -> list[str]:
    lines = VERDICTS.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[1] for line in lines if line and not line.startswith("#")]


@each_case("language", ["en", "de"])
def test_translations_are_the_same(call, pages, language):
    sentences = [*(example["sentence"] for example in examples()), *TRICKY, *REFUSED, *verdict_sentences()[::8]]
    assert_same_answers(call, pages[language], [("translate", [sentence]) for sentence in sentences])


@pytest.mark.thorough
@each_case("language", ["en", "de"])
def test_many_translations_are_the_same(call, pages, language):
    """Every sentence with a verdict: as it is, without its first letter, and in capitals or twice."""
    sentences = []
    for number, sentence in enumerate(verdict_sentences()):
        sentences += [sentence, sentence[1:], f"{sentence} {sentence}" if number % 2 else sentence.upper()]
    assert_same_answers(call, pages[language], [("translate", [sentence]) for sentence in sentences])


SIDES = ("encoder", "decoder")
BATCHES = [
    ["A man is riding a bicycle.", "", "Two dogs are playing in the snow with a red ball."],
    ["A dog.", "Two dogs are playing in the snow.", "The little girl reads."],
]
REFUSED_BATCHES = [["A dog.", " ", ""], ["A dog.", "日本語", ""], ["", "A dog.", "bell \x07"], ["a", "b", "c", "d"]]


@each_case("language", ["en", "de"])
def test_weights_lengths_heads_and_masks_are_the_same(call, pages, language):
    places = [(kind, layer, (3 * layer + i) % 8) for i, kind in enumerate(KINDS) for layer in (0, 3)]
    questions: list[Question] = []
    for sentence in (SENTENCE, LONG, TRICKY[0]):
        questions += [(name, [sentence, kind]) for name in ("weights", "lengths") for kind in KINDS]
        questions += [("head", [sentence, *place]) for place in places]
    questions += [("masks", [batch, *place]) for batch in BATCHES for place in places]
    questions += [("masks", [batch, "cross", 0, 0]) for batch in REFUSED_BATCHES]
    for name, first in {"head": SENTENCE, "masks": BATCHES[0]}.items():
        questions += [(name, [first, "cross", *place]) for place in ((4, 0), (1234, 8), (3, 8))]
    questions += [(name, [" ", "cross"]) for name in ("weights", "lengths")]
    assert_same_answers(call, pages[language], questions)


@each_case("language", ["en", "de"])
def test_predictions_and_shapes_are_the_same(call, pages, language):
    questions = [("prediction", [sentence, step]) for sentence in (SENTENCE, LONG) for step in (0, 4, 8, 99)]
    questions += [("shapes", [sentence]) for sentence in (SENTENCE, LONG, "")]
    assert_same_answers(call, pages[language], questions)


ORDERS = [
    ("the dog bites the man.", "the man bites the dog."),
    ("a dog", "dog a"),
    ("A man.", "A woman."),
    ("a", " "),
    ("日本語", "a"),
    (LONG, LONG),
]


@each_case("language", ["en", "de"])
def test_positions_are_the_same(call, pages, language):
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
    for sentence in (SENTENCE, LONG):
        questions += [("positions.pieces", [sentence, side, forget]) for side in SIDES for forget in (True, False)]
    questions += [("positions.order", list(pair)) for pair in ORDERS]
    assert_same_answers(call, pages[language], questions)


TINY = {
    "learned": ["The cat sleeps on the old chair.", "She reads the book."],
    "without-positions": ["The cat sleeps on the old chair.", "xyz 漢字", ""],
    "arabic": list(ARABIC[:2]),
    "opus": ["The cat sleeps.", f"{TAGS[0]} She reads the book ?!", TAGS[0], "cats 漢字 and  dogs"],
}


@each_case("name", [*TINY])
def test_other_models_have_the_same_answers(call, tiny, name):
    questions: list[Question] = []
    for sentence in TINY[name]:
        questions += [("translate", [sentence]), ("shapes", [sentence]), ("prediction", [sentence, 1])]
        questions += [(question, [sentence, kind]) for question in ("weights", "lengths") for kind in KINDS]
        questions += [("head", [sentence, kind, 0, 1]) for kind in KINDS]
        questions += [("positions.pieces", [sentence, side, side == "encoder"]) for side in SIDES]
    questions += [("masks", [[*TINY[name][:2], ""], kind, 0, 2]) for kind in KINDS]
    questions += [("positions.order", [TINY[name][0], " ".join(reversed(TINY[name][0].split(" ")))])]
    if name != "without-positions":
        questions += [("positions.table", [20, 3, 6]), ("positions.waves", [20, [0, 1, 5]])]
        questions += [("positions.turn", [20, 0, 3, distance]) for distance in (1, 2)]
        questions += [("positions.similarity", [9, "cosine"])]
    assert_same_answers(call, tiny[name], questions)
