"""The plan: learning rate and moments of the average, by steps, by tokens and by the clock."""

import pytest
from cases import each_case
from torch import nn
from training import tiny_config

from model.training.trainer import Position, WeightAverage, is_average_due, learning_rate


def test_the_learning_rate_rises_linearly_and_then_falls_to_zero():
    config = tiny_config(steps=1000, warmup_steps=4, peak_lr=0.5)
    expected = {0: 0.125, 1: 0.25 * 0.999, 3: 0.5 * 0.997, 250: 0.375, 500: 0.25, 1000: 0.0}
    assert {step: learning_rate(config, Position(step=step)) for step in expected} == pytest.approx(expected)


def test_the_papers_learning_rate_falls_with_the_square_root_of_the_step():
    d_model, warmup_steps = 512, 4000
    config = tiny_config(
        steps=100_000, schedule="inverse_sqrt", warmup_steps=warmup_steps, peak_lr=(d_model * warmup_steps) ** -0.5
    )
    for step in (1, 100, 3999, 4000, 4001, 16_000, 100_000):  # counted from one, as in section 5.3
        paper = d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
        assert learning_rate(config, Position(step=step - 1)) == pytest.approx(paper)


def test_a_run_by_the_clock_decays_with_the_clock():
    config = tiny_config(steps=0, minutes=2.0, warmup_steps=1, peak_lr=0.5)
    rates = [learning_rate(config, Position(seconds=seconds)) for seconds in (0.0, 30.0, 90.0, 120.0, 200.0)]
    assert rates == pytest.approx([0.5, 0.375, 0.125, 0.0, 0.0])


def test_a_run_by_tokens_decays_with_the_target_pieces_seen():
    config = tiny_config(steps=0, tokens=1000, warmup_steps=1, peak_lr=0.5)
    rates = [learning_rate(config, Position(tokens=tokens)) for tokens in (0, 250, 1000, 1100)]
    assert rates == pytest.approx([0.5, 0.375, 0.0, 0.0])


@each_case(
    ("part", "count", "moments"), [(0.5, 5, [12, 14, 16, 18, 20]), (0.1, 1, [20]), (1.0, 2, [10, 20]), (0.5, 0, [])]
)
def test_the_moments_of_the_average_are_spread_evenly_over_the_last_part(part, count, moments):
    config, added = tiny_config(steps=20, average_part=part, average_count=count), []
    for step in range(1, 21):
        added += [step] * is_average_due(config, Position(step=step), len(added))
    assert added == moments


def test_weights_are_averaged_over_the_moments_that_were_added():
    layer, average = nn.Linear(2, 1), WeightAverage()
    for value in (1.0, 2.0, 6.0):
        nn.init.constant_(layer.weight, value)
        average.add(layer)
    nn.init.zeros_(layer.weight)
    average.apply_to(layer)
    assert layer.weight.tolist() == [[3.0, 3.0]]


def test_an_average_of_nothing_leaves_the_weights_alone():
    layer = nn.Linear(2, 1)
    before = layer.weight.tolist()
    WeightAverage().apply_to(layer)
    assert layer.weight.tolist() == before
