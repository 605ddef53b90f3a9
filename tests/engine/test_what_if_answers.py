"""The answers of What if in the browser against those of Python: the same JSON."""

from cases import each_case
from same_answers import Question, assert_same_answers
from same_answers import call as call
from same_answers import pages as pages
from same_answers import tiny_pages as tiny_pages
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

pytestmark = needs_browser

SENTENCE, OTHER = "A man is riding a bicycle.", "A woman is riding a horse in the park."
LONG = "The little girl in the red dress is playing with a big brown dog in the park, and her mother is reading a book."
HEADS = [["encoder", 1, 2], ["decoder", 0, 1], ["cross", 3, 4], ["cross", 3, 0]]
CELLS = [["encoder", -1, 1], ["encoder", 2, 3], ["decoder", 1, 2]]
EIN, END = 115, 3
EXPERIMENTS = [
    {},
    *({"off": HEADS, "off_by": by} for by in ("zero", "uniform", "mean", "special")),
    {"off": HEADS[2:3]},
    {"hidden": [1, 4]},
    *({"encoder_positions": how, "decoder_positions": how} for how in ("off", "shuffled", "shifted")),
    {"decoder_positions": "shuffled", "seed": 7, "word_order": 3},
    {"encoder_positions": "shifted", "shift": 31},
    {"source": f" {OTHER} "},
    {"word_order": 5},
    {"source": OTHER, "word_order": 12, "hidden": [2]},
    {"beginning": [EIN, 27]},
    {"beginning": [EIN, 27, 400, END]},
    {"patch": {"sentence": OTHER, "heads": HEADS}},
    {"patch": {"sentence": f"{OTHER} ", "cells": CELLS}},
    {
        "off": HEADS[:1],
        "hidden": [0],
        "beginning": [27],
        "patch": {"sentence": LONG, "heads": HEADS[2:], "cells": CELLS[:1]},
    },
]
REFUSED = [
    {"off": [["cross", 9, 0]]},
    {"off": [["encoder", 0, 8]], "off_by": "mean"},
    {"patch": {"sentence": OTHER, "cells": [["decoder", 6, 0]]}},
    {"patch": {"sentence": " ", "heads": HEADS}},
    {"hidden": [1234]},
    {"hidden": [*range(9)]},
    {"hidden": [8], "off": HEADS, "off_by": "special"},
    {"beginning": [0]},
    {"beginning": [99999]},
    {"beginning": [EIN, END, EIN]},
    {"beginning": [EIN] * 129},
    {"encoder_positions": "shifted", "shift": 900},
    {"source": "日本語"},
    {"source": "a" * 401, "word_order": 1},
]
TARGETS = ["Ein Mann fährt Fahrrad.", " ", "", "漢字 und ❶ mehr", "bell \x07", "a" * 401, "x" * 399, 7]


def runs(sentence: str, experiments: list[dict]) -> list[Question]:
    return [("lab.run", [sentence, experiment]) for experiment in experiments]


def test_experiments_are_the_same(call, pages):
    questions = [*runs(SENTENCE, EXPERIMENTS), *runs(f" {LONG}", EXPERIMENTS[::4])]
    questions += [("lab.weights", [SENTENCE, EXPERIMENTS[3], kind]) for kind in ("encoder", "decoder", "cross")]
    assert_same_answers(call, pages["en"], questions)


@each_case("language", ["en", "de"])
def test_refusals_and_targets_are_the_same(call, pages, language):
    questions = [*runs(SENTENCE, [*REFUSED, *EXPERIMENTS[5:7]]), *runs("", EXPERIMENTS[:2])]
    questions += [("lab.target", [text]) for text in TARGETS]
    assert_same_answers(call, pages[language], questions)
