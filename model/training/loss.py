"""The training loss: label-smoothed cross-entropy (section 5.4 of the paper), plain and fast."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.attention import is_trained
from model.training.data import Batch
from model.transformer import Transformer

LossAndGradient = Callable[[Tensor, Tensor, float, float], tuple[Tensor, Tensor]]

CHUNK_ROWS = 256  # a chunk's logits fit a processor's cache
GPU_CHUNK_ROWS = 8192  # here each product must be large to be worth its launch


def smoothed_cross_entropy(
    states: Float[Tensor, "pass row d_model"],
    projection: nn.Linear,
    target: Int[Tensor, "row"],
    smoothing: float,
    r_drop: float = 0.0,
) -> Float[Tensor, ""]:
    """The sum over rows of the cross-entropy, in nats, between softmax(projection(states)) and the target.

    The target's probability is 1 - smoothing, plus its share of `smoothing`, which is spread evenly over the
    vocabulary. It is the mean over the passes. With `r_drop`, the alpha of R-Drop (Liang et al. 2021, arXiv:2106.14448,
    equation 4, halved), there are two passes with different dropout, and a term says how far their predictions differ:
    alpha / 4 times the sum of both Kullback-Leibler divergences.
    """
    log_p = projection(states).float().log_softmax(dim=2)
    passes = len(states)
    labels = target.repeat(passes)
    loss = nn.functional.nll_loss(log_p.flatten(0, 1), labels, reduction="sum") * (1 - smoothing)
    loss = (loss - smoothing * log_p.mean(dim=2).sum()) / passes
    if r_drop:
        loss = loss + r_drop / 4 * ((log_p[0].exp() - log_p[1].exp()) * (log_p[0] - log_p[1])).sum()
    return loss


def disagreement(
    log_p: Float[Tensor, "2 row vocab"],
) -> tuple[Float[Tensor, ""], Float[Tensor, "2 row vocab"]]:
    """Both Kullback-Leibler divergences between two predictions, summed over rows, and the gradient of the logits."""
    p, difference = log_p.exp(), log_p[0] - log_p[1]
    away = torch.stack((difference, -difference))
    divergence = (p * away).sum(dim=2, keepdim=True)
    return divergence.sum(), p * (away - divergence) + p - p.flip(0)


def loss_and_gradient(
    logits: Float[Tensor, "pass row vocab"], target: Int[Tensor, "row"], smoothing: float, r_drop: float
) -> tuple[Float[Tensor, ""], Float[Tensor, "pass row vocab"]]:
    """The loss of a chunk and the gradient of its logits, both times the number of passes.

    d loss / d logits = softmax(logits) - smoothed target.
    """
    vocab, labels = logits.size(2), target[None, :, None].expand(len(logits), -1, 1)
    log_p = logits.log_softmax(dim=2)
    loss = -(1 - smoothing) * log_p.gather(2, labels).sum() - smoothing / vocab * log_p.sum()
    apart, pull = disagreement(log_p) if r_drop else (None, None)
    grad = log_p.exp_().sub_(smoothing / vocab)
    grad.scatter_add_(2, labels, grad.new_full(labels.shape, smoothing - 1))
    if apart is None or pull is None:
        return loss, grad
    return loss + r_drop / 2 * apart, grad.add_(pull, alpha=r_drop / 2)


class _ChunkedCrossEntropy(torch.autograd.Function):
    """Projects to the vocabulary and computes the loss and its gradients, a chunk of rows at a time.

    The logits of a batch are its largest tensor by far, and torch would pass over all of them about ten times. A chunk
    stays in the cache, and only the gradients of the logits are written out, in the type of the products.
    """

    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        bias: Tensor,
        target: Tensor,
        smoothing: float,
        r_drop: float,
        loss_and_gradient: LossAndGradient,
    ) -> Tensor:
        dtype = torch.get_autocast_dtype(states.device.type)
        dtype = dtype if torch.is_autocast_enabled(states.device.type) else states.dtype
        states, weight, vocab = states.to(dtype), weight.to(dtype), len(weight)
        passes = len(states)
        grad_logits = torch.empty(*states.shape[:2], vocab, dtype=dtype, device=weight.device)
        grad_bias = torch.zeros(vocab, device=weight.device)
        loss = torch.zeros((), device=weight.device)
        size = CHUNK_ROWS if states.device.type == "cpu" else GPU_CHUNK_ROWS
        for start in range(0, len(target), size):
            rows = slice(start, start + size)
            logits = (states[:, rows] @ weight.T).float().add_(bias)
            chunk_loss, grad = loss_and_gradient(logits, target[rows], smoothing, r_drop)
            loss += chunk_loss
            grad_bias += grad.sum(dim=(0, 1))
            grad_logits[:, rows] = grad
        grad_weight = (grad_logits.flatten(0, 1).T @ states.flatten(0, 1)).float()
        gradients = (grad_logits @ weight, grad_weight, grad_bias)
        ctx.save_for_backward(*(gradient / passes for gradient in gradients) if passes > 1 else gradients)
        return loss / passes

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = grad_outputs
        grad_states, grad_weight, grad_bias = ctx.saved_tensors
        return grad_states * scale.to(grad_states.dtype), grad_weight * scale, grad_bias * scale, *[None] * 4


def fast_smoothed_cross_entropy(
    states: Float[Tensor, "pass row d_model"],
    projection: nn.Linear,
    target: Int[Tensor, "row"],
    smoothing: float,
    r_drop: float = 0.0,
    loss_and_gradient: LossAndGradient = loss_and_gradient,
) -> Float[Tensor, ""]:
    """The same sum, faster and with less memory; `loss_and_gradient` may be a compiled one."""
    arguments = (states, projection.weight, projection.bias, target, smoothing, r_drop, loss_and_gradient)
    return _ChunkedCrossEntropy.apply(*arguments)  # type: ignore[return-value]


class BatchLoss(nn.Module):
    """The loss of a batch as a module, for DistributedDataParallel to wrap.

    The host never waits for the device here: no size depends on values that only the device knows.
    """

    def __init__(self, model: Transformer, *, bfloat16: bool, compiled: bool, r_drop: float = 0.0):
        """`bfloat16` autocasts matrix products; `compiled` fuses model and loss with torch.compile during training."""
        super().__init__()
        self.model = model
        self.autocasts = bfloat16
        self.r_drop = r_drop
        self.trained_states = torch.compile(self.states, dynamic=True) if compiled else self.states
        self.trained_loss = torch.compile(loss_and_gradient, dynamic=True) if compiled else loss_and_gradient

    def states(
        self, src: Int[Tensor, "batch src"], tgt_in: Int[Tensor, "batch tgt"]
    ) -> Float[Tensor, "batch tgt d_model"]:
        return self.model.decoder(tgt_in, self.model.encode(src)).states

    def forward(self, batch: Batch, smoothing: float) -> Float[Tensor, ""]:
        """The sum over the batch's pieces, in nats."""
        trained = is_trained(self.model)
        r_drop = self.r_drop if trained else 0.0
        passes = 2 if r_drop else 1
        with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=self.autocasts):
            inputs = (batch.src.repeat(passes, 1), batch.tgt_in.repeat(passes, 1))
            states = (self.trained_states if trained else self.states)(*inputs)
            states = states.reshape(passes, -1, states.size(2)).index_select(1, batch.piece_indices)
            chunk_loss = self.trained_loss if trained else loss_and_gradient
            target = batch.tgt_out.flatten().index_select(0, batch.piece_indices)
            return fast_smoothed_cross_entropy(states, self.model.projection, target, smoothing, r_drop, chunk_loss)
