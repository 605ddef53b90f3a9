"""The masks of a batch are those of the pass; other masks do to a softmax what the page says."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from by_node import derive, needs_node
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.head import head_of
from explorer.recording.payload import tensor_json, trace_json
from explorer.recording.trace import record
from model.attention import causal_mask, padding_mask
from model.decoding import Translator
from model.probe import KINDS

pytestmark = needs_node
BATCH = ("I love you", "I am in love with you", "I love you, too")


def passed(translator: Translator) -> ForwardPass:
    # Translations of different length, so that targets are padded too.
    traces = [record(translator, sentence, max_steps=5 + i) for i, sentence in enumerate(BATCH)]
    return record_pass(translator, *traces)


@pytest.fixture(scope="module")
def batch(tokenizer) -> ForwardPass:
    return passed(tiny_translator(tokenizer, d_head=3, d_value=5))


def compute_masks(forward_pass: ForwardPass, kind: str, layer: int, head: int, sentence: int) -> SimpleNamespace:
    """The masks as the page computes them from what the model gives."""
    config, tensors = forward_pass.model.config, head_of(forward_pass, kind, layer, head, sentence).tensors()
    raw = {name: tensor_json(tensor) for name, tensor in tensors.items()}
    raw |= {"src": forward_pass.src[sentence].tolist(), "tgt_in": forward_pass.tgt_in[sentence].tolist()}
    options = {"padId": config.pad_id, "padding": "<pad>", "start": config.start}
    found = derive("masks", "masksOf", trace_json(forward_pass.traces[sentence]), kind, raw, options)
    masks = ("padding", "query_padding", "causal", "combined", "on_queries")
    return SimpleNamespace(**{**found, **{name: found[name].astype(bool) for name in masks}})


def mask_of_the_paper(forward_pass: ForwardPass, kind: str) -> np.ndarray:
    src, tgt_in = torch.from_numpy(forward_pass.src), torch.from_numpy(forward_pass.tgt_in)
    mask = padding_mask(tgt_in if kind == "decoder" else src, 0)
    if kind == "decoder":
        mask = mask & causal_mask(tgt_in.size(1))
    n_queries = len(forward_pass.src[0]) if kind == "encoder" else len(forward_pass.tgt_in[0])
    return mask.expand(-1, 1, n_queries, -1)[:, 0].numpy()


@each_case("kind", KINDS)
def test_the_combination_is_padding_and_causal_and_what_the_pass_used(batch, kind):
    for sentence in range(3):
        found = compute_masks(batch, kind, 1, 2, sentence)
        np.testing.assert_array_equal(found.combined, found.padding & found.causal)
        np.testing.assert_array_equal(found.combined, mask_of_the_paper(batch, kind)[sentence])
        assert (found.weights[~found.combined] == 0).all() and (found.unmasked > 0).all()
        kept = np.where(found.combined, found.unmasked, 0)
        np.testing.assert_allclose(kept / kept.sum(axis=-1, keepdims=True), found.weights, atol=1e-6)
        np.testing.assert_allclose(found.unmasked.sum(axis=-1), 1, atol=1e-6)


@each_case("kind", ["encoder", "decoder"])
def test_padding_masked_on_queries_empties_the_rows_of_padding(batch, kind):
    """`combined_look_ahead_mask` of a published tutorial: its rows of padding hold nothing."""
    ids = batch.src if kind == "encoder" else batch.tgt_in
    padding = padding_mask(torch.from_numpy(ids), 0)
    wrong = (padding.transpose(-2, -1) & causal_mask(ids.shape[1])).numpy()
    for sentence in range(3):
        found, is_padding = compute_masks(batch, kind, 0, 0, sentence), ids[sentence] == 0
        if kind == "decoder":
            np.testing.assert_array_equal(found.on_queries, wrong[sentence, 0])
        assert np.isnan(found.mistaken[is_padding]).all() and np.isfinite(found.mistaken[~is_padding]).all()
        np.testing.assert_allclose(found.mistaken_finite[is_padding], 1 / len(is_padding))


def test_in_the_encoder_padding_masked_on_queries_leaks_to_padding_and_in_the_decoder_it_cannot(batch):
    """On the right of a sentence, padding is in the future: the causal mask hides it from every real query."""
    encoder, decoder = (compute_masks(batch, kind, 0, 0, 0) for kind in ("encoder", "decoder"))
    assert (encoder.mistaken[encoder.padding][:, ~encoder.padding] > 0).all()
    assert (decoder.mistaken[decoder.padding][:, ~decoder.padding] == 0).all()
