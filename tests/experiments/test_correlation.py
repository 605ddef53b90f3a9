"""Spearman's rank correlation."""

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.correlation import rank_correlation, ranks


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
