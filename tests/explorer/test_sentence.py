"""The visitor's sentence: what is refused in which words, and which remarks it earns."""

import dataclasses
import re

import pytest
from cases import each_case

from explorer.recording.sentence import check_sentence, notes
from explorer.recording.trace import record
from explorer.recording.warnings import warnings


@each_case(
    ("text", "reason"),
    [
        ("", "nothing to translate"),
        ("a" * 401, "401 characters; the limit is 400"),
        ("漢字 漢字", "knows none of these characters"),
        ("A bell \x07 rings.", r"control character U\+0007"),
        ("A \ud800 alone.", r"control character U\+D800"),
        ("a " * 128, "129 pieces, including its end; the view shows at most 128"),
        ("x9" * 128, r"\d{3} pieces, including its end"),
    ],
)
def test_text_that_cannot_be_translated_is_refused_in_a_sentence(shipped, text, reason):
    with pytest.raises(ValueError, match=reason) as refused:
        check_sentence(text, shipped)
    assert re.fullmatch(r"[A-Z][^{}\n]+\.", str(refused.value))


@each_case("text", ["  A dog.  ", "<script>alert(1)</script>", "A dog 😀 runs.", "a " * 127, "One\nTwo"])
def test_unusual_text_is_accepted(shipped, text):
    assert check_sentence(text, shipped) == text.strip()
    assert record(shipped, check_sentence(text, shipped)).steps


def test_an_ordinary_sentence_earns_no_remark(shipped):
    trace = record(shipped, "A man in a blue shirt is standing on a ladder.")
    sure = tuple(step._replace(probability=0.9) for step in trace.steps)
    assert notes(dataclasses.replace(trace, steps=sure)) == []


def test_a_missing_end_and_unsure_steps_are_remarked_on(toy):
    trace = record(toy, "The cat sleeps.", min_steps=4, max_steps=4)
    assert any("limit of 4 steps" in warning.text for warning in warnings(trace))
    assert any("unsure" in note for note in notes(trace))
