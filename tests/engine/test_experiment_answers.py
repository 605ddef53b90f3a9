"""What the engine in the browser answers to experiments, against PyTorch: the same JSON."""

import json
from base64 import b64decode
from itertools import combinations
from random import Random

import numpy as np
import pytest
from cases import each_case, sweep
from marian import TAGS
from same_answers import Question, assert_same_answers
from same_answers import pages as pages
from same_answers import tiny_pages as tiny_pages
from tiny_models import ARABIC
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

from explorer.experiments.running import shuffle_words
from model.probe import KINDS

pytestmark = needs_browser

SENTENCE, OTHER = "A man is riding a bicycle.", "A woman is riding a horse in the park."
LONG = "The little girl in the red dress is playing with a big brown dog in the park, and her mother is reading a book."
HEADS = [["encoder", 1, 2], ["decoder", 0, 1], ["cross", 3, 4], ["cross", 3, 0]]
CELLS = [["encoder", -1, 1], ["encoder", 2, 3], ["decoder", 1, 2]]
NEURONS = [["encoder", 1, 5, 8], ["decoder", 0, 3071, -2.5], ["decoder", 3, 541, 6, None], ["decoder", 3, 541, 0.1, 2]]
HELD = [
    {"neurons": NEURONS},
    {"neurons": [["encoder", 3, 0, 12.25, 1], ["decoder", 2, 594, 0, 1]], "off": HEADS[2:], "hidden": [3]},
]
EIN, END = 115, 3
EXPERIMENTS = [
    {},
    *({"off": HEADS, "off_by": by} for by in ("zero", "mean", "special")),
    {"hidden": [1, 4]},
    {"encoder_positions": "shifted", "decoder_positions": "shifted"},
    {"decoder_positions": "shuffled", "seed": 7, "word_order": 3},
    {"source": f" {OTHER} ", "word_order": 12, "hidden": [2]},
    {"beginning": [EIN, 27]},
    {"beginning": [EIN, 27, 400, END]},
    {"patch": {"sentence": f"{OTHER} ", "cells": CELLS}},
    *HELD,
    {
        "off": HEADS[:1],
        "hidden": [0],
        "beginning": [27],
        "patch": {"sentence": LONG, "heads": HEADS[2:], "cells": CELLS[:1]},
    },
]
REFUSED = [
    {"off": [["cross", 4, 0]]},
    {"off": [["encoder", 0, 8]], "off_by": "mean"},
    {"patch": {"sentence": OTHER, "cells": [["decoder", 4, 0]]}},
    *({"neurons": [neuron]} for neuron in (["decoder", 4, 0, 1], ["encoder", 0, 3072, 1], ["encoder", 0, 0, -1000.5])),
    *({"neurons": [neuron]} for neuron in (["encoder", 0, 0, 1, 8], ["decoder", 0, 0, 1, 9999])),
    {"neurons": [["decoder", 3, 541, 6], ["decoder", 3, 541, 0, None]]},
    {"neurons": [["decoder", 3, index, 1] for index in range(65)]},
    {"patch": {"sentence": " ", "heads": HEADS}},
    {"hidden": [8]},
    {"hidden": [*range(8)]},
    {"hidden": [7], "off": HEADS, "off_by": "special"},
    {"beginning": [0]},
    {"beginning": [99999]},
    {"beginning": [EIN, END, EIN]},
    {"beginning": [EIN] * 129},
    {"encoder_positions": "shifted", "shift": 900},
    {"decoder_positions": "shifted", "shift": 400, "beginning": [EIN] * 120},
    {"source": "日本語"},
    {"source": "a" * 401, "word_order": 1},
]
TARGETS = [
    "Ein Mann fährt Fahrrad.",
    " ",
    "",
    "漢字 und ❶ mehr",
    "bell \x07",
    "a" * 401,
    "x" * 399,
    "so " * 127,
    "so " * 128,
]
REFUSED_SAMPLINGS = [
    {"temperature": temperature, "top_k": k, "top_p": p}
    for temperature, k, p in (
        *((temperature, None, 1) for temperature in (0, 1e-46, 1e300)),
        *((1, k, p) for k, p in ((0, 1), (5, 1.5), (None, 1e-46))),
    )
]
SAMPLINGS = [
    {"temperature": temperature, "top_k": k, "top_p": p}
    for temperature, k, p in ((0.7, 20, 1), (1.2, None, 0.9), (1e-6, None, 1))
]


def runs(sentence: str, experiments: list[dict]) -> list[Question]:
    return [("run", [sentence, experiment]) for experiment in experiments]


# What can be combined, each with everything else.
SINGLE = {
    "off": {"off": HEADS},
    "off by mean": {"off": HEADS[1:3], "off_by": "mean"},
    "hidden": {"hidden": [1, 4]},
    "beginning": {"beginning": [EIN, 27]},
    "encoder": {"encoder_positions": "off"},
    "decoder": {"decoder_positions": "shifted", "shift": 9},
    "order": {"word_order": 3},
    "source": {"source": OTHER},
    "patch": {"patch": {"sentence": LONG, "heads": HEADS[:1], "cells": CELLS[:1]}},
    "neurons": {"neurons": NEURONS},
}


def combined(count: int) -> list[dict]:
    """Changes of two and three kinds, so many of all; the same every time."""
    pairs = [kinds for size in (2, 3) for kinds in combinations(SINGLE, size) if not {"off", "off by mean"} <= {*kinds}]
    chosen = Random(20261129).sample(pairs, count)
    return [{name: value for kind in kinds for name, value in SINGLE[kind].items()} for kinds in chosen]


@pytest.mark.thorough
def test_combinations_of_changes_are_the_same(in_browser, pages):
    experiments = combined(30)
    questions = [*runs(SENTENCE, experiments), *(("overview", [SENTENCE, one]) for one in experiments)]
    assert_same_answers(in_browser, pages["en"], questions)


def test_a_held_neuron_makes_the_german_polite_as_in_pytorch(in_browser, pages):
    car = "Do you have a car?"
    changes = [{"neurons": [["decoder", 3, 541, value]]} for value in (0, 6)]
    found = in_browser("answer", pages["en"].name, [["run", [car, change]] for change in changes])
    assert [json.loads(answer)["translation"] for answer in found] == ["Hast du ein Auto?", "Haben Sie ein Auto?"]
    assert_same_answers(in_browser, pages["en"], runs(car, changes))


def test_logits_and_streams_with_held_neurons_differ_by_rounding_alone(in_browser, pages):
    """The largest difference, as a part of the largest number of its tensor."""
    sites = [["encoder", 3, "feed_forward", "stream"], ["decoder", 3, "feed_forward", "hidden"]]
    sites += [["decoder", layer, "feed_forward", "stream"] for layer in range(4)] + [["decoder", None, None, "logits"]]
    for change in HELD:
        question = ("tensors", [SENTENCE, sites, change])
        (answer,) = in_browser("answer", pages["en"].name, [question])
        both = [json.loads(text)["tensors"] for text in (answer, pages["en"].questions.answer(*question))]
        for mine, theirs in zip(*both, strict=True):
            if "data" in theirs:
                one, other = (np.frombuffer(b64decode(each["data"]), "<f4") for each in (mine, theirs))
                assert np.abs(one - other).max() <= 2e-5 * np.abs(other).max(), theirs["tensor"]


def test_experiments_are_the_same(in_browser, pages):
    questions = [*runs(SENTENCE, EXPERIMENTS), *runs(f" {LONG}", EXPERIMENTS[2:3])]
    questions += [("overview", [SENTENCE, experiment]) for experiment in EXPERIMENTS[7:]]  # others: test_calls.py
    questions += [("weights", [SENTENCE, EXPERIMENTS[3], "cross"])]
    assert_same_answers(in_browser, pages["en"], questions)


@pytest.mark.parametrize("language", sweep(["de", "zh"], "de"))
def test_refusals_and_targets_are_the_same(in_browser, pages, language):
    questions = [*runs(SENTENCE, REFUSED), *runs("", EXPERIMENTS[:2])]
    questions += [("tokenize", [text]) for text in TARGETS]
    questions += [
        *(("scores", [SENTENCE, heads, "zero", []]) for heads in ([["cross", 9, 0]], [["encoder", 0, 8]])),
        ("scores", [SENTENCE, [], "zero", [1234]]),
        *(("scores", [SENTENCE, [], "zero", [], one["neurons"]]) for one in REFUSED if "neurons" in one),
        *(("patching", [SENTENCE, donor, "heads", 0]) for donor in (" ", "bell \x07", f" {SENTENCE}")),
        ("beam", [SENTENCE, 9]),
        ("beam", ["", 0]),
        *(("sample", [SENTENCE, sampling, 1]) for sampling in REFUSED_SAMPLINGS),
        ("sample", [SENTENCE, {"temperature": 1, "top_k": None, "top_p": 1}, 2**32 - 4]),
    ]
    assert_same_answers(in_browser, pages[language], questions)


def test_rankings_are_the_same(in_browser, pages):
    heads = [[kind, layer, head] for kind in KINDS for layer in range(4) for head in range(8)]
    questions = [("scores", [SENTENCE, part, "zero", []]) for part in (heads[28:36], heads[90:])]
    questions += [("scores", [SENTENCE, heads[60:63], by, []]) for by in ("uniform", "mean", "special")]
    assert_same_answers(in_browser, pages["en"], questions)


def test_neurons_off_cost_the_same(in_browser, pages):
    """To 2e-5 for the whole translation: `assert_same_answers` allows more of a tensor."""
    neurons = [
        [stack, layer, i, 0] for stack in ("encoder", "decoder") for layer in range(4) for i in range(5, 541, 67)
    ]
    question = ("scores", [SENTENCE, [], "zero", [], neurons])
    (answer,) = in_browser("answer", pages["en"].name, [question])
    mine, theirs = (json.loads(text)["changes"] for text in (answer, pages["en"].questions.answer(*question)))
    one, other = (np.frombuffer(b64decode(each["data"]), "<f4").reshape(each["shape"]) for each in (mine, theirs))
    assert np.count_nonzero(other.any(axis=1)) > 20  # of the 64 that many fire here
    np.testing.assert_allclose(one.sum(axis=1), other.sum(axis=1), rtol=0, atol=2e-5)


def test_effects_of_hidden_pieces_are_the_same(in_browser, pages):
    questions = [("scores", [LONG, [], "zero", [20, 21, 5]]), ("contributions", [LONG])]
    assert_same_answers(in_browser, pages["en"], questions)


def test_patched_maps_are_the_same(in_browser, pages):
    questions = [("patching", [SENTENCE, OTHER, grid, 0]) for grid in ("encoder", "decoder")]
    questions += [("patching", [SENTENCE, OTHER, "heads", start]) for start in (92, 999)]
    assert_same_answers(in_browser, pages["en"], questions)


def test_beams_and_samples_are_the_same(in_browser, pages):
    questions = [("beam", place) for place in ([SENTENCE, 1], [LONG, 5], ["I like 猫 and 犬.", 2])]
    questions += [("sample", [SENTENCE, sampling, seed]) for sampling, seed in zip(SAMPLINGS, (1, 0, 99), strict=True)]
    assert_same_answers(in_browser, pages["en"], questions)


def test_words_are_shuffled_alike(in_browser):
    texts = [SENTENCE, LONG, "one", "", "?!…", "Why  not\x1cme\u3000...?!", "a . b .", "\u200bx y z!\xa0"]
    cases = [(text, seed) for text in texts for seed in (0, 3, 2**31)]
    assert in_browser("shuffledWords", cases) == [shuffle_words(*case) for case in cases]


def test_long_answers_tell_what_is_done_and_can_be_stopped(in_browser, pages):
    page = pages["en"].name
    parts = {
        ("patching", (SENTENCE, OTHER, "heads", 0)): 1,
        ("scores", (SENTENCE, (("cross", 0, 0),), "zero", ())): 1,
    }
    for (name, arguments), count in parts.items():
        answer, told = in_browser("followedAnswer", page, name, list(arguments))
        assert answer.startswith("{") and len(told) == count
        assert in_browser("followedAnswer", page, name, list(arguments), len(told)) == ["AbortError", told]


FEW_HEADS = [["encoder", 0, 1], ["decoder", 0, 2], ["cross", 0, 0]]
FEW_CELLS = [["encoder", -1, 1], ["decoder", 0, 2]]


def small_experiments(other: str) -> list[dict]:
    return [
        *({"off": FEW_HEADS, "off_by": by} for by in ("zero", "uniform", "special")),
        {"hidden": [1], "encoder_positions": "off"},
        {"decoder_positions": "shuffled", "encoder_positions": "shifted", "shift": 2},
        {"source": other, "word_order": 4, "beginning": [9]},
        {"patch": {"sentence": other, "heads": FEW_HEADS, "cells": FEW_CELLS}},
        {"neurons": [["encoder", 0, 3, -2], ["decoder", 0, 1, 4.5], ["decoder", 0, 2, 0, 1]]},
    ]


TINY = {
    "learned": ("The cat sleeps on the old chair.", "She reads the book."),
    "without-positions": ("The cat sleeps on the old chair.", "She reads the book."),
    "arabic": ARABIC[:2],
    "opus": ("The cat sleeps.", f"{TAGS[0]} She reads the book ?!"),
}


@pytest.mark.thorough
@each_case("name", [*TINY])
def test_other_models_have_the_same_answers(in_browser, tiny_pages, name):
    sentence, other = TINY[name]
    questions = [*runs(sentence, small_experiments(other)), ("tokenize", [other])]
    questions += [("overview", [sentence, experiment]) for experiment in small_experiments(other)]
    questions += [
        ("scores", [sentence, FEW_HEADS, "special", [0, 2]]),
        ("scores", [sentence, [], "zero", [], [["decoder", 0, 3, 0], ["encoder", 0, 5, 0], ["encoder", 0, 9, 2.5, 1]]]),
        ("neurons", [sentence]),
        ("contributions", [sentence]),
        ("beam", [other, 3]),
    ]
    questions += [("patching", [sentence, other, grid, 0]) for grid in ("heads", "encoder", "decoder")]
    assert_same_answers(in_browser, tiny_pages[name], questions)
