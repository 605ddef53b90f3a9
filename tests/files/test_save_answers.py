"""What the dialog's questions are answered: what a browser has no reason to ask for is refused, in a sentence."""

import csv
import io
import json
import re
from collections.abc import Callable

import numpy as np
import pytest
from cases import each_case

from explorer.handout.report import MAX_NOTES_CHARACTERS
from explorer.handout.sheets import words as handout_words
from explorer.page.save.dialog import save_dialog, words
from explorer.page.save.numbers import MAX_LABEL_CHARS
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.tabs import tab_labels
from explorer.ui import words as shared_words

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
def save(toy) -> Callable[..., str]:
    """The answer to an entry's name and what it asks."""
    app = AppContext(Recordings(toy), None, tab_labels())
    save_dialog(app)
    return lambda entry, *given: app.questions.answer(f"save.{entry}", [*given])


def read_csv(answer: str) -> np.ndarray:
    _, *rows = csv.reader(io.StringIO(json.loads(answer)["text"], newline=""))
    return np.array([row[1:] for row in rows], dtype=np.float64)


def refusal(answer: str) -> str:
    return json.loads(answer)["error"]


def test_pieces_are_joined_as_the_browser_says(save, toy):
    matrix = record(toy, SENTENCE).encoder.matrix(0, 1)
    found = read_csv(save("csv", {**ASKED, "words": WORDS}))
    np.testing.assert_allclose(found, [[matrix[0, 0] + matrix[0, 1]]], rtol=1e-6)


def test_words_are_those_of_the_keys_that_are_left(save, toy):
    keys = [i for i, piece in enumerate(record(toy, SENTENCE).decoder.keys) if not piece.special]
    assert keys[0] == 1, "the start is hidden, so that columns and keys are counted differently"
    asked = {**ASKED, "kind": "decoder", "specials": False}
    labels = [f"{key}" for key in keys]
    said = {"queries": [[2]], "keys": [[key] for key in keys], "query_labels": ["A"], "key_labels": labels}
    np.testing.assert_allclose(read_csv(save("csv", {**asked, "words": said})), read_csv(save("csv", asked))[[2]])
    said = {**said, "keys": [[0]], "key_labels": ["hidden"]}
    assert refusal(save("csv", {**asked, "words": said})) == words.REFUSALS["no_matrix"]


@each_case(
    "wrong",
    [
        {"queries": [[0] * 5000]},
        {"queries": [], "query_labels": []},
        {"keys": [[-1]]},
        {"keys": [[10**30]]},
        {"query_labels": []},
        {"query_labels": ["a" * (MAX_LABEL_CHARS + 1)]},
    ],
)
def test_words_that_do_not_fit_give_no_matrix(save, wrong):
    assert refusal(save("csv", {**ASKED, "words": {**WORDS, **wrong}})) == words.REFUSALS["no_matrix"]


def assert_cannot_be_asked(said: str, place: str) -> None:
    """In a sentence that names the place of the fault."""
    before, after = shared_words.REFUSALS["no_answer"].split("{fault}")
    assert said.startswith(f"{before}{place}") and said.endswith(f".{after}")


@each_case(
    ("wrong", "place"),
    [
        ({"words": {**WORDS, "queries": [["0"]]}}, "words, queries, number 1, number 1:"),
        ({"words": {**WORDS, "query_labels": [1]}}, "words, query_labels, number 1:"),
        ({"words": [1]}, "words:"),
        ({"kind": "other"}, "kind:"),
        ({"layer": True}, "layer"),
        ({"head": "rollout"}, "head"),
        ({"specials": "yes"}, "specials:"),
        ({"experiment": [1]}, "experiment:"),
    ],
)
def test_what_is_no_matrix_is_told_where(save, wrong, place):
    assert_cannot_be_asked(refusal(save("csv", {**ASKED, **wrong})), f"number 1, {place}")


@each_case(
    ("asked", "place"),
    [
        (["csv"], "request: missing"),
        (["csv", ASKED, 1], "number 2:"),
        (["json", SENTENCE], "changes: missing"),
        (["report", 3, None, "", {}], "number 1:"),
        (["worksheet", {"a": 1}], "number 1:"),
    ],
)
def test_what_is_no_request_is_refused(save, asked, place):
    assert_cannot_be_asked(refusal(save(*asked)), place)


def test_an_entry_that_asks_nothing_cannot_be_asked(save):
    with pytest.raises(ValueError, match=re.escape(shared_words.REFUSALS["no_question"])):
        save("svg", SENTENCE)


@each_case("notes", [None, "a" * (MAX_NOTES_CHARACTERS + 1)])
def test_notes_are_a_text_of_some_pages(save, notes):
    assert refusal(save("report", SENTENCE, None, notes, {})) == handout_words.NOTES.format(limit=MAX_NOTES_CHARACTERS)
