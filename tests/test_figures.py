"""Figures: what is drawn is what was given."""

import numpy as np
import pytest

from explorer.figures import attention_frame, attention_heatmap, positions_curves, positions_heatmap
from explorer.palette import DARK, LIGHT
from model.layers import sinusoidal_positions


def weights(rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(0).random((rows, columns)).astype(np.float32)
    return random / random.sum(axis=1, keepdims=True)


def test_queries_go_down_and_keys_go_along():
    given = weights(2, 3)
    figure = attention_heatmap(given, ["q1", "q2"], ["k1", "k2", "k3"], "cross")
    np.testing.assert_array_equal(figure.data[0].z, given)
    assert figure.layout.yaxis.ticktext == ("q1", "q2")
    assert figure.layout.xaxis.ticktext == ("k1", "k2", "k3")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.data[0].text[1][2] == f"q2 attends to k3: {given[1, 2]:.3f}"


def test_repeated_pieces_keep_their_own_columns():
    figure = attention_heatmap(weights(1, 4), ["q"], ["a", "b", "a", "b"], "cross")
    assert figure.layout.xaxis.tickvals == (0, 1, 2, 3)


def test_the_decoders_future_is_empty_and_not_zero():
    figure = attention_heatmap(weights(3, 3), ["a", "b", "c"], ["a", "b", "c"], "decoder")
    assert np.isnan(np.asarray(figure.data[0].z)[np.triu_indices(3, 1)]).all()
    assert not np.isnan(np.asarray(figure.data[0].z)[np.tril_indices(3)]).any()


def test_the_scale_is_fixed_and_zero_looks_like_the_page():
    for palette in (LIGHT, DARK):
        trace = attention_frame("encoder", palette).data[0]
        assert (trace.zmin, trace.zmax) == (0, 1)
        assert trace.colorscale[0][1].endswith(",0)")


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit 2 queries and 2 keys"):
        attention_heatmap(weights(2, 3), ["a", "b"], ["a", "b"], "cross")


def test_positions_are_drawn_as_they_are():
    table = sinusoidal_positions(12, 8).numpy()
    np.testing.assert_array_equal(positions_heatmap(table).data[0].z, table)
    curves = positions_curves(table, [0, 5])
    np.testing.assert_array_equal(curves.data[1].y, table[:, 5])
    assert [line.name for line in curves.data] == ["dimension 0", "dimension 5"]
