"""The training loss: label-smoothed cross-entropy (section 5.4 of the paper), plain and fast."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from model.attention import is_trained
from model.training.data import Batch
from model.transformer import Transformer

CHUNK_ROWS = 256  # a chunk's logits fit a processor's cache
GPU_CHUNK_ROWS = 8192  # here each product must be large to be worth its launch


def smoothed_cross_entropy(
    states: Float[Tensor, "row d_model"], projection: nn.Linear, target: Int[Tensor, "row"], smoothing: float
) -> Float[Tensor, ""]:
    """The sum over rows of the cross-entropy, in nats, between softmax(projection(states)) and the target.

    The target's probability is 1 - smoothing, plus its share of `smoothing`, which is spread evenly over the
    vocabulary.
    """
    logits = projection(states).float()
    return nn.functional.cross_entropy(logits, target, label_smoothing=smoothing, reduction="sum")


class _ChunkedCrossEntropy(torch.autograd.Function):
    """Projects to the vocabulary and computes the loss and its gradients, a chunk of rows at a time.

    The logits of a batch are its largest tensor by far, and torch would pass over all of them about ten times. A chunk
    stays in the cache, and only the gradients of the logits are written out, in the type of the products.
    """

    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, target: Tensor, smoothing: float) -> Tensor:
        dtype = torch.get_autocast_dtype(states.device.type)
        dtype = dtype if torch.is_autocast_enabled(states.device.type) else states.dtype
        states, weight, vocab = states.to(dtype), weight.to(dtype), len(weight)
        grad_logits = torch.empty(len(states), vocab, dtype=dtype, device=weight.device)
        grad_bias = torch.zeros(vocab, device=weight.device)
        loss = torch.zeros((), device=weight.device)
        size = CHUNK_ROWS if states.device.type == "cpu" else GPU_CHUNK_ROWS
        for start in range(0, len(states), size):
            rows = slice(start, start + size)
            labels = target[rows, None]
            log_probability = (states[rows] @ weight.T).float().add_(bias).log_softmax(dim=1)
            true, all_pieces = log_probability.gather(1, labels).sum(), log_probability.sum()
            loss -= (1 - smoothing) * true + smoothing / vocab * all_pieces
            # d loss / d logits = softmax(logits) - smoothed target
            grad = log_probability.exp_().sub_(smoothing / vocab)
            grad.scatter_add_(1, labels, grad.new_full(labels.shape, smoothing - 1))
            grad_bias += grad.sum(dim=0)
            grad_logits[rows] = grad
        ctx.save_for_backward(grad_logits @ weight, (grad_logits.T @ states).float(), grad_bias)
        return loss

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (scale,) = grad_outputs
        grad_states, grad_weight, grad_bias = ctx.saved_tensors
        return grad_states * scale.to(grad_states.dtype), grad_weight * scale, grad_bias * scale, None, None


def fast_smoothed_cross_entropy(
    states: Float[Tensor, "row d_model"], projection: nn.Linear, target: Int[Tensor, "row"], smoothing: float
) -> Float[Tensor, ""]:
    """The same sum, faster and with less memory."""
    return _ChunkedCrossEntropy.apply(states, projection.weight, projection.bias, target, smoothing)  # type: ignore[return-value]


class BatchLoss(nn.Module):
    """The loss of a batch as a module, for DistributedDataParallel to wrap.

    The host never waits for the device here: no size depends on values that only the device knows.
    """

    def __init__(self, model: Transformer, *, bfloat16: bool, compiled: bool):
        """`bfloat16` autocasts matrix products; `compiled` fuses the model with torch.compile during training."""
        super().__init__()
        self.model = model
        self.autocasts = bfloat16
        self.trained_states = torch.compile(self.states, dynamic=True) if compiled else self.states

    def states(
        self, src: Int[Tensor, "batch src"], tgt_in: Int[Tensor, "batch tgt"]
    ) -> Float[Tensor, "batch tgt d_model"]:
        return self.model.decoder(tgt_in, self.model.encode(src)).states

    def forward(self, batch: Batch, smoothing: float) -> Float[Tensor, ""]:
        """The sum over the batch's pieces, in nats."""
        with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=self.autocasts):
            states = (self.trained_states if is_trained(self.model) else self.states)(batch.src, batch.tgt_in)
            states, target = (
                x.index_select(0, batch.piece_indices) for x in (states.flatten(0, 1), batch.tgt_out.flatten())
            )
            return fast_smoothed_cross_entropy(states, self.model.projection, target, smoothing)
