"""LayerNorm against torch's, and embeddings with their positions against the formula."""

import math

import pytest
import torch
from cases import each_case
from reference import assert_near, randomised, tiny_config, tiny_model, with_weights_of
from torch import nn

from model.cache import Cache
from model.layers import Embedding, LayerNorm, no_positions, sinusoidal_halves, sinusoidal_positions


def test_layer_norm_equals_torchs():
    ours, x = randomised(LayerNorm(16)), torch.randn(3, 5, 16) * 4 + 2
    theirs = with_weights_of(ours, nn.LayerNorm(16))
    assert_near(ours(x), theirs(x))
    assert_near(ours(x * 1e-3), theirs(x * 1e-3))


def test_sinusoidal_positions_follow_the_formula_with_sine_and_cosine_interleaved():
    length, d_model = 50, 16
    expected = torch.empty(length, d_model)
    for position in range(length):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            expected[position, 2 * i] = math.sin(angle)
            expected[position, 2 * i + 1] = math.cos(angle)
    assert_near(sinusoidal_positions(length, d_model), expected, within=1e-6)


def test_the_halves_hold_the_same_numbers_with_all_sines_first():
    interleaved = sinusoidal_positions(50, 12)
    torch.testing.assert_close(sinusoidal_halves(50, 12)[:, :6], interleaved[:, 0::2], rtol=0, atol=0)
    torch.testing.assert_close(sinusoidal_halves(50, 12)[:, 6:], interleaved[:, 1::2], rtol=0, atol=0)


def test_no_positions_are_zeros_of_the_same_shape():
    assert no_positions(50, 12).shape == (50, 12) and not no_positions(50, 12).any()


@each_case("positions", ["sinusoidal", "sinusoidal halves", "learned", "none"])
def test_an_embedding_is_the_scaled_row_of_the_table_plus_its_position(positions):
    embedding = randomised(Embedding(30, tiny_config(positions=positions)))
    ids = torch.tensor([[9, 4, 9]])
    expected = 4 * embedding.tokens.weight[ids[0]] + embedding.positions[2:5]
    assert_near(embedding(ids, start=2)[0], expected, within=1e-6)
    assert isinstance(embedding.positions, nn.Parameter) == (positions == "learned")


def test_positions_that_are_computed_are_not_saved():
    assert not any("positions" in name for name in tiny_model().state_dict())
    assert "encoder.embedding.positions" in tiny_model(positions="learned").state_dict()


def test_more_pieces_than_max_len_are_refused():
    model, ids = tiny_model(), torch.full((1, 21), 5)
    with pytest.raises(ValueError, match="21 pieces are more than max_len 20"):
        model.encode(ids)
    cache, encoded = Cache(2), model.encode(ids[:, :20])
    model.decode(ids[:, :20], encoded, cache)
    with pytest.raises(ValueError, match="21 pieces are more than max_len 20"):
        model.decode(ids[:, 20:], encoded, cache)
