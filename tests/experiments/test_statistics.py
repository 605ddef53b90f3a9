"""Averages of many sentences: their intervals, and how stable the order of the heads is."""

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.statistics import average, rank_correlation, ranks, split_half


def test_equal_values_share_the_mean_of_their_ranks():
    np.testing.assert_array_equal(ranks(np.array([0.5, -1, 3, 0.5])), [2.5, 1, 4, 2.5])


@each_case(
    ("first", "second", "expected"),
    [
        ([1, 2, 3], [10, 100, 1000], 1),
        ([1, 2, 3], [3, 1, 0], -1),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 2, 2, 3], [1, 3, 2, 4], 4.5 / np.sqrt(4.5 * 5)),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_the_rank_correlation_is_spearmans(first, second, expected):
    found = rank_correlation(np.array(first, dtype=float), np.array(second, dtype=float))
    assert found is None if expected is None else found == pytest.approx(expected)


def test_an_interval_covers_the_true_mean_about_95_times_in_a_hundred():
    rng, covered = np.random.default_rng(0), 0
    for seed in range(20):
        found = average(rng.normal(3, 2, size=(100, 10)), seed)
        covered += int(((found.low < 3) & (found.high > 3)).sum())
    assert 180 <= covered <= 198


def test_halves_agree_where_heads_differ_and_not_where_all_is_noise():
    noise = np.random.default_rng(2).normal(size=(100, 60))
    assert abs(split_half(noise, 0)) < 0.2
    assert split_half(noise + 3 * np.arange(60), 0) > 0.99


def test_one_sentence_cannot_be_halved():
    with pytest.raises(ValueError, match="at least two sentences"):
        split_half(np.ones((1, 4)), 0)
