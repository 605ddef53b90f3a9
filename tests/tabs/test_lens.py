"""The output side of a step, against the real pass and against a model with fewer layers."""

import copy
import math

import numpy as np
import pytest
from by_node import derive_all, needs_node

from explorer.recording.forward_pass import record_pass
from explorer.recording.lens import Predictions, predictions_of, softmax
from explorer.recording.trace import record
from model.decoding import Translator

SENTENCE = "The children play in the garden."


@pytest.fixture(scope="module", params=["shipped", "toy"])
def found(request) -> Predictions:
    translator = request.getfixturevalue(request.param)
    return predictions_of(record_pass(translator, record(translator, SENTENCE, max_steps=12)))


def test_one_pass_gives_the_distributions_of_decoding_step_by_step(found):
    for step, decoded in enumerate(found.trace.steps):
        candidates = found.candidates(step, len(decoded.candidates))
        assert [c.piece for c in candidates] == [c.piece for c in decoded.candidates]
        expected = [c.probability for c in decoded.candidates]
        np.testing.assert_allclose([c.probability for c in candidates], expected, atol=1e-5)
        last = found.lens(step)[-1]
        assert last == (candidates[0].piece, pytest.approx(candidates[0].probability, abs=1e-6))
        assert [ranks[-1] for piece, ranks in found.leaders(step) if piece.id == decoded.predicted.id] == [1]
        assert not softmax(found.logits[step])[found.translator.excluded_ids].any()


def test_a_layers_reading_is_what_a_decoder_that_ends_there_says(found):
    translator = found.translator
    for layers in range(translator.model.config.n_layers):
        model = copy.deepcopy(translator.model)
        model.decoder.layers = model.decoder.layers[:layers]
        shorter = Translator(model, translator.tokenizer)
        encoded = shorter.encode([piece.id for piece in found.trace.source])
        logits = shorter.decode([piece.id for piece in found.trace.target], encoded).logits[0, 2].clone()
        logits[translator.excluded_ids] = -math.inf
        probability, first = logits.softmax(dim=-1).max(dim=-1)
        reading = found.lens(2)[layers]
        assert (reading.piece.id, reading.probability) == (int(first), pytest.approx(float(probability), abs=1e-5))
        for piece, ranks in found.leaders(2):
            assert ranks[layers] == 1 + int((logits > logits[piece.id]).sum())


@needs_node
def test_a_piece_wins_from_the_layer_after_which_it_stays_first():
    ranks = [[[9, 1, 4, 1, 1]], [[1, 1]], [[1, 2]]]
    assert derive_all("predictions", "winningLayer", ranks) == [3, 0, None]
