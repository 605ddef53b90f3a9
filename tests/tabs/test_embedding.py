"""What enters the first layer, on both sides."""

import numpy as np
from cases import each_case

from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from explorer.tabs.positions.pieces import layer_input
from model.decoding import Translator

SENTENCE = "The cat sleeps on the old chair."


@each_case("stack", ["encoder", "decoder"])
def test_the_three_vectors_are_the_models_own(toy: Translator, stack):
    trace = record(toy, SENTENCE, max_steps=6)
    found, module = layer_input(record_pass(toy, trace), stack), getattr(toy.model, stack).embedding
    ids = [piece.id for piece in found.pieces]
    table, positions = module.tokens.weight.detach().numpy(), module.positions.numpy()
    np.testing.assert_allclose(found.embedding, table[ids] * 4, rtol=1e-6)
    np.testing.assert_array_equal(found.positions, positions[: len(ids)])
    np.testing.assert_allclose(found.stream, found.embedding + found.positions, atol=1e-6)
    assert found.pieces == (trace.source if stack == "encoder" else trace.target)


def test_without_the_factor_the_embedding_is_the_tables_row(shipped: Translator):
    found = layer_input(record_pass(shipped, record(shipped, SENTENCE)), "encoder")
    forgotten, table = found.unscaled(), shipped.model.encoder.embedding.tokens.weight.detach().numpy()
    np.testing.assert_allclose(forgotten.embedding, table[[piece.id for piece in found.pieces]], rtol=1e-6)
    np.testing.assert_allclose(forgotten.stream - forgotten.embedding, found.positions, atol=1e-6)
    assert found.scale == 16 and forgotten.scale == 1
    assert found.norms[0].min() > found.norms[1].max() > 5 * forgotten.norms[0].max()
