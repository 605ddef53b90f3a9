"""Excerpts are the model's source itself, and fail where it no longer says what is explained."""

from pathlib import Path

import pytest
from cases import each_case

from explorer.recording.source import excerpt
from model.attention import MultiHeadAttention, causal_mask, padding_mask

ROOT = Path(__file__).parents[2]


@each_case(
    ("function", "expression"),
    [(padding_mask, "ids != pad_id"), (MultiHeadAttention.attend, "self.w_q(query)"), (causal_mask, ".tril()")],
)
def test_an_excerpt_is_the_line_of_the_file_that_it_names(function, expression):
    found = excerpt(function, expression)
    assert (ROOT / found.file).read_text().splitlines()[found.line - 1].strip() == found.text
    assert expression in found.text


def over_several_lines(values: list[int]) -> int:
    """A docstring that speaks of sum(values) is no code."""
    values = sorted(values)
    return sum(
        values,
    )


def test_a_statement_over_several_lines_is_shown_whole():
    assert excerpt(over_several_lines, "    values,").text == "return sum(\n    values,\n)"


@each_case(("expression", "count"), [("no such thing", 0), ("sum(values)", 0), ("values", 2)])
def test_an_expression_that_is_not_in_exactly_one_statement_is_refused(expression, count):
    with pytest.raises(ValueError, match=f"in {count} statements"):
        excerpt(over_several_lines, expression)
