"""What the dialog's server function answers: what a browser has no reason to ask for is refused, in a sentence."""

import csv
import io
import json

import numpy as np
import pytest

from explorer.handout import words as handout_words
from explorer.handout.answer import LONGEST as NOTES
from explorer.page.save import server, words
from explorer.page.save.numbers import LONGEST
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record

SENTENCE = "A dog."
ASKED = {
    "sentence": SENTENCE,
    "experiment": None,
    "kind": "encoder",
    "layer": 0,
    "head": 1,
    "measure": "weight",
    "specials": True,
    "words": None,
}
WORDS = {"queries": [[0]], "keys": [[0, 1]], "query_labels": ["A"], "key_labels": ["A d"]}


@pytest.fixture(scope="module")
def save(toy):
    return server(Opened(Recordings(toy), None))


def read_csv(answer: str) -> np.ndarray:
    _, *rows = csv.reader(io.StringIO(json.loads(answer)["text"], newline=""))
    return np.array([row[1:] for row in rows], dtype=np.float64)


def refusal(answer: str) -> str:
    return json.loads(answer)["error"]


def test_pieces_are_joined_as_the_browser_says(save, toy):
    matrix = record(toy, SENTENCE).encoder.matrix(0, 1)
    found = read_csv(save(["csv", {**ASKED, "words": WORDS}]))
    np.testing.assert_allclose(found, [[matrix[0, 0] + matrix[0, 1]]], rtol=1e-6)


def test_words_are_those_of_the_keys_that_are_left(save, toy):
    keys = [i for i, piece in enumerate(record(toy, SENTENCE).decoder.keys) if not piece.special]
    assert keys[0] == 1, "the start is hidden, so that columns and keys are counted differently"
    asked = {**ASKED, "kind": "decoder", "specials": False}
    labels = [f"{key}" for key in keys]
    said = {"queries": [[2]], "keys": [[key] for key in keys], "query_labels": ["A"], "key_labels": labels}
    np.testing.assert_allclose(read_csv(save(["csv", {**asked, "words": said}])), read_csv(save(["csv", asked]))[[2]])
    said = {**said, "keys": [[0]], "key_labels": ["hidden"]}
    assert refusal(save(["csv", {**asked, "words": said}])) == words.REFUSALS["no_matrix"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": {**WORDS, "keys": [[0, 1]] * 5000, "key_labels": ["a"] * 5000}},
        {"words": {**WORDS, "queries": [[0] * 5000]}},
        {"words": {**WORDS, "queries": [], "query_labels": []}},
        {"words": {**WORDS, "keys": [[]]}},
        {"words": {**WORDS, "keys": [[-1]]}},
        {"words": {**WORDS, "keys": [[10**30]]}},
        {"words": {**WORDS, "queries": [[5000]]}},
        {"words": {**WORDS, "queries": [["0"]]}},
        {"words": {**WORDS, "queries": [[True]]}},
        {"words": {**WORDS, "query_labels": []}},
        {"words": {**WORDS, "query_labels": [1]}},
        {"words": {**WORDS, "query_labels": ["a" * (LONGEST + 1)]}},
        {"words": {**WORDS, "more": 1}},
        {"words": [1]},
        {"kind": "other"},
        {"kind": ["cross"]},
        {"layer": 0.5},
        {"layer": True},
        {"layer": None},
        {"head": "rollout"},
        {"head": [1]},
        {"sentence": 3},
        {"specials": "yes"},
        {"measure": {}},
        {"experiment": [1]},
    ],
)
def test_no_other_matrix_is_given(save, wrong):
    assert refusal(save(["csv", {**ASKED, **wrong}])) == words.REFUSALS["no_matrix"]


@pytest.mark.parametrize("index", [-1, 2, 10**30])
def test_a_layer_that_is_not_there_is_named(save, index):
    expected = words.REFUSALS["index"].format(name="layer", last=1, value=index)
    assert refusal(save(["csv", {**ASKED, "layer": index}])) == expected


NO_REQUESTS = [
    *(None, 3, [], {}, "csv", [["csv"]]),
    *(["csv"], ["csv", ASKED, 1], ["json", SENTENCE], ["npz", [SENTENCE], None]),
    *(["report", 3, None, "", {}], ["worksheet"], ["print", None], ["worksheet", {"a": 1}]),
]


@pytest.mark.parametrize("asked", NO_REQUESTS)
def test_what_is_no_request_is_refused(save, asked):
    assert refusal(save(asked)) == words.REFUSALS["no_request"]


@pytest.mark.parametrize("notes", [None, 3, ["a"], "a" * (NOTES + 1)])
def test_notes_are_a_text_of_some_pages(save, notes):
    assert refusal(save(["report", SENTENCE, None, notes, {}])) == handout_words.NOTES.format(limit=NOTES)


def test_notes_of_some_pages_stand_in_the_report(save):
    notes = "a" * NOTES
    assert notes in json.loads(save(["report", SENTENCE, None, notes, {}]))["text"]
