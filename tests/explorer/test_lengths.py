"""The parts of an attention sub-layer add up to its output, and their lengths are what the attention view shows."""

import numpy as np
import pytest
import torch
from tiny_models import tiny_translator

from explorer import head_of, lengths, parts, record, record_pass
from explorer.recording.forward_pass import Pass
from explorer.recording.lengths import strongest_key_changes
from explorer.recording.trace import AttentionMap, Piece, Query
from model.probe import ATTENTION, KINDS

MODELS = {
    "as the paper": {},
    "values wider than keys": {"d_head": 3, "d_value": 5},
}


@pytest.fixture(params=MODELS, scope="module")
def whole(request, tokenizer) -> Pass:
    """A pass of a random model with odd sizes, whose biases are not 0."""
    translator = tiny_translator(tokenizer, **MODELS[request.param])
    random = torch.Generator().manual_seed(3)
    for name, parameter in translator.model.named_parameters():
        if name.endswith(("w_v.bias", "w_o.bias")):
            parameter.data.normal_(generator=random)
    return record_pass(translator, record(translator, "She reads an old book.", max_steps=9))


def test_the_parts_of_all_heads_and_keys_and_the_bias_are_the_sub_layers_output(whole):
    for kind in KINDS:
        found = lengths(whole, kind)
        for layer in range(whole.model.config.n_layers):
            own = parts(whole, kind, layer)
            output = whole.tensors[ATTENTION[kind]._replace(layer=layer, tensor="output")][0]
            np.testing.assert_allclose(own.vectors.sum(axis=(0, 2)) + own.bias, output, atol=1e-5)
            np.testing.assert_allclose(np.linalg.norm(own.vectors, axis=-1), found[layer], atol=1e-5)


def named(*rows: list[float], special: int | None = None) -> AttentionMap:
    """One layer with one head, and its keys."""
    keys = tuple(Piece(f"k{i}", i, special=i == special) for i in range(len(rows[0])))
    queries = tuple(Query(Piece(f"q{i}", i)) for i in range(len(rows)))
    return AttentionMap(np.array(rows)[None, None], queries, keys)


def test_it_is_counted_where_the_longest_part_is_that_of_another_key():
    attention = named([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], special=0)
    found = attention.weights * np.array([0.1, 1, 0.5])
    every, rest = strongest_key_changes(attention, found, causal=False)
    assert (every.rows, rest.rows) == (3, 3)
    assert every.different[0, 0] == 1  # only the first row: 0.06, 0.3, 0.05
    assert rest.different[0, 0] == 0
    np.testing.assert_array_equal(every.different, np.ones((3, 3)))  # of one head, mean and maximum are the same


def test_a_row_that_sees_one_key_is_not_counted():
    attention = named([1.0, 0, 0], [0.4, 0.6, 0], [0.3, 0.3, 0.4], special=0)
    every, rest = strongest_key_changes(attention, attention.weights, causal=True)
    assert (every.rows, rest.rows) == (2, 1)


def test_the_parts_of_one_head_are_its_slice_through_w_o(whole):
    for kind in KINDS:
        index = whole.model.config.n_heads - 1
        head = head_of(whole, kind, 0, index)
        width = whole.model.config.d_value
        w_o = head.w_o.weight[:, index * width : (index + 1) * width]
        alone = head.heads[:, index] @ w_o.T
        np.testing.assert_allclose(parts(whole, kind, 0).vectors[index].sum(axis=1), alone, atol=1e-5)
