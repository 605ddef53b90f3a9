"""Attention: scaled dot product, several heads side by side, masks (section 3.2 of "Attention Is All You Need").

Attention returns its weights, as they are before dropout. A mask is boolean, True where a query may attend
to a key, and broadcasts to [batch, head, query, key].
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.probe import NO_PROBE, Probe

Mask = Bool[Tensor, "#batch 1 #query key"]


class AttentionOutput(NamedTuple):
    """The output of attention, and the weights behind it."""

    output: Float[Tensor, "batch *position width"]
    weights: Float[Tensor, "batch head query key"]


class KeysValues(NamedTuple):
    """The projected keys and values of every head."""

    k: Float[Tensor, "batch head key d_head"]
    v: Float[Tensor, "batch head key d_value"]


def fast_dropout(x: Tensor, p: float) -> Tensor:
    """Sets each element to zero with probability `p` and scales the others by 1 / (1 - p) (section 5.4), on a CPU.

    There dropout spends most of its time on random numbers: here eight elements share one of 64 bits, a byte each, and
    `p` is rounded to a multiple of 1/256 between 1/256 and 255/256.
    """
    threshold = min(max(round(256 * p), 1), 255)
    numbers = torch.empty(math.ceil(x.numel() / 8), dtype=torch.int64).random_(-(2**63), None)
    keep = numbers.view(torch.uint8)[: x.numel()].view(x.shape) >= threshold
    return x * keep.to(x.dtype).mul_(256 / (256 - threshold))


def is_trained(module: nn.Module) -> bool:
    """Whether a module is being trained: it is in training mode, and gradients are recorded.

    Whatever translates or evaluates records no gradients, so that the mode of the model changes none of its numbers.
    """
    return module.training and torch.is_grad_enabled()


class Dropout(nn.Module):
    """Dropout while training (Srivastava et al. 2014), in the fastest form for the device."""

    def __init__(self, p: float):
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if self.p == 0 or not is_trained(self):
            return x
        return fast_dropout(x, self.p) if x.device.type == "cpu" else nn.functional.dropout(x, self.p)


class MultiHeadAttention(nn.Module):
    """Concat(head_1, ..., head_h) W_O with head_i = Attention(Q W_Q_i, K W_K_i, V W_V_i) (section 3.2.2).

    The heads' projections lie side by side in one matrix each: rows i * d_head to (i + 1) * d_head of
    `w_q.weight` belong to head i. `d_value` may differ from `d_head`; W_O brings the heads back to d_model.
    """

    def __init__(self, d_model: int, n_heads: int, *, d_head: int, d_value: int, bias: bool, dropout: float):
        super().__init__()
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, n_heads * d_head, bias=bias)
        self.w_k = nn.Linear(d_model, n_heads * d_head, bias=bias)
        self.w_v = nn.Linear(d_model, n_heads * d_value, bias=bias)
        self.w_o = nn.Linear(n_heads * d_value, d_model, bias=bias)
        self.dropout = Dropout(dropout)

    def scaled_dot_product(
        self, q: Float[Tensor, "batch head query d_head"], keys_values: KeysValues, mask: Mask, probe: Probe
    ) -> AttentionOutput:
        """softmax(q k^T / sqrt(d_head)) v, equation 1 of the paper; masked scores become -inf, their weights 0."""
        k, v = keys_values
        k_transposed = probe("k_transposed", k.transpose(-2, -1))
        dot_products = probe("dot_products", q @ k_transposed)
        scores = probe("scores", dot_products / math.sqrt(q.size(-1)))
        masked_scores = probe("masked_scores", torch.where(mask, scores, -math.inf))
        weights = probe("weights", masked_scores.softmax(dim=-1))
        heads = probe("heads", self.dropout(weights) @ v)
        return AttentionOutput(heads, weights)

    def split_heads(
        self, projected: Float[Tensor, "batch position width"], name: str, probe: Probe
    ) -> Float[Tensor, "batch head position d_head"]:
        """Cuts each projected vector into one piece per head; `name` is what the probe calls the result."""
        projected = probe(f"{name}_projected", projected)
        split = probe(f"{name}_split", projected.unflatten(-1, (self.n_heads, -1)))
        return probe(name, split.transpose(1, 2))

    def keys_values(
        self,
        *,
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"],
        probe: Probe = NO_PROBE,
    ) -> KeysValues:
        """Projects keys and values, once for all queries."""
        k = self.split_heads(self.w_k(key), "k", probe)
        v = self.split_heads(self.w_v(value), "v", probe)
        return KeysValues(k, v)

    def added_per_weight(self, v: Float[Tensor, "*batch head key d_value"]) -> Float[Tensor, "*batch head key d_model"]:
        """The vector v W_O that a key adds to a query's output for each unit of weight.

        It is f(x) of Kobayashi et al. 2020 (arXiv:2004.10102, section 3.1). W_V's bias is in v; W_O's bias is added
        once for all keys and heads, and is in none of these.
        """
        w_o = self.w_o.weight.unflatten(1, (self.n_heads, -1))
        return torch.einsum("...hkv,mhv->...hkm", v, w_o)

    def attend(
        self,
        query: Float[Tensor, "batch query d_model"],
        keys_values: KeysValues,
        mask: Mask,
        probe: Probe = NO_PROBE,
    ) -> AttentionOutput:
        """Lets every query look at all keys that the mask allows."""
        q = self.split_heads(self.w_q(query), "q", probe)
        heads, weights = self.scaled_dot_product(q, keys_values, mask, probe)
        heads_transposed = probe("heads_transposed", heads.transpose(1, 2))
        concatenated = probe("concatenated", heads_transposed.flatten(2))
        output = probe("output", self.w_o(concatenated))
        return AttentionOutput(output, weights)

    def forward(
        self,
        *,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"],
        mask: Mask,
        probe: Probe = NO_PROBE,
    ) -> AttentionOutput:
        return self.attend(query, self.keys_values(key=key, value=value, probe=probe), mask, probe)


def padding_mask(ids: Int[Tensor, "batch key"], pad_id: int) -> Bool[Tensor, "batch 1 1 key"]:
    """True for every key that is not padding. Queries are never masked, so that no row is left empty."""
    return (ids != pad_id)[:, None, None, :]


def causal_mask(length: int, device: torch.device | None = None) -> Bool[Tensor, "1 1 query key"]:
    """True where the key is not later than the query: the lower triangle."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()[None, None]
