"""The parts of a layer: LayerNorm and attention against torch's, embeddings and dropout by their formulas."""

import math

import pytest
import torch
from cases import each_case
from reference import assert_near, blocked, randomised, sentences, tiny_config, tiny_model, with_weights_of
from torch import Tensor, nn

from model.attention import Dropout, MultiHeadAttention, causal_mask, fast_dropout, padding_mask
from model.cache import Cache
from model.layers import Embedding, LayerNorm, sinusoidal_positions


@each_case("training", [True, False])
def test_layer_norm_equals_torchs(training):
    ours, x = randomised(LayerNorm(16)).train(training), torch.randn(3, 5, 16) * 4 + 2
    theirs = with_weights_of(ours, nn.LayerNorm(16))
    assert_near(ours(x), theirs(x))
    assert_near(ours(x * 1e-3), theirs(x * 1e-3))


def test_the_gradients_of_layer_norm_are_those_of_its_formula():
    norm, x = randomised(LayerNorm(6)).double(), torch.randn(2, 3, 6, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda x, weight, bias: torch.func.functional_call(norm, {"weight": weight, "bias": bias}, x),
        (x, norm.weight, norm.bias),
    )


def test_sinusoidal_positions_follow_the_formula_with_sine_and_cosine_interleaved():
    length, d_model = 50, 16
    expected = torch.empty(length, d_model)
    for position in range(length):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            expected[position, 2 * i] = math.sin(angle)
            expected[position, 2 * i + 1] = math.cos(angle)
    assert_near(sinusoidal_positions(length, d_model), expected, within=1e-6)


@each_case("positions", ["sinusoidal", "sinusoidal halves", "learned", "none"])
def test_an_embedding_is_the_scaled_row_of_the_table_plus_its_position(positions):
    embedding = randomised(Embedding(30, tiny_config(positions=positions)))
    ids = torch.tensor([[9, 4, 9]])
    expected = 4 * embedding.tokens.weight[ids[0]] + embedding.positions[2:5]
    assert_near(embedding(ids, start=2)[0], expected, within=1e-6)
    assert ("positions" in embedding.state_dict()) == (positions == "learned")
    assert embedding.positions.any() == (positions != "none")


def test_more_pieces_than_max_len_are_refused():
    model, ids = tiny_model(), torch.full((1, 21), 5)
    with pytest.raises(ValueError, match="21 tokens are more than max_len 20"):
        model.encode(ids)
    cache, encoded = Cache(2), model.encode(ids[:, :20])
    model.decode(ids[:, :20], encoded, cache)
    with pytest.raises(ValueError, match="21 tokens are more than max_len 20"):
        model.decode(ids[:, 20:], encoded, cache)


KEYS = sentences(6, 4, 5)


def tiny_attention(**changes) -> MultiHeadAttention:
    torch.manual_seed(0)
    options = {"d_head": 4, "d_value": 4, "bias": True, "dropout": 0.0, **changes}
    return randomised(MultiHeadAttention(16, 4, **options))


def random_inputs() -> dict[str, Tensor]:
    torch.manual_seed(2)
    return {"query": torch.randn(3, 6, 16), "key": torch.randn(3, 6, 16), "value": torch.randn(3, 6, 16)}


@each_case(
    ("bias", "mask", "theirs_mask"),
    [
        (True, padding_mask(KEYS, pad_id=0), {"key_padding_mask": KEYS == 0}),
        (False, causal_mask(6), {"attn_mask": blocked(6)}),
    ],
)
def test_outputs_and_weights_equal_torchs(bias, mask, theirs_mask):
    ours = tiny_attention(bias=bias)
    theirs = with_weights_of(ours, nn.MultiheadAttention(16, 4, bias=bias, batch_first=True))
    output, weights = theirs(**random_inputs(), **theirs_mask, average_attn_weights=False)
    attended = ours(**random_inputs(), mask=mask)
    assert_near(attended.output, output)
    assert_near(attended.weights, weights)


def test_heads_of_any_width_follow_the_formula_head_by_head():
    d_head, d_value, mask = 3, 5, padding_mask(KEYS, pad_id=0)
    ours, x = tiny_attention(d_head=d_head, d_value=d_value), random_inputs()
    attended = ours(**x, mask=mask)
    output = ours.w_o.bias.clone()
    for head in range(4):
        rows, columns = (slice(head * width, (head + 1) * width) for width in (d_head, d_value))
        q = x["query"] @ ours.w_q.weight[rows].T + ours.w_q.bias[rows]
        k = x["key"] @ ours.w_k.weight[rows].T + ours.w_k.bias[rows]
        v = x["value"] @ ours.w_v.weight[columns].T + ours.w_v.bias[columns]
        exponentials = torch.exp(torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(d_head)) * (KEYS != 0)[:, None]
        weights = exponentials / exponentials.sum(-1, keepdim=True)
        assert_near(attended.weights[:, head], weights)
        output = output + weights @ v @ ours.w_o.weight[:, columns].T
    assert_near(attended.output, output)


@each_case("p", [0.1, 0.5])
def test_dropout_sets_a_share_of_p_to_zero_and_keeps_the_mean(p):
    torch.manual_seed(0)
    n = 2**18
    out = fast_dropout(torch.ones(n), p)
    # Five standard errors, and for the share half a step of the 256 that p is rounded to.
    assert abs((out == 0).float().mean() - p) < 5 * math.sqrt(p * (1 - p) / n) + 1 / 512
    assert abs(out.mean() - 1) < 5 * math.sqrt(p / (1 - p) / n) + 1e-5


def test_the_eight_elements_that_share_a_random_number_drop_independently():
    torch.manual_seed(0)
    dropped = (Dropout(0.5).train()(torch.ones(2**18)) == 0).view(-1, 8).float()
    # Drop shares per element and products of pairs: 1/2 and, for independent ones, 1/4.
    together = dropped.T @ dropped / len(dropped)
    expected = torch.full((8, 8), 0.25).fill_diagonal_(0.5)
    assert_near(together, expected, within=5 * 0.5 / math.sqrt(len(dropped)))


def test_dropout_scales_what_it_keeps_and_its_gradient_alike_for_any_shape_and_follows_the_seed():
    x, dropped = torch.randn(3, 5, 7).transpose(0, 2).requires_grad_(), Dropout(0.25).train()
    torch.manual_seed(3)
    out, other = dropped(x), dropped(x)
    out.sum().backward()
    assert_near(x.grad.unique(), torch.tensor([0, 4 / 3]), within=1e-6)
    assert_near(out, x * x.grad)
    torch.manual_seed(3)
    assert torch.equal(dropped(x), out) and not torch.equal(other, out)
    assert torch.equal(dropped.eval()(x), x) and torch.equal(Dropout(0.0).train()(x), x)
