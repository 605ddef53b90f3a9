"""Positional encodings: the table taken apart, what enters the first layer, and the same pieces in another order."""

import math

import numpy as np
import pytest
import torch
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from explorer.tabs.positions.answers import Probe, compare_orders, encoder_outputs, layer_input, no_positions
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
from explorer.tabs.positions.table import PositionTable
from model.config import ModelConfig
from model.decoding import Translator
from model.layers import sinusoidal_halves, sinusoidal_positions
from model.transformer import Transformer

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


@pytest.fixture(scope="module")
def shipped_table(shipped: Translator) -> PositionTable:
    return PositionTable.of(shipped)


@pytest.fixture(scope="module")
def learned_table(tokenizer) -> PositionTable:
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=1, n_heads=4, d_model=16, d_ff=32, max_len=64, positions="learned", **sizes)
    return PositionTable.of(Translator(Transformer(config).eval(), tokenizer, {"recipe": {"max_pieces": 60}}))


def test_the_formula_is_filled_in_and_equals_the_table(shipped_table):
    text = shipped_table.formula(3, 7)
    assert "PE(3, 7)" in text and "\\cos(3 / 10000^{6/256})" in text and "$i = 3$" in text
    value = f"{shipped_table.vectors[3, 7]:.4f}"
    assert f"= {value}$" in text and f"**{value}**" in text


@pytest.fixture(scope="module")
def halves_table(tokenizer) -> PositionTable:
    return PositionTable.of(tiny_translator(tokenizer, positions="sinusoidal halves"))


def test_of_halves_the_formula_and_the_turn_take_the_cosine_from_the_second_half(halves_table):
    text, value = halves_table.formula(3, 11), f"{halves_table.vectors[3, 11]:.4f}"
    assert "second half: it is the cosine of the pair $i = 3$" in text and "\\cos(3 / 10000^{6/16})" in text
    assert f"= {value}$" in text and f"**{value}**" in text
    figure, said = halves_table.turn(20, 3, 2, 3)
    np.testing.assert_allclose([figure.data[1].x[1], figure.data[1].y[1]], halves_table.vectors[2, [11, 3]], atol=1e-6)
    assert len(figure.data) == 4 and "e-0" in said
    assert halves_table.last_pair == 7 and halves_table.notable_dimensions == [0, 1, 4, 8, 9]


def test_a_learned_table_has_no_formula(learned_table):
    text = learned_table.formula(3, 7)
    assert "PE" not in text and f"**{learned_table.vectors[3, 7]:.4f}**" in text
    assert learned_table.waves is None


def test_the_shift_of_sinusoids_is_exact_and_has_an_arc(shipped_table):
    figure, text = shipped_table.turn(60, 4, 2, 3)
    assert len(figure.data) == 4
    assert "all 509 positions" in text and "e-08" in text


def test_the_shift_of_a_learned_table_is_judged_and_has_no_arc(learned_table):
    figure, text = learned_table.turn(20, 4, 2, 3)
    assert len(figure.data) == 3
    assert "% of" not in text and "every second position" in text
    assert "cannot be said" in learned_table.turn(20, 4, 2, 30)[1]


def test_what_lies_beyond_the_training_is_told_of_every_table(shipped_table, learned_table):
    assert "**128** positions" in shipped_table.beyond and "show 256 positions" in shipped_table.beyond
    assert "**60** positions" in learned_table.beyond and "row 63" in learned_table.beyond
    assert "not recorded" in PositionTable(shipped_table.kind, shipped_table.vectors, None).beyond
    assert "none lies beyond" in PositionTable(shipped_table.kind, shipped_table.vectors, 512).beyond


def test_either_dimension_of_a_pair_stands_for_it(shipped_table):
    (even, said), (odd, told) = shipped_table.turn(60, 4, 2, 3), shipped_table.turn(60, 5, 2, 3)
    assert even.to_json() == odd.to_json() and said == told


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


def test_without_the_factor_the_embedding_is_the_tables_row(shipped: Translator):
    found = layer_input(record_pass(shipped, record(shipped, CHAIR)), "encoder")
    forgotten, table = found.unscaled(), shipped.model.encoder.embedding.tokens.weight.detach().numpy()
    np.testing.assert_allclose(forgotten.embedding, table[[piece.id for piece in found.pieces]], rtol=1e-6)
    np.testing.assert_allclose(forgotten.stream - forgotten.embedding, found.positions, atol=1e-6)
    assert found.scale == 16 and forgotten.scale == 1
    assert found.norms[0].min() > found.norms[1].max() > 5 * forgotten.norms[0].max()


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


def test_with_positions_they_are_not(translator):
    found = compare_orders(translator, CAT, MAT)
    first, second = (encoder_outputs(translator, translator.source_ids(text), Probe()) for text in (CAT, MAT))
    assert np.abs(first - second[list(found.partners)]).max() > 0.1
    assert found.largest(found.ordered) > 0.5


def test_a_piece_goes_with_its_own_copy_and_the_nth_with_the_nth(shipped):
    found = compare_orders(shipped, CAT, MAT)
    assert found.partners == (0, 5, 2, 3, 4, 1, 6)
    assert [piece.text for piece in found.first] == [found.second[i].text for i in found.partners]


def test_other_pieces_are_refused_with_both_lists(shipped):
    with pytest.raises(ValueError, match=r"·the ·cat ·sat .* ·a ·dog"):
        compare_orders(shipped, CAT, "a dog")


def test_only_the_encoders_positions_are_taken_away(toy):
    seen = []

    def visit(site, tensor):
        replaced = no_positions(site, tensor)
        seen.append((site.tensor, replaced is not None and not torch.any(replaced)))
        return replaced

    toy.encode(toy.source_ids(CAT), Probe(visit))
    assert [name for name, gone in seen if gone] == ["positions"]
