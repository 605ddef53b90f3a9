"""The fast loss against the plain one, in value and in gradients."""

import pytest
import torch
from cases import each_case
from reference import assert_near
from torch import Tensor, nn

from model.training import loss
from model.training.loss import fast_smoothed_cross_entropy, smoothed_cross_entropy

CHUNK_ROWS = 4


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(loss, "CHUNK_ROWS", CHUNK_ROWS)


def both(
    n_rows: int, smoothing: float = 0.1, *, scale: float = 1.0, r_drop: float = 0.0, bfloat16: bool = False
) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
    """The fast loss of random rows, the plain one, and what has gradients."""
    torch.manual_seed(n_rows)
    states = (torch.randn(2 if r_drop else 1, n_rows, 16) * scale).requires_grad_()
    projection = nn.Linear(16, 30)
    target = torch.randint(30, (n_rows,))
    with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
        fast = fast_smoothed_cross_entropy(states, projection, target, smoothing, r_drop)
    plain = smoothed_cross_entropy(states, projection, target, smoothing, r_drop)
    return fast, plain, (states, projection.weight, projection.bias)


@each_case(
    ("n_rows", "smoothing", "scale", "r_drop"),
    [
        (3, 0.0, 1.0, 0.0),
        (8, 0.0, 1.0, 0.0),
        (8, 0.1, 1.0, 0.0),
        (11, 0.1, 1.0, 0.0),
        (5, 0.1, 1e4, 0.0),
        (11, 0.1, 1.0, 5.0),
    ],
)
def test_value_and_gradients_equal_smoothed_cross_entropy_even_for_huge_logits(n_rows, smoothing, scale, r_drop):
    fast, plain, (states, *weights) = both(n_rows, smoothing, scale=scale, r_drop=r_drop)
    assert_near(fast / scale, plain / scale, within=1e-5 * n_rows)
    # Squared, because what comes after scales the gradients.
    ours, theirs = (torch.autograd.grad((loss / scale) ** 2, [states, *weights]) for loss in (fast, plain))
    assert_near(ours, theirs, within=1e-3)


def test_in_bfloat16_value_and_gradients_stay_near_those_of_float32():
    fast, plain, weights = both(9, bfloat16=True)
    assert fast.dtype == torch.float32
    torch.testing.assert_close(fast, plain, rtol=1e-2, atol=0)
    assert_near(torch.autograd.grad(fast, weights), torch.autograd.grad(plain, weights), within=0.03)
