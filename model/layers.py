"""The layers around attention: embedding and positions, feed-forward, add and norm (sections 3.1, 3.3 to 3.5).

Post-norm as in the paper: each sub-layer's output is LayerNorm(x + Dropout(Sublayer(x))).
"""

import math
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from model.attention import Dropout, MultiHeadAttention
from model.config import ModelConfig
from model.probe import NO_PROBE, Probe

MAX_ACTIVE = 1 / 8  # of hidden numbers; if more are not 0, copying their columns takes longer than the whole product


class _LayerNorm(torch.autograd.Function):
    """n = (x - mean) / sqrt(variance + eps), y = n * weight + bias, and the gradients by hand.

    With g = weight * dL/dy and means over a row: dL/dx = (g - mean(g) - n * mean(g * n)) / sqrt(variance + eps). The
    second term is there because the mean of n cannot change, the third because its variance cannot. Recorded
    operation by operation, autograd would keep and pass over three more tensors of the size of x.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
        normal = x - x.mean(dim=-1, keepdim=True)
        # The squared length of a centred row is its variance times its width; var_mean takes ten times as long.
        variance = torch.linalg.vector_norm(normal, dim=-1, keepdim=True).square_().div_(x.size(-1))
        scale = variance.add_(eps).rsqrt_()
        normal.mul_(scale)
        ctx.save_for_backward(normal, scale, weight)
        return torch.addcmul(bias, normal, weight)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        normal, scale, weight = ctx.saved_tensors
        grad, rows = grad_outputs[0].flatten(0, -2), normal.flatten(0, -2)
        product = grad * rows
        grad_weight, grad_bias = product.sum(0), grad.sum(0)
        # The means of g and g * n as products of a matrix and a vector: g itself is never stored.
        mean, along = (matrix.mv(weight / len(weight)).unsqueeze(1) for matrix in (grad, product))
        grad_x = torch.addcmul(-mean, grad, weight, out=product).addcmul_(rows, along, value=-1)
        return grad_x.view_as(normal).mul_(scale), grad_weight, grad_bias, None


class LayerNorm(nn.Module):
    """(x - mean) / sqrt(variance + eps) * weight + bias over the last axis (Ba et al. 2016, arXiv:1607.06450)."""

    def __init__(self, width: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: Float[Tensor, "*position width"]) -> Float[Tensor, "*position width"]:
        return _LayerNorm.apply(x, self.weight, self.bias, self.eps)  # type: ignore[return-value]


def sinusoidal_positions(length: int, d_model: int) -> Float[Tensor, "position d_model"]:
    """PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos of the same (section 3.5)."""
    angle = position_angles(length, d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()


def sinusoidal_halves(length: int, d_model: int) -> Float[Tensor, "position d_model"]:
    """The same numbers in the order of Marian (Junczys-Dowmunt et al. 2018): all sines, then all cosines."""
    angle = position_angles(length, d_model)
    return torch.cat((angle.sin(), angle.cos()), dim=-1).float()


def position_angles(length: int, d_model: int) -> Float[Tensor, "position pair"]:
    """pos / 10000^(2i / d_model) for every position and pair of dimensions, in radians, as 64-bit floats.

    They have values even where those of the weights are left out, on the meta device.
    """
    position = torch.arange(length, dtype=torch.float64, device="cpu")[:, None]
    return position / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu") / d_model)


def no_positions(length: int, d_model: int) -> Float[Tensor, "position d_model"]:
    """Zeros: the model sees which pieces there are, but not where."""
    return torch.zeros(length, d_model, device="cpu")


POSITION_TABLES = {"sinusoidal": sinusoidal_positions, "sinusoidal halves": sinusoidal_halves, "none": no_positions}


class Embedding(nn.Module):
    """Ids to vectors: sqrt(d_model) times a row of the table (section 3.4), plus the position (section 3.5)."""

    def __init__(self, vocab_size: int, config: ModelConfig):
        super().__init__()
        self.scale = math.sqrt(config.d_model)
        self.tokens = nn.Embedding(vocab_size, config.d_model)
        self.dropout = Dropout(config.dropout)
        if config.positions == "learned":
            self.positions = nn.Parameter(torch.empty(config.max_len, config.d_model))
            nn.init.normal_(self.positions, std=config.d_model**-0.5)
        else:
            table = POSITION_TABLES[config.positions](config.max_len, config.d_model)
            self.register_buffer("positions", table, persistent=False)

    def forward(
        self, ids: Int[Tensor, "batch position"], start: int = 0, probe: Probe = NO_PROBE
    ) -> Float[Tensor, "batch position d_model"]:
        """`start` is the position of the first id, for cached decoding. Raises ValueError beyond max_len."""
        end = start + ids.size(1)
        if end > len(self.positions):
            raise ValueError(f"{end} tokens are more than max_len {len(self.positions)}")
        token_embedding = probe("token_embedding", self.tokens(ids))
        embedding = probe("embedding", token_embedding * self.scale)
        positions = probe("positions", self.positions[start:end])
        return probe("stream", self.dropout(embedding + positions))


class FeedForward(nn.Module):
    """W_2 activation(W_1 x + b_1) + b_2, at every position alike (section 3.3)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff)
        self.w_2 = nn.Linear(config.d_ff, config.d_model)
        self.activation = getattr(nn.functional, config.activation)

    def forward(
        self, x: Float[Tensor, "batch position d_model"], probe: Probe = NO_PROBE
    ) -> Float[Tensor, "batch position d_model"]:
        pre_activation = probe("pre_activation", self.w_1(x))
        hidden = probe("hidden", self.activation(pre_activation))
        return probe("output", self.project(hidden))

    def project(self, hidden: Float[Tensor, "batch position d_ff"]) -> Float[Tensor, "batch position d_model"]:
        """W_2 hidden + b_2; for a single position on a CPU it reads only the columns of W_2 that meet no 0.

        A step of decoding takes as long as reading its matrices, and ReLU leaves 97 % of the shipped model's hidden
        numbers at 0. A column lies in one piece only in a model that was loaded (model/checkpoints/weights.py).
        """
        columns, row = self.w_2.weight.T, hidden.flatten()
        if len(row) > len(columns) or hidden.device.type != "cpu" or not columns.is_contiguous():
            return self.w_2(hidden)
        active = row.nonzero().flatten()
        if len(active) > MAX_ACTIVE * len(row):
            return self.w_2(hidden)
        output = torch.addmv(self.w_2.bias, columns.index_select(0, active).T, row.index_select(0, active))
        return output.view_as(hidden[..., : len(output)])


class AddNorm(nn.Module):
    """LayerNorm(x + Dropout(output)): the residual connection around a sub-layer (sections 3.1 and 5.4)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.dropout = Dropout(config.dropout)
        self.norm = LayerNorm(config.d_model)

    def forward(
        self,
        x: Float[Tensor, "batch position d_model"],
        output: Float[Tensor, "batch position d_model"],
        probe: Probe = NO_PROBE,
    ) -> Float[Tensor, "batch position d_model"]:
        total = probe("sum", x + self.dropout(output))
        return probe("stream", self.norm(total))


def make_attention(config: ModelConfig) -> MultiHeadAttention:
    """An attention sub-layer of the configured sizes."""
    return MultiHeadAttention(
        config.d_model,
        config.n_heads,
        d_head=config.d_head,
        d_value=config.d_value,
        bias=config.attention_bias,
        dropout=config.dropout,
    )
