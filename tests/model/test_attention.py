"""Attention against torch's own and against the paper's formula; masks by their properties."""

import math

import torch
from cases import each_case
from reference import assert_near, blocked, randomised, sentences, with_weights_of
from torch import Tensor, nn

from model.attention import MultiHeadAttention, causal_mask, padding_mask
from model.probe import Probe

KEYS = sentences(6, 4, 5)


def tiny_attention(**changes) -> MultiHeadAttention:
    torch.manual_seed(0)
    options = {"d_head": 4, "d_value": 4, "bias": True, "dropout": 0.0, **changes}
    return randomised(MultiHeadAttention(16, 4, **options))


def random_inputs(n_queries: int = 5) -> dict[str, Tensor]:
    torch.manual_seed(2)
    return {"query": torch.randn(3, n_queries, 16), "key": torch.randn(3, 6, 16), "value": torch.randn(3, 6, 16)}


@each_case("bias", [True, False])
def test_outputs_and_weights_equal_torchs_when_keys_are_padded(bias):
    ours, mask = tiny_attention(bias=bias), padding_mask(KEYS, pad_id=0)
    theirs = with_weights_of(ours, nn.MultiheadAttention(16, 4, bias=bias, batch_first=True))
    output, weights = theirs(**random_inputs(), key_padding_mask=~mask[:, 0, 0], average_attn_weights=False)
    attended = ours(**random_inputs(), mask=mask)
    assert_near(attended.output, output)
    assert_near(attended.weights, weights)


def test_outputs_and_weights_equal_torchs_when_later_keys_are_masked():
    ours, mask = tiny_attention(), causal_mask(6)
    theirs = with_weights_of(ours, nn.MultiheadAttention(16, 4, batch_first=True))
    output, weights = theirs(**random_inputs(6), attn_mask=blocked(6), average_attn_weights=False)
    attended = ours(**random_inputs(6), mask=mask)
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


def test_the_causal_mask_lets_a_query_see_itself_and_earlier_keys():
    assert causal_mask(3)[0, 0].tolist() == [[True, False, False], [True, True, False], [True, True, True]]


def test_the_padding_mask_hides_keys_and_no_queries():
    mask = padding_mask(torch.tensor([[5, 7, 7], [7, 6, 5]]), pad_id=7)
    assert mask.tolist() == [[[[True, False, False]]], [[[False, True, True]]]]


def test_returned_weights_are_those_before_dropout():
    ours, x, mask = tiny_attention(dropout=0.5), random_inputs(), padding_mask(KEYS, pad_id=0)
    seen = {}
    in_training = ours.train()(**x, mask=mask, probe=Probe(lambda site, tensor: seen.update({site.tensor: tensor})))
    assert torch.equal(in_training.weights, ours.eval()(**x, mask=mask).weights)
    assert not torch.allclose(seen["heads"], in_training.weights @ seen["v"], atol=0.01)
