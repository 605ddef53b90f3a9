"""Inside: the arithmetic of a cell is that of the pass, and excerpts are the lines of the model that compute it."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.notebook.cell import Arithmetic, cell
from explorer.recording.code_excerpts import excerpt
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.head import Head, head_of
from explorer.recording.trace import record
from explorer.tabs.inside.tab import stages
from model.attention import MultiHeadAttention, causal_mask, padding_mask
from model.decoding import Translator
from model.probe import KINDS, Site

MODELS = {
    "as the paper": {},
    "values wider than keys": {"d_head": 3, "d_value": 5},
    "one head without bias": {"attention_bias": False, "n_heads": 1},
}
SENTENCE = "The cat sleeps."


def passed(translator: Translator, sentence: str) -> ForwardPass:
    return record_pass(translator, record(translator, sentence, max_steps=9))


@pytest.fixture(params=MODELS, scope="module")
def tiny(request, tokenizer) -> Translator:
    return tiny_translator(tokenizer, **MODELS[request.param])


def assert_near(found, expected, within: float = 1e-5) -> None:
    """Relative to the largest number of the tensor."""
    expected = np.asarray(expected, dtype=np.float64)
    np.testing.assert_allclose(found, expected, rtol=0, atol=within * np.abs(expected).max())


def assert_as_in_the_pass(found: Arithmetic, head: Head, query: int, key: int) -> None:
    assert_near(found.q, head.q[query])
    assert_near(found.k, head.k[key])
    assert_near(found.product, head.q[query] * head.k[key])
    scaled = np.abs(head.scores[query]).max()
    assert abs(found.dot / np.sqrt(len(found.q)) - head.scores[query, key]) <= 1e-5 * scaled
    assert abs(found.score - head.scores[query, key]) <= 1e-5 * scaled
    assert_near(found.scores, head.scores[query])
    np.testing.assert_array_equal(found.masked == -np.inf, ~head.mask[query])
    np.testing.assert_allclose(found.weights, head.weights[query], rtol=0, atol=1e-6)
    assert_near(found.weighted, head.weights[query][:, None] * head.v)
    assert_near(found.head_output, head.heads[query, head.index])
    assert_near(found.concatenated, head.heads[query].ravel())
    assert_near(found.output, head.output[query])


@each_case("kind", KINDS)
def test_every_stage_is_as_in_the_pass(tiny, kind):
    config, forward_pass = tiny.model.config, passed(tiny, SENTENCE)
    for layer, index in product(range(config.n_layers), range(config.n_heads)):
        head = head_of(forward_pass, kind, layer, index)
        queries, keys = head.mask.shape
        for query in range(queries):
            key = (query + index) % keys
            assert_as_in_the_pass(cell(head, query, key), head, query, key)


def test_a_cell_outside_the_map_and_a_head_outside_the_model_are_refused(toy):
    forward_pass = passed(toy, "A dog.")
    for place in ((99, 0), (-1, 0)):
        with pytest.raises(IndexError, match="must be from 0 to"):
            cell(head_of(forward_pass, "encoder", 0, 0), *place)
        with pytest.raises(ValueError, match="must be from 0 to"):
            head_of(forward_pass, "encoder", *place)


def sizes(translator: Translator, head: Head) -> dict[str, int]:
    config = translator.model.config
    queries, keys = head.mask.shape
    per_head = {"d_head": config.d_head, "d_value": config.d_value}
    axes = {"batch": 1, "head": config.n_heads, "query": queries, "key": keys, "d_model": config.d_model}
    return {**axes, **per_head, "head·d_value": config.n_heads * config.d_value}


@each_case("kind", KINDS)
def test_the_shapes_told_are_those_of_the_pass(tokenizer, kind):
    translator = tiny_translator(tokenizer, d_head=3, d_value=5)
    forward_pass = passed(translator, SENTENCE)
    head = head_of(forward_pass, kind, 1, 2)
    site = Site("encoder" if kind == "encoder" else "decoder", 1, "cross_attention" if kind == "cross" else None)
    site = site if kind == "cross" else site._replace(sublayer="self_attention")
    told = {name: shape for stage in stages(kind) for name, shape in stage.shapes.items()}
    for name in ("q", "k", "v", "scores", "weights", "heads", "output"):
        expected = tuple(sizes(translator, head)[axis] for axis in told[name].split())
        assert forward_pass.tensors[site._replace(tensor=name)].shape == expected, name
    assert told["q k^T"] == told["scores"]
    assert head.heads.reshape(len(head.mask), -1).shape == (len(head.mask), 4 * 5)


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
