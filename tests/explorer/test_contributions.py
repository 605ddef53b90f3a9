"""ALTI+: the shares are those of a slow walk along every path through the model's own modules."""

from functools import cache

import numpy as np
import pytest
import torch
from cases import each_case
from reference import randomised
from tiny_models import marian, tiny_translator

from explorer import contributions, record, record_pass
from explorer.recording.contributions import layer_contributions
from explorer.recording.forward_pass import Pass
from explorer.recording.head import input_streams
from model.decoding import Translator
from model.probe import ATTENTION, Kind
from model.transformer import attention_at

SENTENCE = "She reads."
MODELS = {
    "as the paper": {},
    "values wider than keys": {"d_head": 3, "d_value": 5, "n_layers": 1, "n_decoder_layers": 3},
    "no bias": {"attention_bias": False, "positions": "learned", "activation": "gelu"},
}


def passes(tokenizer) -> dict[str, Pass]:
    translators = {name: tiny_translator(tokenizer, **changes) for name, changes in MODELS.items()}
    translators["Marian"] = marian(tokenizer)
    for translator in translators.values():
        randomised(translator.model)
    return {
        name: record_pass(translator, record(translator, SENTENCE, max_steps=4))
        for name, translator in translators.items()
    }


def norm_at(whole: Pass, kind: Kind, layer: int):
    place = ATTENTION[kind]
    return getattr(getattr(whole.model, place.stack).layers[layer], f"{place.sublayer}_norm").norm


@cache
@torch.inference_mode()
def slow_row(whole: Pass, kind: Kind, layer: int, query: int) -> list[float]:
    """The contributions to one row, input by input, through the model's own modules; the residual is the last."""
    at = {
        tensor: torch.from_numpy(whole.tensors[ATTENTION[kind]._replace(layer=layer, tensor=tensor)][0])
        for tensor in ("weights", "v", "sum", "stream")
    }
    attention, norm = attention_at(whole.model, kind, layer), norm_at(whole, kind, layer)
    stream, _ = input_streams(kind, layer, whole.model.config.n_layers)
    residual = torch.from_numpy(whole.tensors[stream][0][query])
    added = []
    for key in range(at["v"].shape[1]):
        heads = [at["weights"][head, query, key] * at["v"][head, key] for head in range(len(at["v"]))]
        added.append(attention.w_o(torch.cat(heads)) - attention.w_o(torch.zeros(attention.w_o.in_features)))
    if kind == "cross":
        added.append(residual)
    else:
        added[query] = added[query] + residual
    total, output = at["sum"][query], at["stream"][query]
    found = []
    for vector in added:
        centred = (vector - vector.mean()) / torch.sqrt(total.var(unbiased=False) + norm.eps)
        found.append(max(0.0, float(output.abs().sum() - (output - norm.weight * centred).abs().sum())))
    return [number / sum(found) for number in found]


def slow_contributions(whole: Pass, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The shares of source and target in a step: summed over all paths from the last layer back to a piece."""
    (trace,) = whole.traces
    source, target = np.zeros(len(trace.source)), np.zeros(len(trace.steps))

    def in_encoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            source[at] += share
            return
        for to, part in enumerate(slow_row(whole, "encoder", layer, at)):
            in_encoder(layer - 1, to, share * part)

    def in_decoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            target[at] += share
            return
        *cross, kept = slow_row(whole, "cross", layer, at)
        for to, part in enumerate(cross):
            in_encoder(whole.model.config.n_layers - 1, to, share * part)
        for to, part in enumerate(slow_row(whole, "decoder", layer, at)[: at + 1]):
            in_decoder(layer - 1, to, share * kept * part)

    in_decoder(whole.model.config.n_decoder_layers - 1, step, 1.0)
    return source, target


@each_case("name", ["as the paper", "Marian"])
def test_the_shares_are_those_of_every_path(tokenizer, name):
    whole = passes(tokenizer)[name]
    found = contributions(whole)
    for step in (0, 2):
        source, target = slow_contributions(whole, step)
        np.testing.assert_allclose(found.source[step], source, atol=1e-5)
        np.testing.assert_allclose(found.target[step], target, atol=1e-5)
        assert source.min() > 0 and source.sum() + target.sum() == pytest.approx(1)


def test_both_shares_sum_to_1_and_no_later_piece_has_one(tokenizer):
    for whole in passes(tokenizer).values():
        found = contributions(whole)
        np.testing.assert_allclose(found.source.sum(axis=1) + found.target.sum(axis=1), 1, atol=1e-12)
        assert not np.triu(found.target, 1).any() and found.source.sum(axis=1).min() > 0.01


def silence(translator: Translator, ending: str) -> None:
    """Sets the parameters of the decoder whose names end like this to 0."""
    for name, parameter in translator.model.decoder.named_parameters():
        if name.endswith(ending):
            parameter.data.zero_()


@each_case("silenced", ["cross_attention.w_o.weight", "cross_attention_norm.norm.weight"])
def test_without_cross_attention_nothing_comes_from_the_source(tokenizer, silenced):
    translator = tiny_translator(tokenizer)
    silence(translator, silenced)
    found = contributions(record_pass(translator, record(translator, SENTENCE, max_steps=4)))
    assert not found.source.any()
    np.testing.assert_allclose(found.target.sum(axis=1), 1)
    silence(translator, "self_attention_norm.norm.weight")
    alone = contributions(record_pass(translator, record(translator, SENTENCE, max_steps=4)))
    np.testing.assert_array_equal(alone.target, np.eye(len(alone.target)))


def test_in_a_batch_the_padding_has_no_share(tokenizer):
    translator = tiny_translator(tokenizer)
    traces = [record(translator, text, max_steps=steps) for text, steps in (("Cold", 3), ("She reads a book.", 5))]
    batch, alone = record_pass(translator, *traces), record_pass(translator, traces[0])
    for found, expected in zip(vars(contributions(batch)).values(), vars(contributions(alone)).values(), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert layer_contributions(batch, "cross", 0).shape[1] > len(traces[0].source) + 1
