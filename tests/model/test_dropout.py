"""Dropout by its properties: the share, the mean, independence, the seed."""

import math

import pytest
import torch
from cases import each_case
from reference import assert_near

from model.attention import Dropout, dropout, fast_dropout


@each_case("drop", [dropout, fast_dropout])
@each_case("p", [0.1, 0.25, 0.5])
def test_dropout_sets_a_share_of_p_to_zero_and_keeps_the_mean(drop, p):
    torch.manual_seed(0)
    n = 2**18
    out = drop(torch.ones(n), p)
    # Five standard errors, and for the share half a step of the 256 that p is rounded to.
    assert abs((out == 0).float().mean() - p) < 5 * math.sqrt(p * (1 - p) / n) + 1 / 512
    assert abs(out.mean() - 1) < 5 * math.sqrt(p / (1 - p) / n) + 1e-5


def test_the_plain_and_the_fast_form_give_equal_values():
    torch.manual_seed(0)
    x = torch.randn(2**12)
    plain, fast = dropout(x, 0.25), fast_dropout(x, 0.25)
    both = (plain != 0) & (fast != 0)
    assert both.float().mean() == pytest.approx(0.75**2, abs=0.05)
    assert_near(plain[both], fast[both])


def test_the_eight_elements_that_share_a_random_number_drop_independently():
    torch.manual_seed(0)
    dropped = (Dropout(0.5).train()(torch.ones(2**18)) == 0).view(-1, 8).float()
    # Drop shares per element and products of pairs: 1/2 and, for independent ones, 1/4.
    together = dropped.T @ dropped / len(dropped)
    expected = torch.full((8, 8), 0.25).fill_diagonal_(0.5)
    assert_near(together, expected, within=5 * 0.5 / math.sqrt(len(dropped)))


def test_dropout_scales_what_it_keeps_and_its_gradient_alike():
    torch.manual_seed(0)
    x = torch.randn(7, 13).requires_grad_()
    out = Dropout(0.25).train()(x)
    out.sum().backward()
    assert_near(x.grad.unique(), torch.tensor([0, 4 / 3]), within=1e-6)
    assert_near(out, x * x.grad)


def test_dropout_takes_any_shape_and_follows_the_seed():
    x = torch.ones(3, 5, 7).transpose(0, 2)
    torch.manual_seed(3)
    first, second = Dropout(0.5).train()(x), Dropout(0.5).train()(x)
    torch.manual_seed(3)
    assert torch.equal(Dropout(0.5).train()(x), first)
    assert not torch.equal(second, first)


def test_dropout_changes_nothing_in_eval_or_with_p_0():
    x = torch.randn(100)
    assert torch.equal(Dropout(0.5).eval()(x), x)
    assert torch.equal(Dropout(0.0).train()(x), x)
