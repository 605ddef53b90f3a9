"""Positional encodings: the table taken apart, what enters the first layer, and the same pieces in another order."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from explorer.tabs.positions.answers import (
    Probe,
    compare_orders,
    encoder_outputs,
    layer_input,
    no_positions,
    order_section,
)
from explorer.tabs.positions.figures import wavelength_figure
from explorer.tabs.positions.sinusoids import (
    angle,
    fit_error,
    rounding_bound,
    similarity,
    similarity_by_distance,
    sinusoid,
    turn_error,
    turn_table,
    wavelengths,
)
from explorer.tabs.positions.table import PositionTable
from explorer.ui.prose import mathml
from model.decoding import Translator
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


def test_what_lies_beyond_the_training_is_told_of_every_table(shipped, tokenizer):
    learned = replace(tiny_translator(tokenizer, positions="learned"), record={"recipe": {"max_pieces": 30}})
    shipped_table, learned_table = PositionTable.of(shipped), PositionTable.of(learned)
    assert "**128** positions" in shipped_table.beyond and "show 256 positions" in shipped_table.beyond
    assert "**30** positions" in learned_table.beyond and "row 31" in learned_table.beyond
    assert "not recorded" in PositionTable(shipped_table.kind, shipped_table.vectors, None).beyond
    assert "none lies beyond" in PositionTable(shipped_table.kind, shipped_table.vectors, 512).beyond


CHAIR = "The cat sleeps on the old chair."


@each_case("stack", ["encoder", "decoder"])
def test_the_three_vectors_are_the_models_own(toy: Translator, stack):
    trace = record(toy, CHAIR, max_steps=6)
    found, module = layer_input(record_pass(toy, trace), stack), getattr(toy.model, stack).embedding
    ids = [piece.id for piece in found.pieces]
    table, positions = module.tokens.weight.detach().numpy(), module.positions.numpy()
    np.testing.assert_allclose(found.embedding, table[ids] * 4, rtol=1e-6)
    np.testing.assert_array_equal(found.positions, positions[: len(ids)])
    np.testing.assert_allclose(found.stream, found.embedding + found.positions, atol=1e-6)
    assert found.pieces == (trace.source if stack == "encoder" else trace.target)


CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"


@pytest.fixture(params=["shipped", "toy"])
def translator(request) -> Translator:
    return request.getfixturevalue(request.param)


def test_without_positions_the_outputs_are_the_same_in_another_order(translator):
    found = compare_orders(translator, CAT, MAT)
    sides = [translator.source_ids(text) for text in (CAT, MAT)]
    first, second = (encoder_outputs(translator, ids, Probe(no_positions)) for ids in sides)
    np.testing.assert_allclose(first, second[list(found.partners)], atol=1e-5)
    assert found.largest(found.unordered) < 1e-4


@each_case(("other", "told"), [(CAT, "<strong>0</strong> with"), (MAT, "with")])
def test_what_is_rounding_is_told_by_its_bound_also_where_it_is_nothing(toy, other, told):
    result = json.loads(order_section(toy, CAT, other))["texts"]["result"]
    assert told in result and re.search(r"less than <strong>1e-0[4567]</strong> without, which is rounding", result)
    assert [f"{rounding_bound(error):.0e}" for error in (0, 1e-7, 9e-7, 2e-5)] == ["1e-07", "1e-06", "1e-06", "1e-04"]


def test_with_positions_they_are_not(translator):
    found = compare_orders(translator, CAT, MAT)
    first, second = (encoder_outputs(translator, translator.source_ids(text), Probe()) for text in (CAT, MAT))
    assert np.abs(first - second[list(found.partners)]).max() > 0.1
    assert found.largest(found.ordered) > 0.5


def test_only_the_encoders_positions_are_taken_away(toy):
    seen = []

    def visit(site, tensor):
        replaced = no_positions(site, tensor)
        seen.append((site.tensor, replaced is not None and not torch.any(replaced)))
        return replaced

    toy.encode(toy.source_ids(CAT), Probe(visit))
    assert [name for name, gone in seen if gone] == ["positions"]


def test_where_the_halves_lie_apart_a_wavelength_names_both_dimensions():
    (line,) = wavelength_figure(wavelengths(8), order="sinusoidal halves").data
    assert (list(line.x), list(line.customdata)) == ([0, 1, 2, 3], [4, 5, 6, 7])
    assert wavelength_figure(wavelengths(8), 8).data[1].y == (8, 8)  # the longest sentence of the training


def test_a_formula_is_mathml():
    assert mathml("k / 10^{2i/d_{model}}") == (
        "<math><mi>k</mi><mo>/</mo><msup><mn>10</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo>"
        "<msub><mi>d</mi><mrow><mi>model</mi></mrow></msub></mrow></msup></math>"
    )
    assert mathml(r"\sqrt{x} = -0.5") == (
        "<math><msqrt><mrow><mi>x</mi></mrow></msqrt></math><wbr><math><mo>=</mo><mn>−0.5</mn></math>"
    )
