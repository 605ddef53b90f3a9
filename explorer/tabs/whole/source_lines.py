"""The lines of the model's source under the steps of a blackboard, by the step's name in arithmetic.js."""

from collections.abc import Callable
from typing import Any

from explorer.recording.code_excerpts import excerpt
from model.attention import MultiHeadAttention
from model.config import Positions
from model.decoding import distribution
from model.layers import (
    AddNorm,
    Embedding,
    FeedForward,
    _LayerNorm,
    no_positions,
    position_angles,
    sinusoidal_halves,
    sinusoidal_positions,
)
from model.transformer import Transformer

Code = tuple[tuple[Callable, str], ...]  # functions of model/, and the expression in each

DOT = MultiHeadAttention.scaled_dot_product
NORM = _LayerNorm.forward
ANGLES = (position_angles, "10000 ** (torch.arange(0, d_model, 2")
POSITIONS: dict[Positions, Code] = {
    "sinusoidal": (ANGLES, (sinusoidal_positions, "torch.stack((angle.sin(), angle.cos()), dim=-1)")),
    "sinusoidal halves": (ANGLES, (sinusoidal_halves, "torch.cat((angle.sin(), angle.cos()), dim=-1)")),
    "learned": ((Embedding.__init__, "torch.empty(config.max_len, config.d_model)"),),
    "none": ((no_positions, "torch.zeros(length, d_model"),),
}
STEPS: dict[str, Code] = {
    "q": ((MultiHeadAttention.attend, "self.w_q(query)"),),
    "k": ((MultiHeadAttention.keys_values, "self.w_k(key)"),),
    "v": ((MultiHeadAttention.keys_values, "self.w_v(value)"),),
    "multiply": ((DOT, "q @ k_transposed"),),
    "scale": ((DOT, "/ math.sqrt(q.size(-1))"),),
    "mask": ((DOT, "torch.where(mask, scores, -math.inf)"),),
    "softmax": ((DOT, ".softmax(dim=-1)"),),
    "values": ((DOT, "self.dropout(weights) @ v"),),
    "output": (
        (MultiHeadAttention.attend, "heads_transposed.flatten(2)"),
        (MultiHeadAttention.attend, "self.w_o(concatenated)"),
    ),
    "add": ((AddNorm.forward, "x + self.dropout(output)"),),
    "mean": ((NORM, "x - x.mean(dim=-1, keepdim=True)"),),
    "variance": ((NORM, "vector_norm(normal, dim=-1, keepdim=True).square_().div_(x.size(-1))"),),
    "spread": ((NORM, "variance.add_(eps).rsqrt_()"),),
    "normalise": ((NORM, "normal.mul_(scale)"),),
    "rescale": ((NORM, "torch.addcmul(bias, normal, weight)"),),
    "feed_1": ((FeedForward.forward, "self.w_1(x)"),),
    "activation": ((FeedForward.forward, "self.activation(pre_activation)"),),
    "feed_2": ((FeedForward.forward, "self.project(hidden)"),),
    "embedding": ((Embedding.forward, "self.tokens(ids)"), (Embedding.forward, "token_embedding * self.scale")),
    "add_position": ((Embedding.forward, "embedding + positions"),),
    "logits": ((Transformer.decode, "self.projection(states)"),),
    "probabilities": ((distribution, "logits.softmax(dim=-1)"),),
}


def source_lines(positions: Positions) -> dict[str, list[dict[str, Any]]]:
    """The excerpts of every step, for a model with such positions."""
    steps = {**STEPS, "positions": POSITIONS[positions]}
    return {name: [excerpt(*line)._asdict() for line in code] for name, code in steps.items()}
