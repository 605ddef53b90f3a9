"""Worksheets: the numbers of the trace in words, and nothing of the answers on the sides to work on."""

import re
from typing import Any

import numpy as np
import pytest
from by_node import derive, in_node, needs_node

from explorer.handout.worksheet import MAX_WORDS, require_room, sheet_settings, worksheet
from explorer.recording.payload import trace_json
from explorer.recording.trace import record
from explorer.ui.language import LanguageContext, use_language
from model.errors import UserError
from model.languages import Language, Languages

pytestmark = needs_node
SENTENCE = "I know that he bought a new car yesterday."
FULL = "The little girl in the dress is playing with a dog in the park, and her mother is reading a book."
CREATED = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { worksheetOf } from "./explorer/derived/worksheet.js";
    const names = { start: "(start)", end: "(end)" };
    console.log(JSON.stringify(worksheetOf(createTrace(JSON.parse(readFileSync(0)), { names }))));
"""
PAGES = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { sheetsHtml } from "./explorer/handout/worksheet_pages.js";
    const { trace, settings } = JSON.parse(readFileSync(0));
    const pages = () => {
      try {
        return sheetsHtml(createTrace(trace, { names: settings.tokenNames }), settings);
      } catch (error) {
        return `${error.constructor.name}: ${error.message}`;
      }
    };
    console.log(JSON.stringify(pages()));
"""
DRAWN = """
    import { drawSheets } from "./explorer/handout/worksheet_pages.js";
    const { sheet, settings } = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(drawSheets(sheet, settings)));
"""


def worksheet_of(trace) -> dict[str, Any]:
    """The worksheet of a trace, as worksheet.js has it; its weights as an array."""
    sheet = in_node(CREATED, trace_json(trace))
    return {**sheet, "weights": np.array(sheet["weights"])}


def sheet_of(weights: list[list[float]]) -> dict[str, Any]:
    rows, columns = np.shape(weights)
    names = [f"w{i}" for i in range(max(rows, columns))]
    strongest = np.argmax(weights, axis=1).tolist()
    return {
        "sentence": "a <b>",
        "translation": "c & d",
        "columns": names[:columns],
        "rows": names[:rows],
        "weights": weights,
        "rowsToGuess": [*range(rows)],
        "rowsToRead": [0, 1],
        "strongest": strongest,
        "crossings": 0,
    }


def sides_of(sheet: dict[str, Any]) -> list[str]:
    """The HTML of the two sides to work on and of the key."""
    return in_node(DRAWN, {"sheet": sheet, "settings": sheet_settings(2)}).split("<article")[1:]


def test_rows_of_words_are_those_of_the_trace(shipped):
    trace = record(shipped, SENTENCE)
    sheet = worksheet_of(trace)
    assert "gekauft" in sheet["rows"] and sheet["columns"][-1] == "(end)" and "(end)" not in sheet["rows"]
    np.testing.assert_allclose(sheet["weights"].sum(axis=1), 1, atol=1e-5)
    row = sheet["rows"].index("gekauft")
    assert sheet["columns"][sheet["strongest"][row]] == "bought"
    layers, *_ = trace.cross.weights.shape
    step = next(i for i, step in enumerate(trace.steps) if step.predicted.text == "·gekauft")
    source = [piece.text for piece in trace.source].index("·bought")
    exact = trace.cross.weights[layers - 1, :, step, source].astype(np.float64).mean()
    assert abs(sheet["weights"][row, sheet["columns"].index("bought")] - exact) < 1e-6
    entropy = -(sheet["weights"] * np.log(np.maximum(sheet["weights"], 1e-12))).sum(axis=1)
    assert max(sheet["rowsToGuess"], key=entropy.__getitem__) in sheet["rowsToRead"]  # there is most to read in it


def test_every_row_has_its_word_also_where_the_german_begins_with_a_mark(shipped):
    sheet = worksheet_of(record(shipped, "Łódź: 'naïve' café."))
    assert all(sheet["rows"]) and all(sheet["columns"]) and sheet["translation"].startswith(sheet["rows"][0])
    assert all(re.search(r"\w", sheet["rows"][row]) for row in (*sheet["rowsToGuess"], *sheet["rowsToRead"]))


def test_lines_that_cross_are_counted():
    assert derive("worksheet", "countCrossings", [0, 1, 2]) == 0
    assert derive("worksheet", "countCrossings", [2, 1, 0]) == 3
    assert derive("worksheet", "countCrossings", [1, 1, 0]) == 2


def test_the_sides_to_work_on_hold_no_answer_and_the_key_holds_them_all():
    sheet = sheet_of([[0.04, 0.96, 0], [0.31, 0.27, 0.42]])
    cell = re.compile(r"<td(?: lang=\"en\" dir=\"ltr\")?>(.*?)</td>")
    cells = [cell.findall(side) for side in sides_of(sheet)]
    assert set(cells[0]) | set(cells[1]) == {""}
    assert cells[2] == ["2  w1", "1.0", "3  w2", "0.4", "0.0", "1.0", "0.0", "0.3", "0.3", "0.4"]
    assert ["<path" in side for side in sides_of(sheet)] == [False, False, True]
    key = sides_of(sheet)[2]
    dots, lines = re.findall(r'cy="([\d.]+)"', key), re.findall(r"M\S+ (\S+)L\S+ ([^\s\"]+)", key)
    assert lines == [(dots[1], dots[3]), (dots[2], dots[4])]  # three words to the left, to two on the right
    assert "a &lt;b&gt;" in sides_of(sheet)[0]


def test_words_say_their_language():
    sheet = sheet_of([[0.04, 0.96, 0], [0.31, 0.27, 0.42]])
    with use_language(LanguageContext("de", Languages(Language("fr", "French"), Language("nl", "Dutch")))):
        sides = in_node(DRAWN, {"sheet": sheet, "settings": sheet_settings(2)})
    said = re.findall(r'<(\w+)[^>]* lang="(\w+)"[^>]*>(?:\d )?([^<]+)<', sides)
    assert {("dd", "fr", "a &lt;b&gt;"), ("dd", "nl", "c &amp; d"), ("th", "nl", "w0")} <= {*said}
    assert {("text", "fr", "w2"), ("text", "nl", "w1"), ("td", "fr", " w1")} <= {*said}


def test_the_picture_has_the_rounded_weights():
    shades = re.findall(r'fill-opacity="([\d.]+)"', sides_of(sheet_of([[0.04, 0.96], [0.31, 0.69]]))[1])
    assert shades[:4] == ["0.0", "1.0", "0.3", "0.7"] and len(shades) == 4 + 11


def test_a_sentence_of_too_many_words_is_refused_by_the_command_and_by_the_page_alike(toy, shipped):
    with pytest.raises(UserError, match=f"room for {MAX_WORDS}"):
        worksheet(toy, "the " * 30)
    for sentence, fits in ((FULL, True), (FULL.replace("little", "little old"), False)):
        trace = record(shipped, sentence)
        try:
            require_room(trace)
            refusal = None
        except UserError as error:
            refusal = f"UserError: {error}"
        pages = in_node(PAGES, {"trace": trace_json(trace), "settings": sheet_settings(8)})
        assert (refusal is None) == fits and (pages.count("<article") == 3 if fits else pages == refusal), sentence
