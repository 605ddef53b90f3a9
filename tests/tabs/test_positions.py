"""The table of positional encodings, taken apart."""

import math

import numpy as np
import pytest
from cases import each_case

from explorer.tabs.positions.sinusoids import (
    angle,
    fit_error,
    similarity,
    similarity_by_distance,
    sinusoid,
    trained_length,
    turn_error,
    turn_table,
    wavelengths,
)
from model.layers import sinusoidal_halves, sinusoidal_positions

TABLE, HALVES = sinusoidal_positions(160, 32).numpy(), sinusoidal_halves(160, 32).numpy()
ORDERS = {"sinusoidal": TABLE, "sinusoidal halves": HALVES}
LEARNED = np.random.default_rng(0).normal(size=(160, 32)).astype(np.float32)


@each_case("order", ORDERS)
def test_the_formula_gives_the_models_own_table(order):
    for position in (0, 1, 17, 159):
        ours = [sinusoid(position, dimension, 32, order) for dimension in range(32)]
        np.testing.assert_allclose(ours, ORDERS[order][position], atol=1e-6)


def test_after_one_wavelength_a_pair_comes_round():
    lengths = wavelengths(32)
    assert lengths[0] == pytest.approx(2 * math.pi)
    assert lengths[-1] == pytest.approx(2 * math.pi * 10000 ** (30 / 32))
    for pair, length in enumerate(lengths):
        assert angle(1, pair, 32) * length == pytest.approx(2 * math.pi)


def test_similarity_is_the_dot_product_or_the_cosine():
    dot, cosine = similarity(LEARNED, "dot product"), similarity(LEARNED, "cosine")
    assert dot[3, 7] == pytest.approx(float(LEARNED[3] @ LEARNED[7]), rel=1e-5)
    assert cosine[3, 7] == pytest.approx(dot[3, 7] / math.sqrt(dot[3, 3] * dot[7, 7]), rel=1e-5)
    np.testing.assert_allclose(np.diagonal(cosine), 1, atol=1e-6)


def test_of_sinusoids_only_the_distance_counts():
    curve = similarity_by_distance(similarity(TABLE, "dot product"))
    np.testing.assert_allclose(similarity(HALVES, "dot product"), similarity(TABLE, "dot product"), atol=1e-4)
    np.testing.assert_allclose(curve.least, curve.greatest, atol=1e-4)
    expected = [sum(math.cos(angle(distance, pair, 32)) for pair in range(16)) for distance in range(160)]
    np.testing.assert_allclose(curve.mean, expected, atol=1e-4)


@each_case("order", ORDERS)
@each_case("distance", [1, 100])
def test_a_shift_is_a_turn_of_every_pair(distance, order):
    table = ORDERS[order]
    assert turn_error(table, distance, order) < 5e-7 < 1 < turn_error(LEARNED, distance, order)
    np.testing.assert_allclose(turn_table(table[:3], distance, order), table[distance : distance + 3], atol=5e-7)


def test_a_linear_map_fits_sinusoids_and_no_random_table():
    assert fit_error(TABLE, 10) < 1e-3
    assert fit_error(LEARNED, 10) > 0.9


@each_case(("count", "distance"), [(64, 1), (160, 97)])
def test_too_few_positions_determine_no_map(count, distance):
    assert fit_error(LEARNED[:count], distance) is None
    assert fit_error(LEARNED[:66], 1) is not None


def test_the_trained_length_is_the_recipes_or_unknown():
    assert trained_length({"recipe": {"max_pieces": 128}}) == 128
    assert trained_length({}) is None
