"""Figures: what is drawn is what was given."""

import numpy as np
import plotly.graph_objects as go
from cases import each_case
from plotly.offline import get_plotlyjs_version

from explorer.notebook.heatmap import attention_heatmap
from explorer.ui.component import PLOTLY_JS
from explorer.ui.palette import CLEAR, LIGHT


def weights(rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(0).random((rows, columns)).astype(np.float32)
    return random / random.sum(axis=1, keepdims=True)


def drawn(rows: int, columns: int, kind: str, **options) -> go.Figure:
    """Random weights under numbered labels."""
    queries, keys = [f"q{i}" for i in range(rows)], [f"k{i}" for i in range(columns)]
    return attention_heatmap(weights(rows, columns), queries, keys, kind, **options)


def unreadable(labels: tuple[str, ...]) -> list[bool]:
    return [CLEAR in label for label in labels]


def test_queries_go_down_and_keys_go_along():
    figure = drawn(2, 3, "cross")
    np.testing.assert_array_equal(figure.data[0].z, weights(2, 3))
    assert figure.layout.yaxis.ticktext == ("q0", "q1")
    assert figure.layout.xaxis.ticktext == ("k0", "k1", "k2")
    assert (figure.layout.xaxis.range, figure.layout.yaxis.range) == ((-0.5, 2.5), (1.5, -0.5))
    assert figure.data[0].text[1][2] == f"q1 attends to k2: {weights(2, 3)[1, 2]:.3f}"


def test_transposed_keys_go_down_and_queries_along():
    figure, upright = drawn(2, 3, "cross", transposed=True), drawn(2, 3, "cross")
    np.testing.assert_array_equal(figure.data[0].z, weights(2, 3).T)
    np.testing.assert_array_equal(figure.data[0].text, upright.data[0].text.T)
    assert figure.layout.yaxis.ticktext == ("k0", "k1", "k2")
    assert figure.layout.xaxis.ticktext == ("q0", "q1")
    assert (figure.layout.xaxis.range, figure.layout.yaxis.range) == ((-0.5, 1.5), (2.5, -0.5))


def test_the_decoders_future_is_empty_and_not_zero():
    figure = drawn(3, 3, "decoder")
    assert np.isnan(np.asarray(figure.data[0].z)[np.triu_indices(3, 1)]).all()
    assert not np.isnan(np.asarray(figure.data[0].z)[np.tril_indices(3)]).any()
    assert figure.data[0].text[0].tolist() == [f"q0 attends to k0: {weights(3, 3)[0, 0]:.3f}", "", ""]


def test_the_decoders_future_is_hatched():
    hatching = drawn(3, 3, "decoder").data[1]
    assert hatching.x == (0.5, 0.5, 1.5, 1.5, 2.5, 2.5)
    assert hatching.y == (-0.5, 0.5, 0.5, 1.5, 1.5, -0.5)
    assert (hatching.fill, hatching.fillpattern.shape, hatching.fillpattern.fgcolor) == ("toself", "/", LIGHT["masked"])
    assert drawn(3, 3, "cross").data[1].x == drawn(3, 3, "encoder").data[1].x == ()
    turned = drawn(3, 3, "decoder", transposed=True).data[1]
    assert (turned.x, turned.y) == (hatching.y, hatching.x)


def test_a_map_of_the_decoder_ends_at_the_step():
    cross, decoder = drawn(4, 3, "cross", step=1), drawn(4, 4, "decoder", step=1)
    for figure in (cross, decoder):
        assert np.isnan(figure.data[0].z[2:]).all()
        assert not figure.data[0].text[2:].any()
        assert unreadable(figure.layout.yaxis.ticktext) == [False, False, True, True]
    np.testing.assert_array_equal(cross.data[0].z[:2], weights(4, 3)[:2])
    assert decoder.data[1].x == (0.5, 0.5, 1.5, 1.5)


def test_the_steps_row_is_marked_and_without_a_step_none_is():
    mark = drawn(4, 3, "cross", step=1).layout.shapes[0]
    assert (mark.x0, mark.x1, mark.y0, mark.y1) == (-0.5, 2.5, 0.5, 1.5)
    turned = drawn(4, 3, "cross", step=1, transposed=True).layout.shapes[0]
    assert (turned.x0, turned.x1, turned.y0, turned.y1) == (0.5, 1.5, -0.5, 2.5)
    assert drawn(4, 3, "cross").layout.shapes == ()


def test_a_visitors_text_is_only_text():
    figure = attention_heatmap(np.ones((1, 2)) / 2, ["<b> & 'x'"], ["<s>", "&lt;"], "cross", special=([], [0]))
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt; &amp; 'x'",)
    assert figure.layout.xaxis.ticktext == ("<i>&lt;s&gt;</i>", "&amp;lt;")
    assert figure.data[0].text[0][0] == "&lt;b&gt; &amp; 'x' attends to &lt;s&gt;: 0.500"


@each_case(("count", "stride"), [(30, 1), (31, 2), (128, 5)])
def test_an_axis_has_thirty_labels_at_most_evenly_spaced(count, stride):
    for axis in (drawn(count, 2, "cross").layout.yaxis, drawn(2, count, "cross").layout.xaxis):
        assert axis.tickvals == tuple(range(0, count, stride))
        assert [label[1:] for label in axis.ticktext] == [str(i) for i in axis.tickvals]
        assert len(axis.ticktext) <= 30


def test_plotly_in_the_browser_is_of_the_major_version_that_makes_the_figures():
    head = PLOTLY_JS.read_text(encoding="utf-8")[:200]
    major = get_plotlyjs_version().partition(".")[0]
    assert f" v{major}." in head  # else fetch plotly.js-cartesian-dist-min of that version
