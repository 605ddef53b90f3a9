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


def random_rows(n_rows: int, scale: float = 1.0) -> tuple[Tensor, nn.Linear, Tensor]:
    torch.manual_seed(n_rows)
    states = (torch.randn(n_rows, 16) * scale).requires_grad_()
    return states, nn.Linear(16, 30), torch.randint(30, (n_rows,))


@each_case("smoothing", [0.0, 0.1, 0.7])
@each_case("n_rows", [1, 3, 4, 5, 8, 11])
def test_value_and_gradients_equal_smoothed_cross_entropy(n_rows, smoothing):
    states, projection, target = random_rows(n_rows)
    weights = (states, projection.weight, projection.bias)
    fast = fast_smoothed_cross_entropy(states, projection, target, smoothing)
    plain = smoothed_cross_entropy(states, projection, target, smoothing)
    assert_near(fast, plain, within=1e-5 * n_rows)
    assert_near(torch.autograd.grad(fast, weights), torch.autograd.grad(plain, weights))


def test_gradients_follow_the_scale_of_what_comes_after():
    states, projection, target = random_rows(6)
    weights = (states, projection.weight, projection.bias)
    fast = fast_smoothed_cross_entropy(states, projection, target, 0.1)
    plain = smoothed_cross_entropy(states, projection, target, 0.1)
    assert_near(torch.autograd.grad((fast / 3) ** 2, weights), torch.autograd.grad((plain / 3) ** 2, weights), 1e-4)


def test_huge_logits_do_not_overflow():
    states, projection, target = random_rows(5, scale=1e4)
    fast, plain = (
        loss_of(states, projection, target, 0.1) for loss_of in (fast_smoothed_cross_entropy, smoothed_cross_entropy)
    )
    torch.testing.assert_close(fast, plain)
    assert_near(torch.autograd.grad(fast, states), torch.autograd.grad(plain, states))


def test_in_bfloat16_value_and_gradients_stay_near_those_of_float32():
    states, projection, target = random_rows(9)
    weights = (states, projection.weight, projection.bias)
    with torch.autocast("cpu", torch.bfloat16):
        fast = fast_smoothed_cross_entropy(states, projection, target, 0.1)
    plain = smoothed_cross_entropy(states, projection, target, 0.1)
    assert fast.dtype == torch.float32
    torch.testing.assert_close(fast, plain, rtol=1e-2, atol=0)
    assert_near(torch.autograd.grad(fast, weights), torch.autograd.grad(plain, weights), within=0.03)
