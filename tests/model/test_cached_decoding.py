"""Decoding with a cache, against one pass over the whole target."""

import torch
from cases import each_case
from reference import OPTIONS, SRC, TGT_IN, assert_near, sentences, tiny_model

from model.cache import Cache


def assert_rows_equal(decoded, whole, start: int, end: int) -> None:
    """Logits and weights of the positions from `start` to `end`, against those of one pass."""
    assert_near(decoded.logits, whole.logits[:, start:end])
    assert_near(decoded.self_attention, [x[:, :, start:end, :end] for x in whole.self_attention])
    assert_near(decoded.cross_attention, [x[:, :, start:end] for x in whole.cross_attention])


@each_case("chunk", [1, 2])
@each_case("changes", OPTIONS)
def test_cached_decoding_equals_one_pass(changes, chunk):
    model, tgt_in = tiny_model(**changes), sentences(5, 6, 3, vocab_size=25)
    encoded, cache = model.encode(SRC), Cache(model.config.n_decoder_layers)
    whole = model.decode(tgt_in, encoded)
    for start in range(0, 6, chunk):
        decoded = model.decode(tgt_in[:, start : start + chunk], encoded, cache)
        assert_rows_equal(decoded, whole, start, start + chunk)


def test_cached_decoding_goes_on_with_the_sentences_selected():
    model, cache, rows = tiny_model(), Cache(2), torch.tensor([2, 0, 0, 1])
    encoded = model.encode(SRC)
    model.decode(TGT_IN[:, :3], encoded, cache)
    cache.select(rows)
    continued = model.decode(TGT_IN[rows, 3:], encoded.select(rows), cache)
    assert_rows_equal(continued, model(SRC[rows], TGT_IN[rows]), 3, 6)


def test_selecting_takes_memory_mask_and_weights_of_the_same_sentences():
    model, rows = tiny_model(), torch.tensor([2, 0, 0])
    selected, expected = model.encode(SRC).select(rows), model.encode(SRC[rows])
    assert_near(selected.memory, expected.memory, within=1e-6)
    assert_near(selected.attention, expected.attention, within=1e-6)
    assert torch.equal(selected.mask, expected.mask)


def test_an_empty_cache_can_be_selected_from():
    model, cache, rows = tiny_model(), Cache(2), torch.tensor([1, 0])
    cache.select(rows)
    decoded = model.decode(TGT_IN[rows], model.encode(SRC[rows]), cache)
    assert_near(decoded.logits, model(SRC[rows], TGT_IN[rows]).logits, within=1e-6)
