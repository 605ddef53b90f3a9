"""The output side of a step, against the real pass and against a model with fewer layers."""

import copy
import math

import numpy as np
import pytest
import torch
from by_node import derive, derive_all, needs_node

from explorer.recording.forward_pass import record_pass
from explorer.recording.lens import (
    LENS_CANDIDATES,
    Predictions,
    Residual,
    predictions_of,
    residual_json,
    softmax,
)
from explorer.recording.trace import record
from model.decoding import Translator
from model.probe import Probe, Site, Stack

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
        assert last.entropy == pytest.approx(decoded.entropy, abs=1e-4) and last.rank == 1
        shown = [(c.piece, pytest.approx(c.probability, abs=1e-6)) for c in found.candidates(step, LENS_CANDIDATES)]
        assert [(c.piece, c.probability) for c in last.candidates] == shown
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
        reading, probabilities = found.lens(2)[layers], logits.softmax(dim=-1)
        assert [c.piece.id for c in reading.candidates] == probabilities.topk(LENS_CANDIDATES).indices.tolist()
        assert reading.probability == pytest.approx(float(probabilities[found.trace.steps[2].predicted.id]), abs=1e-6)


@needs_node
def test_norms_and_shares_are_those_of_the_stream_and_of_what_is_added(found):
    seen: dict[Site, torch.Tensor] = {}
    translator = found.translator
    probe = Probe(lambda site, tensor: seen.update({site: tensor}))
    encoded = translator.encode([piece.id for piece in found.trace.source], probe)
    translator.decode([piece.id for piece in found.trace.target], encoded, probe)
    raw = {
        "layers": [],
        "best": [],
        "leaders": [],
        **residual_json("encoder", found.encoder),
        **residual_json("decoder", found.decoder),
    }
    streams = derive("predictions", "predictionOf", raw, {"start": "(start)", "end": "(end)"})["streams"]
    sides: dict[Stack, Residual] = {"encoder": found.encoder, "decoder": found.decoder}
    for stack, side in sides.items():
        np.testing.assert_array_equal(streams[stack]["norms"], side.norms)
        before = seen[Site(stack, tensor="stream")]
        np.testing.assert_allclose(side.norms[0], before[0].norm(dim=1), rtol=1e-5)
        for number, (layer, name) in enumerate(side.sublayers):
            place = Site(stack, layer, name)
            # What is added is the sum less what was there.
            added = seen[place._replace(tensor="sum")] - before
            expected = (added.norm(dim=-1) / before.norm(dim=-1))[0]
            np.testing.assert_allclose(streams[stack]["shares"][number], expected, rtol=1e-3)
            before = seen[place._replace(tensor="stream")]
            np.testing.assert_allclose(side.norms[number + 1], before[0].norm(dim=1), rtol=1e-5)


@needs_node
def test_a_piece_wins_from_the_layer_after_which_it_stays_first():
    ranks = ((9, 1, 4, 1, 1), (1, 1), (1, 2))
    readings = [[[{"rank": rank} for rank in layers]] for layers in ranks]
    assert derive_all("predictions", "winningLayer", readings) == [3, 0, None]
