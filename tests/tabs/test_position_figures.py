"""Figures of the Positions tab: what is drawn is what was given."""

import math

import numpy as np
import pytest

from explorer.tabs.positions.figures import (
    positions_curves,
    positions_heatmap,
    similarity_curve,
    similarity_heatmap,
    token_strips,
    turn_figure,
    wavelength_figure,
)
from explorer.tabs.positions.sinusoids import similarity, similarity_by_distance, wavelengths
from model.layers import sinusoidal_halves, sinusoidal_positions

TABLE = sinusoidal_positions(12, 8).numpy()


def test_positions_are_drawn_as_they_are():
    heatmap = positions_heatmap(TABLE)
    np.testing.assert_allclose(heatmap.data[0].z, TABLE, rtol=0, atol=0.0005 + 1e-9)
    assert (heatmap.data[0].zmin, heatmap.data[0].zmax) == (-1, 1)
    assert heatmap.layout.yaxis.range == (11.5, -0.5)
    curves = positions_curves(TABLE, [0, 5])
    np.testing.assert_array_equal(curves.data[1].y, TABLE[:, 5])
    assert [line.name for line in curves.data] == ["dimension 0", "dimension 5"]


def test_where_the_halves_lie_apart_a_sine_and_its_cosine_are_called_alike_and_drawn_apart():
    order, table = "sinusoidal halves", sinusoidal_halves(12, 8).numpy()
    curves = positions_curves(table, [1, 5], wavelengths(8), order)
    assert [line.name for line in curves.data] == ["dimension 1: a turn in 62.8", "dimension 5: a turn in 62.8"]
    assert [line.line.dash for line in curves.data] == ["solid", "dot"]
    (line,) = wavelength_figure(wavelengths(8), order=order).data
    assert (list(line.x), list(line.customdata)) == ([0, 1, 2, 3], [4, 5, 6, 7])
    assert "second half (cosine)" in turn_figure(table[:, [1, 5]], 1, 2, 2.0, order).layout.xaxis.title.text


def test_a_line_marks_the_longest_training_sentence_where_it_is_in_sight():
    line = positions_heatmap(TABLE, trained=8).data[1]
    assert (line.y, line.text[1]) == ((7.5, 7.5), "longest in training: 8")
    assert len(positions_heatmap(TABLE, trained=12).data) == len(positions_heatmap(TABLE).data) == 1
    assert wavelength_figure(wavelengths(8), 8).data[1].y == (8, 8)


def test_similarities_are_drawn_as_they_are():
    similar = similarity(TABLE, "cosine")
    heatmap = similarity_heatmap(similar, "cosine").data[0]
    np.testing.assert_allclose(heatmap.z, similar, rtol=0, atol=0.0005 + 1e-9)
    assert heatmap.zmin == -heatmap.zmax
    least, greatest, mean = similarity_curve(similarity_by_distance(similar), "cosine").data
    np.testing.assert_array_equal(mean.y, similarity_by_distance(similar).mean)
    np.testing.assert_array_equal(least.y, similarity_by_distance(similar).least)
    np.testing.assert_array_equal(greatest.y, similarity_by_distance(similar).greatest)


def test_two_positions_of_a_pair_lie_on_the_circle_with_the_turn_between_them():
    figure = turn_figure(TABLE[:, 0:2], 1, 2, 2.0)
    everywhere, here, there, arc = figure.data
    np.testing.assert_allclose(np.hypot(everywhere.x, everywhere.y), 1, atol=1e-6)
    assert (here.x[1], here.y[1]) == pytest.approx((math.cos(1), math.sin(1)))
    assert (there.x[1], there.y[1]) == pytest.approx((math.cos(3), math.sin(3)))
    angles = np.arctan2([arc.y[0], arc.y[-1]], [arc.x[0], arc.x[-1]])
    assert angles.tolist() == pytest.approx([1, 3])


def test_strips_share_one_scale_and_name_every_norm():
    norms = [np.linalg.norm(rows, axis=1) for rows in (TABLE[:3], 2 * TABLE[:3])]
    figure = token_strips(["·a", "<b>", "·a"], [("one", TABLE[:3]), ("two", 2 * TABLE[:3])], norms)
    one, _, two, _ = figure.data
    both = np.abs(np.stack([TABLE[:3], 2 * TABLE[:3]]))
    assert one.zmax == two.zmax == -one.zmin
    assert (both > one.zmax).mean() == pytest.approx(0.01, abs=0.02)
    np.testing.assert_array_equal(two.z, 2 * TABLE[:3])
    assert figure.layout.yaxis.ticktext == figure.layout.yaxis2.ticktext == ("·a", "&lt;b&gt;", "·a")
    for lengths, axis in zip(norms, (figure.layout.yaxis3, figure.layout.yaxis4), strict=True):
        assert axis.ticktext == tuple(f"{length:.1f}" for length in lengths)
    assert [note.text for note in figure.layout.annotations] == ["one", "two"]
