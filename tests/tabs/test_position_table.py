"""What the Positions tab draws and says, for a computed table and for a learned one."""

import numpy as np
import pytest
import torch
from tiny_models import tiny_translator

from explorer.tabs.positions.table import PositionTable
from model.config import ModelConfig
from model.decoding import Translator
from model.transformer import Transformer


@pytest.fixture(scope="module")
def computed(shipped: Translator) -> PositionTable:
    return PositionTable.of(shipped)


@pytest.fixture(scope="module")
def learned(tokenizer) -> PositionTable:
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=1, n_heads=4, d_model=16, d_ff=32, max_len=64, positions="learned", **sizes)
    return PositionTable.of(Translator(Transformer(config).eval(), tokenizer, {"recipe": {"max_pieces": 60}}))


def test_the_formula_is_filled_in_and_equals_the_table(computed):
    text = computed.formula(3, 7)
    assert "PE(3, 7)" in text and "\\cos(3 / 10000^{6/256})" in text and "$i = 3$" in text
    value = f"{computed.vectors[3, 7]:.4f}"
    assert f"= {value}$" in text and f"**{value}**" in text


@pytest.fixture(scope="module")
def halves(tokenizer) -> PositionTable:
    return PositionTable.of(tiny_translator(tokenizer, positions="sinusoidal halves"))


def test_of_halves_the_formula_and_the_turn_take_the_cosine_from_the_second_half(halves):
    text, value = halves.formula(3, 11), f"{halves.vectors[3, 11]:.4f}"
    assert "second half: it is the cosine of the pair $i = 3$" in text and "\\cos(3 / 10000^{6/16})" in text
    assert f"= {value}$" in text and f"**{value}**" in text
    figure, said = halves.turn(20, 3, 2, 3)
    np.testing.assert_allclose([figure.data[1].x[1], figure.data[1].y[1]], halves.vectors[2, [11, 3]], atol=1e-6)
    assert len(figure.data) == 4 and "e-0" in said
    assert halves.last_pair == 7 and halves.telling_dimensions == [0, 1, 4, 8, 9]


def test_a_learned_table_has_no_formula(learned):
    text = learned.formula(3, 7)
    assert "PE" not in text and f"**{learned.vectors[3, 7]:.4f}**" in text
    assert learned.waves is None


def test_the_shift_of_sinusoids_is_exact_and_has_an_arc(computed):
    figure, text = computed.turn(60, 4, 2, 3)
    assert len(figure.data) == 4
    assert "all 509 positions" in text and "e-08" in text


def test_the_shift_of_a_learned_table_is_judged_and_has_no_arc(learned):
    figure, text = learned.turn(20, 4, 2, 3)
    assert len(figure.data) == 3
    assert "% of" not in text and "every second position" in text
    assert "cannot be said" in learned.turn(20, 4, 2, 30)[1]


def test_what_lies_beyond_the_training_is_told_of_every_table(computed, learned):
    assert "**128** positions" in computed.beyond and "show 256 positions" in computed.beyond
    assert "**60** positions" in learned.beyond and "row 63" in learned.beyond
    assert "not recorded" in PositionTable(computed.kind, computed.vectors, None).beyond
    assert "none lies beyond" in PositionTable(computed.kind, computed.vectors, 512).beyond


def test_either_dimension_of_a_pair_stands_for_it(computed):
    (even, said), (odd, told) = computed.turn(60, 4, 2, 3), computed.turn(60, 5, 2, 3)
    assert even.to_json() == odd.to_json() and said == told
