"""The files of numbers that the browser makes against those of Python: the same labels, and numbers written alike."""

import base64
import csv
import io
import json
import math
import zipfile
from typing import Any

import numpy as np
from same_answers import assert_same, parsed
from same_answers import pages as pages
from visiting import needs_browser

from explorer.ui.language import use_language

pytestmark = needs_browser

SENTENCE, OTHER = "A man is riding a bicycle.", 'He said: "Two dogs", and then -2 = 0.'
EXPERIMENT = {"off": [["cross", 3, 4]], "off_by": "mean", "patch": {"sentence": OTHER, "heads": [["encoder", 1, 2]]}}
WORDS = {
    "queries": [[0], [1, 2], [3, 4, 5]],
    "keys": [[0], [1, 2], [4, 5]],
    "query_labels": ["<s>", "+a, b", "c"],
    "key_labels": ["A", "man\nis", "7"],
}


def csv_request(**changes: Any) -> dict[str, Any]:
    choice = {"kind": "cross", "layer": 3, "head": "mean", "measure": "weight", "specials": True, "words": None}
    return {"sentence": SENTENCE, "experiment": None, **choice, **changes}


REQUESTS = [
    csv_request(),
    csv_request(layer=2, head=5, specials=False),
    csv_request(kind="decoder", layer="mean", head="max", experiment={}),
    csv_request(kind="encoder", layer="max", head="mean", specials=False, sentence=OTHER),
    *(csv_request(kind=kind, layer="rollout") for kind in ("decoder", "cross")),
    csv_request(measure="length", layer=0, head=1),
    csv_request(measure="length", layer="mean", head="max", specials=False, kind="encoder"),
    csv_request(experiment=EXPERIMENT, layer=1, head=1),
    csv_request(layer=1, head=1, words=WORDS),
    csv_request(layer=1, words=WORDS, specials=False),
]
REFUSED = [
    csv_request(layer=4),
    csv_request(head=8),
    csv_request(measure="length", layer="rollout"),
    csv_request(measure="length", experiment=EXPERIMENT),
    csv_request(sentence=" "),
    csv_request(experiment={"off": [["cross", 9, 0]]}),
    csv_request(words={**WORDS, "keys": [[0], [1], [99]]}),
    csv_request(words={**WORDS, "key_labels": ["a", "b"]}),
    csv_request(words={**WORDS, "keys": [[-1], [1], [2]]}),
    csv_request(words={**WORDS, "queries": [], "query_labels": []}),
    csv_request(words={**WORDS, "query_labels": ["a", "b", "c" * 10_001]}),
]


def both_answers(in_browser, page, questions: list[Any]) -> list[tuple[Any, Any]]:
    found = in_browser("answer", page.name, questions)
    with use_language(page.context):
        return [
            (parsed(mine), parsed(page.questions.answer(*each))) for mine, each in zip(found, questions, strict=True)
        ]


def is_rounded_to_32_bits(cell: str) -> bool:
    return cell == str(np.float32(cell))


def assert_same_cells(mine: str, theirs: str) -> None:
    assert math.isclose(float(mine), float(theirs), rel_tol=5e-5, abs_tol=5e-6)
    assert mine in (str(float(mine)), str(np.float32(mine)))


def test_tables_are_the_same(in_browser, pages):
    for mine, theirs in both_answers(in_browser, pages["en"], [["save.csv", [request]] for request in REQUESTS]):
        tables = [[*csv.reader(io.StringIO(answer["text"], newline=""))] for answer in (mine, theirs)]
        assert [row[0] for row in tables[0]] == [row[0] for row in tables[1]] and tables[0][0] == tables[1][0]
        cells = [[cell for row in table[1:] for cell in row[1:]] for table in tables]
        for one, other in zip(*cells, strict=True):
            assert_same_cells(one, other)
        assert all(map(is_rounded_to_32_bits, cells[0])) == all(map(is_rounded_to_32_bits, cells[1]))


def test_refused_tables_have_the_same_reasons(in_browser, pages):
    for mine, theirs in both_answers(
        in_browser, pages["de"], [["save.csv_unchanged", [request]] for request in REFUSED]
    ):
        assert mine == theirs and "error" in mine


def test_whole_translations_are_the_same(in_browser, pages):
    questions = [["save.json", [SENTENCE, changes]] for changes in (None, {}, EXPERIMENT)]
    for mine, theirs in both_answers(in_browser, pages["en"], questions):
        file, expected = json.loads(mine["text"]), json.loads(theirs["text"])
        assert_same(file, expected, "save.json")
        numbers = np.ravel(file["trace"]["attention"]["encoder"]["weights"])
        assert all(str(np.float32(number)) == str(float(number)) for number in numbers)


def test_arrays_are_the_same(in_browser, pages):
    [answers] = both_answers(in_browser, pages["de"], [["save.npz", [OTHER, EXPERIMENT]]])
    mine, theirs = (np.load(io.BytesIO(base64.b64decode(answer["base64"]))) for answer in answers)
    assert [*mine] == [*theirs]
    for name in theirs:
        assert (mine[name].dtype, mine[name].shape) == (theirs[name].dtype, theirs[name].shape), name
        if theirs[name].dtype.kind == "f":
            np.testing.assert_allclose(mine[name], theirs[name], rtol=5e-5, atol=5e-6, err_msg=name)
        else:
            np.testing.assert_array_equal(mine[name], theirs[name], name)
    assert zipfile.ZipFile(io.BytesIO(base64.b64decode(answers[0]["base64"]))).testzip() is None
