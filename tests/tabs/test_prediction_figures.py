"""Figures of the Predictions tab: what is drawn is what was given."""

import math

import numpy as np

from explorer.recording.trace import Piece
from explorer.tabs.predictions.figures import logits_histogram, residual_figure, state_strip
from explorer.tabs.predictions.output import Residual, Sublayer
from explorer.ui.palette import DARK, LIGHT

LOGITS = np.array([0.0, 1.0, 1.0, 5.0, -math.inf], dtype=np.float32)
SUBLAYERS = tuple(Sublayer(layer, name) for layer in (0, 1) for name in ("self_attention", "feed_forward"))
PIECES = (Piece("<a>", 4), Piece("b", 5))
NORMS = np.arange(10.0).reshape(5, 2)
SHARES = np.arange(8.0).reshape(4, 2) / 10


def residual(chosen: int):
    return residual_figure(Residual(PIECES, SUBLAYERS, NORMS, SHARES), chosen, "encoder", DARK)


def test_a_state_is_drawn_as_it_is_on_a_scale_with_zero_in_the_middle():
    strip = state_strip(np.array([1.0, -3.0, 0.0]), DARK).data[0]
    assert list(strip.z[0]) == [1, -3, 0]
    assert (strip.zmin, strip.zmax) == (-3, 3)
    assert (strip.colorscale[0][1], strip.colorscale[2][1]) == (DARK["decoder"], DARK["encoder"])


def test_the_histogram_counts_every_possible_piece_and_marks_the_chosen_one():
    figure = logits_histogram(LOGITS, 3, LIGHT)
    assert sum(figure.data[0].y) == 4
    assert figure.layout.shapes[0].x0 == 5
    assert figure.layout.annotations[0].text == "chosen: 5.00"


def test_the_chosen_pieces_stream_stands_before_the_others():
    other, behind, line, bars = residual(1).data
    assert (list(other.y), list(behind.y)) == (NORMS[:, 0].tolist(), SHARES[:, 0].tolist())
    assert (list(line.y), list(bars.y)) == (NORMS[:, 1].tolist(), SHARES[:, 1].tolist())
    assert line.line.color == bars.marker.color == DARK["encoder"]
    assert other.line.color == DARK["masked"]
    assert other.hovertemplate == "&lt;a&gt;: %{y:.2f}<extra></extra>"


def test_a_piece_that_looks_like_one_of_plotlys_names_is_text():
    pieces = (Piece("%{y:.3f}&lt;", 4), PIECES[1])
    hovers = [
        trace.hovertemplate
        for trace in residual_figure(Residual(pieces, SUBLAYERS, NORMS, SHARES), 1, "encoder", DARK).data
    ]
    assert hovers[:2] == ["%&#123;y:.3f}&amp;lt;: %{y:.2f}<extra></extra>"] * 2


def test_stages_are_named_from_the_embedding_on_and_shares_stand_under_theirs():
    figure = residual(0)
    assert figure.layout.xaxis.ticktext == ("embedding", "1 self", "1 ffn", "2 self", "2 ffn")
    assert list(figure.data[-1].x) == [1, 2, 3, 4]


def test_the_chosen_pieces_shares_are_never_beyond_the_axis():
    for chosen in (0, 1):
        assert residual(chosen).layout.yaxis2.range[1] > SHARES[:, chosen].max()
