"""Worksheets: the numbers of the trace in words, and nothing of the answers on the sides to work on."""

import re

import numpy as np
import pytest

from explorer.handout.report import worksheet
from explorer.handout.sheets import MAX_WORDS, TooManyWordsError, Worksheet, sheets, worksheet_of
from explorer.recording.trace import record
from explorer.ui.language import LanguageContext, use_language
from model.languages import Language, Languages

SENTENCE = "I know that he bought a new car yesterday."


def sheet_of(weights: list[list[float]]) -> Worksheet:
    rows, columns = np.shape(weights)
    names = [f"w{i}" for i in range(max(rows, columns))]
    return Worksheet(
        sentence="a <b>",
        translation="c & d",
        columns=tuple(names[:columns]),
        rows=tuple(names[:rows]),
        weights=np.array(weights, dtype=float),
        rows_to_guess=tuple(range(rows)),
        rows_to_read=(0, 1),
        heads=2,
    )


def sides_of(sheet: Worksheet) -> list[str]:
    """The HTML of the two sides to work on and of the key."""
    return sheets(sheet).split("<article")[1:]


def test_rows_of_words_are_those_of_the_trace(shipped):
    trace = record(shipped, SENTENCE)
    sheet = worksheet_of(trace)
    assert "gekauft" in sheet.rows and sheet.columns[-1] == "</s>" and "</s>" not in sheet.rows
    np.testing.assert_allclose(sheet.weights.sum(axis=1), 1, atol=1e-5)
    row = sheet.rows.index("gekauft")
    assert sheet.columns[sheet.strongest[row]] == "bought"
    layers, *_ = trace.cross.weights.shape
    step = next(i for i, step in enumerate(trace.steps) if step.predicted.text == "·gekauft")
    source = [piece.text for piece in trace.source].index("·bought")
    exact = trace.cross.weights[layers - 1, :, step, source].astype(np.float64).mean()
    assert abs(sheet.weights[row, sheet.columns.index("bought")] - exact) < 1e-6


def test_every_row_has_its_word_also_where_the_german_begins_with_a_mark(shipped):
    sheet = worksheet_of(record(shipped, "Łódź: 'naïve' café."))
    assert all(sheet.rows) and all(sheet.columns) and sheet.translation.startswith(sheet.rows[0])
    assert all(re.search(r"\w", sheet.rows[row]) for row in (*sheet.rows_to_guess, *sheet.rows_to_read))


def test_lines_that_cross_are_counted():
    assert sheet_of([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).crossings == 0
    assert sheet_of([[0, 0, 1], [0, 1, 0], [1, 0, 0]]).crossings == 3
    assert sheet_of([[0, 1, 0], [0, 1, 0], [1, 0, 0]]).crossings == 2


def test_the_sides_to_work_on_hold_no_answer_and_the_key_holds_them_all():
    sheet = sheet_of([[0.04, 0.96, 0], [0.31, 0.27, 0.42]])
    cell = re.compile(r"<td(?: lang=\"en\" dir=\"ltr\")?>(.*?)</td>")
    cells = [cell.findall(side) for side in sides_of(sheet)]
    assert set(cells[0]) | set(cells[1]) == {""}
    assert cells[2] == ["2  w1", "1.0", "3  w2", "0.4", "0.0", "1.0", "0.0", "0.3", "0.3", "0.4"]
    assert ["<path" in side for side in sides_of(sheet)] == [False, False, True]
    assert "a &lt;b&gt;" in sides_of(sheet)[0]


def test_words_say_their_language():
    sheet = sheet_of([[0.04, 0.96, 0], [0.31, 0.27, 0.42]])
    with use_language(LanguageContext("de", Languages(Language("fr", "French"), Language("nl", "Dutch")))):
        sides = sheets(sheet)
    said = re.findall(r'<(\w+)[^>]* lang="(\w+)"[^>]*>(?:\d )?([^<]+)<', sides)
    assert {("dd", "fr", "a &lt;b&gt;"), ("dd", "nl", "c &amp; d"), ("th", "nl", "w0")} <= {*said}
    assert {("text", "fr", "w2"), ("text", "nl", "w1"), ("td", "fr", " w1")} <= {*said}


def test_the_picture_has_the_rounded_weights():
    shades = re.findall(r'fill-opacity="([\d.]+)"', sides_of(sheet_of([[0.04, 0.96], [0.31, 0.69]]))[1])
    assert shades[:4] == ["0.0", "1.0", "0.3", "0.7"] and len(shades) == 4 + 11


def test_a_sentence_of_too_many_words_is_refused_and_its_report_has_no_worksheet(toy):
    with pytest.raises(TooManyWordsError, match=f"room for {MAX_WORDS}"):
        worksheet(toy, "the " * 30)
