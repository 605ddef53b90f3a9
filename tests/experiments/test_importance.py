"""Averages of many sentences: their intervals, and how stable the order of the heads is."""

import numpy as np
import pytest

from explorer.experiments.importance import average, split_half


def test_an_interval_covers_the_true_mean_about_95_times_in_a_hundred():
    rng, covered = np.random.default_rng(0), 0
    for seed in range(20):
        found = average(rng.normal(3, 2, size=(100, 10)), seed)
        covered += int(((found.low < 3) & (found.high > 3)).sum())
    assert 180 <= covered <= 198


def test_an_interval_is_as_wide_as_the_normal_one():
    drops = np.random.default_rng(1).normal(0, 2, size=(400, 3))
    found = average(drops, 0)
    np.testing.assert_allclose(found.drop, drops.mean(axis=0))
    np.testing.assert_allclose(found.high - found.low, 2 * 1.96 * drops.std(axis=0) / 20, rtol=0.1)


def test_halves_agree_where_heads_differ_and_not_where_all_is_noise():
    noise = np.random.default_rng(2).normal(size=(100, 60))
    assert abs(split_half(noise, 0)) < 0.2
    assert split_half(noise + 3 * np.arange(60), 0) > 0.99


def test_one_sentence_cannot_be_halved():
    with pytest.raises(ValueError, match="at least two sentences"):
        split_half(np.ones((1, 4)), 0)
