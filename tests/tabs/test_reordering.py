"""The same pieces in another order."""

import numpy as np
import pytest
import torch

from explorer.tabs.positions.reordering import Probe, compare_orders, encoder_outputs, no_positions
from model.decoding import Translator

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
