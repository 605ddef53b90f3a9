"""What the Positions tab answers: figures that draw what is given, texts as HTML, and no more than the table has."""

import json
import math

import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.recordings import Recordings
from explorer.tabs.positions.answers import TableAnswers, order_section, pieces_section
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
from explorer.tabs.positions.table import PositionTable
from explorer.ui.prose import folded, markdown_with_html, mathml
from explorer.ui.questions import validated
from model.decoding import Translator
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


@pytest.fixture(scope="module")
def answers(shipped: Translator) -> TableAnswers:
    return TableAnswers(PositionTable.of(shipped))


def figures(answer: str) -> list[str]:
    return list(json.loads(answer)["figures"])


def test_every_section_has_its_figures_and_a_text(answers):
    table = json.loads(answers.table_section(60, 3, 7))
    assert len(table["figures"]["heatmap"]["data"][0]["z"]) == 60 and "<math><mi>PE</mi>" in table["texts"]["formula"]
    assert figures(answers.waves_section(60, [0, 1])) == ["curves", "wavelengths"]
    assert figures(answers.similarity_section(60, "cosine")) == ["similarity", "similarity-curve"]
    turn = json.loads(answers.turn_section(60, 4, 2, 3))
    assert [*turn["figures"]] == ["turn"] and "<strong>2.5979</strong> radians" in turn["texts"]["error"]


@each_case(
    ("name", "given"),
    [
        ("table_section", [257, 3, 7]),
        ("table_section", [60, 256, 7]),
        ("table_section", [60, 3, 256]),
        ("waves_section", [60, [*range(8)]]),
        ("similarity_section", [60, "size"]),
        ("turn_section", [60, 255, 2, 3]),
        ("turn_section", [60, 4, 2, 0]),
    ],
)
def test_what_the_table_does_not_have_is_refused(answers, name, given):
    with pytest.raises(ValueError, match=r"\."):
        validated(getattr(answers, name))(*given)


def test_without_positions_the_pieces_have_one_strip_and_orders_are_alike(tokenizer):
    recordings = Recordings(tiny_translator(tokenizer, positions="none"))
    pieces = json.loads(pieces_section(recordings, "A dog sees a dog.", "encoder", False))
    assert len(pieces["figures"]["pieces"]["layout"]["annotations"]) == 1
    assert "No position is added" in pieces["texts"]["norms"] and pieces["texts"]["mistake"] == ""
    order = json.loads(order_section(recordings.translator, "a dog sees a cat", "a cat sees a dog"))
    assert len(order["figures"]["order"]["layout"]["annotations"]) == 1


def test_two_orders_are_compared_and_others_refused(shipped):
    order = json.loads(order_section(shipped, "a man sees a dog", "a dog sees a man"))
    assert len(order["figures"]["order"]["data"]) == 2 and "<strong>" in order["texts"]["result"]
    assert json.loads(order_section(shipped, "a man", " "))["figures"] == {}
    with pytest.raises(ValueError, match="must consist of the same pieces"):
        order_section(shipped, "a man", "<b>a</b>")


def test_a_formula_is_mathml():
    assert mathml("k / 10^{2i/d_{model}}") == (
        "<math><mi>k</mi><mo>/</mo><msup><mn>10</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo>"
        "<msub><mi>d</mi><mrow><mi>model</mi></mrow></msub></mrow></msup></math>"
    )
    assert mathml(r"\sqrt{x} = -0.5") == (
        "<math><msqrt><mrow><mi>x</mi></mrow></msqrt></math><wbr><math><mo>=</mo><mn>−0.5</mn></math>"
    )


def test_a_fold_holds_html_or_markdown_below_its_line():
    assert folded("a < b", "<p>x</p>") == (
        '<details class="fold">\n<summary>a &lt; b</summary>\n\n<p>x</p>\n\n</details>'
    )
    assert "<p><strong>x</strong></p>\n</details>" in markdown_with_html(folded("a", "**x**"))
