"""What a piece contributes: lengths, rollout and ALTI+, against slow walks along every path, and what must add up."""

from functools import cache, partial

import numpy as np
import pytest
import torch
from samples import random_trace
from tiny_models import marian, tiny_translator

from explorer import contributions, lengths, parts, record, record_pass, rollout
from explorer.recording.forward_pass import ForwardPass
from explorer.recording.head import input_streams
from model.probe import ATTENTION, KINDS, Kind
from model.transformer import attention_at

SENTENCE = "She reads."
BUILT = {
    "as the paper": tiny_translator,
    "values wider than keys": partial(tiny_translator, d_head=3, d_value=5),
    "Marian": marian,
}


@pytest.fixture(params=BUILT, scope="module")
def forward_pass(request, tokenizer) -> ForwardPass:
    translator = BUILT[request.param](tokenizer)
    return record_pass(translator, record(translator, SENTENCE, max_steps=4))


def norm_at(forward_pass: ForwardPass, kind: Kind, layer: int):
    place = ATTENTION[kind]
    return getattr(getattr(forward_pass.model, place.stack).layers[layer], f"{place.sublayer}_norm").norm


@cache
@torch.inference_mode()
def slow_row(forward_pass: ForwardPass, kind: Kind, layer: int, query: int) -> list[float]:
    """The contributions to one row, input by input, through the model's own modules; the residual is the last."""
    at = {
        tensor: torch.from_numpy(forward_pass.tensors[ATTENTION[kind]._replace(layer=layer, tensor=tensor)][0])
        for tensor in ("weights", "v", "sum", "stream")
    }
    attention, norm = attention_at(forward_pass.model, kind, layer), norm_at(forward_pass, kind, layer)
    stream, _ = input_streams(kind, layer, forward_pass.model.config.n_layers)
    residual = torch.from_numpy(forward_pass.tensors[stream][0][query])
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


def slow_contributions(forward_pass: ForwardPass, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The shares of source and target in a step: summed over all paths from the last layer back to a piece."""
    trace = forward_pass.trace
    source, target = np.zeros(len(trace.source)), np.zeros(len(trace.steps))

    def in_encoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            source[at] += share
            return
        for to, part in enumerate(slow_row(forward_pass, "encoder", layer, at)):
            in_encoder(layer - 1, to, share * part)

    def in_decoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            target[at] += share
            return
        *cross, kept = slow_row(forward_pass, "cross", layer, at)
        for to, part in enumerate(cross):
            in_encoder(forward_pass.model.config.n_layers - 1, to, share * part)
        for to, part in enumerate(slow_row(forward_pass, "decoder", layer, at)[: at + 1]):
            in_decoder(layer - 1, to, share * kept * part)

    in_decoder(forward_pass.model.config.n_decoder_layers - 1, step, 1.0)
    return source, target


def test_the_shares_are_those_of_every_path(forward_pass):
    found = contributions(forward_pass)
    for step in (0, 2):
        source, target = slow_contributions(forward_pass, step)
        np.testing.assert_allclose(found.source[step], source, atol=1e-5)
        np.testing.assert_allclose(found.target[step], target, atol=1e-5)
        assert source.min() > 0 and source.sum() + target.sum() == pytest.approx(1)


def test_a_sub_layer_whose_output_is_nothing_leaves_all_to_its_residual(tokenizer):
    translator = tiny_translator(tokenizer)
    for name, parameter in translator.model.decoder.named_parameters():
        if name.endswith("attention_norm.norm.weight"):
            parameter.data.zero_()
    found = contributions(record_pass(translator, record(translator, SENTENCE, max_steps=4)))
    assert not found.source.any()
    np.testing.assert_array_equal(found.target, np.eye(len(found.target)))


def test_the_parts_of_all_heads_and_keys_and_the_bias_are_the_sub_layers_output(forward_pass):
    for kind in KINDS:
        found = lengths(forward_pass, kind)
        for layer in range(len(forward_pass.trace.map(kind).weights)):
            decoder = parts(forward_pass, kind, layer)
            output = forward_pass.tensors[ATTENTION[kind]._replace(layer=layer, tensor="output")][0]
            np.testing.assert_allclose(decoder.vectors.sum(axis=(0, 2)) + decoder.bias, output, atol=1e-5)
            np.testing.assert_allclose(np.linalg.norm(decoder.vectors, axis=-1), found[layer], atol=1e-5)


def paths(trace, row: int) -> np.ndarray:
    """The share of every source piece in a row, summed over all paths; two layers, slowly, from the last one back."""
    maps = (trace.decoder, trace.cross, trace.encoder)
    decoder, cross, encoder = (attention.weights.mean(axis=1, dtype=float) for attention in maps)
    n_source = len(trace.source)
    found = np.zeros(n_source)

    def in_encoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            found[at] += share
            return
        in_encoder(layer - 1, at, share / 2)
        for to in range(n_source):
            in_encoder(layer - 1, to, share * encoder[layer, at, to] / 2)

    def in_decoder(layer: int, at: int, share: float) -> None:
        if layer < 0:
            return  # it ends at a piece fed
        for to in range(n_source):
            in_encoder(len(encoder) - 1, to, share * cross[layer, at, to] / 2)
        in_decoder(layer - 1, at, share / 4)
        for to in range(at + 1):
            in_decoder(layer - 1, to, share * decoder[layer, at, to] / 4)

    in_decoder(len(decoder) - 1, row, 1.0)
    return found


def test_cross_attention_follows_every_path_to_the_source():
    trace = random_trace(2, 2, 4, 3)
    for row, shares in enumerate(rollout(trace, "cross")):
        by_paths = paths(trace, row)
        assert by_paths.sum() == pytest.approx(1 - 2**-2)
        np.testing.assert_allclose(shares, by_paths / by_paths.sum(), atol=1e-6)  # weights are of single precision
