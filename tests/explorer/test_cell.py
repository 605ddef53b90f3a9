"""The arithmetic of a cell is that of the pass, and excerpts are the lines of the model that compute it."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from by_node import in_node, needs_node
from cases import each_case
from tiny_models import tiny_translator
from torch import Tensor

from explorer.notebook.cell import Arithmetic, cell
from explorer.recording.code_excerpts import excerpt
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.head import Head, head_of
from explorer.recording.payload import tensor_json
from explorer.recording.trace import record
from model.attention import MultiHeadAttention, causal_mask, padding_mask
from model.decoding import Translator
from model.probe import KINDS

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


EQUATIONS = """
    const { equationOf, mistakesOf } = await import("./explorer/tabs/whole/boards/equation.js");
    const { Tensor, decodeTensors, multiply } = await import("./explorer/ui/tensor.js");
    const plain = (rows) => rows.map((row) => Array.from(row));
    const given = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify(given.map(({ head, w_o, index, kind }) => {
      const tensors = { ...decodeTensors(head), index };
      const equations = Object.fromEntries(
        [null, ...mistakesOf(tensors, { kind, dropout: 0.25 })]
          .map((mistake) => [mistake, equationOf(tensors, mistake, 0.25)]));
      const { products, mix } = equations[null];
      const added = plain(multiply(mix, new Tensor(w_o).rows));
      const weights = Object.entries(equations).map(([mistake, equation]) => [mistake, plain(equation.weights)]);
      return { products: plain(products), mix: plain(mix), added, weights: Object.fromEntries(weights) };
    })));
"""


def mistaken_weights(head: Head) -> dict[str, Tensor]:
    """The weights under each mistake that the head can show, computed another way."""
    masked = np.where(head.mask, head.scores, -np.inf)
    rows = {"undivided": masked * np.sqrt(head.q.shape[1])}
    if not head.mask.all():
        rows |= {"unmasked": head.scores, "turned": np.where(head.mask.T, head.scores, -np.inf)}
    by_row = {name: torch.as_tensor(scores).softmax(1) for name, scores in rows.items()}
    return {**by_row, "columns": torch.as_tensor(masked).softmax(0)}


@needs_node
@each_case("kind", KINDS)
def test_a_heads_equation_is_that_of_the_pass_and_mistakes_are_as_computed_otherwise(tiny, kind):
    forward_pass, config = passed(tiny, SENTENCE), tiny.model.config
    heads = [head_of(forward_pass, kind, 0, index) for index in range(config.n_heads)]
    w_o = np.split(heads[0].w_o.weight.T, config.n_heads)
    tensors = [{name: tensor_json(tensor) for name, tensor in head.tensors().items()} for head in heads]
    given = [{"head": tensors[i], "w_o": tensor_json(w_o[i]), "index": i, "kind": kind} for i in range(config.n_heads)]
    found = in_node(EQUATIONS, given)
    assert_near(sum(np.array(each["added"]) for each in found) + heads[0].w_o.bias, heads[0].output)
    for head, each in zip(heads, found, strict=True):
        assert_near(each["products"], head.q @ head.k.T)
        assert_near(each["mix"], head.weights @ head.v)
        dropped = np.array(each["weights"].pop("dropped"))
        kept = np.isclose(dropped, head.weights / 0.75, rtol=1e-5)
        assert (kept | (dropped == 0)).all() and kept.any()
        expected = {"null": head.weights, **mistaken_weights(head)}
        if kind != "encoder":
            expected["mislabelled"] = head.weights
        assert each["weights"].keys() == expected.keys()
        for name, weights in expected.items():
            np.testing.assert_allclose(each["weights"][name], weights, rtol=0, atol=1e-5)
