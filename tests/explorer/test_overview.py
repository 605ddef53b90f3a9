"""What the picture of the whole model is drawn from, against PyTorch's own hooks, without our probe."""

import base64
import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from cases import each_case
from tiny_models import tiny_translator
from torch import Tensor, nn

from explorer.engine.calls import ModelCalls
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.ui.questions import validated
from model.decoding import Translator
from model.errors import UserError
from model.probe import Site

SENTENCE = "The dog sleeps under the table."
TINY = {"d_model": 20, "d_ff": 72, "n_heads": 2, "n_layers": 1, "n_decoder_layers": 2, "attention_bias": False}
MODULE = re.compile(r"(?P<stack>encoder|decoder)\.(layers\.(?P<layer>\d+)\.)?(?P<part>.+)")
TENSORS = {  # sub-layer and tensor by the part of a stack or layer that computes it
    "embedding": (None, "stream"),
    "self_attention.w_o": ("self_attention", "output"),
    "self_attention_norm": ("self_attention", "stream"),
    "cross_attention.w_o": ("cross_attention", "output"),
    "cross_attention_norm": ("cross_attention", "stream"),
    "feed_forward.w_1": ("feed_forward", "hidden"),
    "feed_forward": ("feed_forward", "output"),
    "feed_forward_norm": ("feed_forward", "stream"),
}


def calls_of(translator: Translator) -> ModelCalls:
    return ModelCalls(AppContext(Recordings(translator), None))


@pytest.fixture(params=["shipped", "tiny"])
def translator(request, tokenizer) -> Translator:
    if request.param == "shipped":
        return request.getfixturevalue("shipped")
    return tiny_translator(tokenizer, **TINY)


def hooked(translator: Translator, trace: Trace) -> dict[str, Tensor]:
    """What PyTorch's modules compute for a finished translation, by strip."""
    found: dict[str, Tensor] = {}

    def keeping(name: str) -> Callable[[nn.Module, Any, Tensor], None]:
        def keep(module: nn.Module, inputs: Any, output: Tensor) -> None:
            found[name] = output[0].relu() if name.endswith("hidden") else output[0]

        return keep

    model = deepcopy(translator.model)
    for path, module in model.named_modules():
        place = MODULE.fullmatch(path)
        if place and place["part"] in TENSORS:
            name = strip_name(place["stack"], place["layer"], *TENSORS[place["part"]])
            module.register_forward_hook(keeping(name))
    src, tgt_in = ([[piece.id for piece in pieces]] for pieces in (trace.source, trace.target))
    with torch.no_grad():
        model(torch.tensor(src), torch.tensor(tgt_in))
    for stack, ids in (("encoder", src), ("decoder", tgt_in)):
        embedding = getattr(translator.model, stack).embedding
        found[strip_name(stack, None, None, "embedding")] = embedding.tokens.weight[ids[0]] * model.config.d_model**0.5
        found[strip_name(stack, None, None, "positions")] = embedding.positions[: len(ids[0])]
    return found


def strip_name(stack: str, layer: Any, sublayer: str | None, tensor: str) -> str:
    return f"{stack} {layer} {sublayer} {tensor}"


def pooled(name: str, rows: Tensor) -> Tensor:
    """The columns of a strip, group by group."""
    width, most = rows.size(1), 32 if name.endswith("hidden") else 16
    ends = [width * (column + 1) // most for column in range(most)] if width > most else range(1, width + 1)
    groups = torch.tensor_split(rows.detach().double(), [*ends][:-1], dim=1)
    if name.endswith("positions"):
        return torch.cat([group[:, :1] for group in groups], dim=1)
    signed = [group.pow(2).mean(1).sqrt().copysign(group.sum(1)) for group in groups]
    return torch.stack(signed, dim=1)


def assert_shows(calls: ModelCalls, experiment: Any, translator: Translator) -> None:
    """The overview of an experiment is that of the same translation by another model."""
    strips = json.loads(calls.overview(SENTENCE, experiment))["strips"]
    expected = hooked(translator, calls.trace(SENTENCE, experiment))
    assert len(strips) == len(expected)
    for strip in strips:
        name = strip_name(strip["stack"], strip["layer"], strip["sublayer"], strip["tensor"])
        numbers = pooled(name, expected[name])
        found = np.frombuffer(base64.b64decode(strip["data"]), np.int8).reshape(strip["shape"])
        assert strip["scale"] == pytest.approx(numbers.abs().max().item(), rel=1e-5), name
        np.testing.assert_allclose(found, 127 * numbers / (strip["scale"] or 1), rtol=0, atol=0.51, err_msg=name)


def test_an_overview_shows_what_the_modules_compute(translator):
    assert_shows(calls_of(translator), {}, translator)


def test_strips_come_in_the_order_of_computation(tokenizer):
    strips = json.loads(calls_of(tiny_translator(tokenizer, **TINY)).overview(SENTENCE, {}))["strips"]
    encoder = [(strip["sublayer"], strip["tensor"]) for strip in strips if strip["stack"] == "encoder"]
    assert encoder == [
        *((None, name) for name in ("embedding", "positions", "stream")),
        *(("self_attention", name) for name in ("output", "stream")),
        *(("feed_forward", name) for name in ("hidden", "output", "stream")),
    ]
    assert [strip["layer"] for strip in strips[len(encoder) + 3 :]] == [0] * 7 + [1] * 7


def test_an_experiment_shows_the_changed_run_in_the_overview_the_tensors_and_the_head(translator):
    head, d_value = ("cross", 0, 1), translator.model.config.d_value
    changed = deepcopy(translator.model)
    with torch.no_grad():
        changed.decoder.layers[0].cross_attention.w_o.weight[:, d_value : 2 * d_value] = 0
        changed.encoder.embedding.positions.zero_()
    calls, experiment = calls_of(translator), {"off": [head], "encoder_positions": "off"}
    without = Translator(changed, translator.tokenizer, translator.record)
    assert_shows(calls, experiment, without)
    site = Site("decoder", 0, "cross_attention", "output")
    found = json.loads(calls.tensors(SENTENCE, [site], experiment))["tensors"]
    (data,) = (tensor["data"] for tensor in found if "data" in tensor)
    output = np.frombuffer(base64.b64decode(data), "<f4")
    expected = hooked(without, calls.trace(SENTENCE, experiment))[strip_name(*site)]
    np.testing.assert_allclose(output, expected.flatten(), atol=1e-4)
    assert json.loads(calls.head(SENTENCE, *head, experiment))["output"]["data"] == data


def numbers_of(tensor: dict[str, Any]) -> list[float]:
    numbers = np.frombuffer(base64.b64decode(tensor["data"]), "<f4")
    assert tensor["shape"] == [len(numbers)]
    return numbers.tolist()


def test_parameters_give_the_number_that_the_module_gives(translator):
    calls, torch_state = calls_of(translator), translator.model.state_dict()
    last = translator.model.config.d_model - 1
    rows = {"projection": 7, "decoder.layers.0.feed_forward.w_2": last, "encoder.layers.0.self_attention.w_v": 0}
    for name, row in rows.items():
        found = json.loads(calls.parameter(name, row))
        assert numbers_of(found["weight"]) == torch_state[f"{name}.weight"][row].tolist(), name
        bias = torch_state.get(f"{name}.bias")
        assert (found["bias"] and numbers_of(found["bias"])) == (None if bias is None else [bias[row].item()]), name
    found = json.loads(calls.parameter("decoder.layers.0.cross_attention_norm.norm", None))
    for part in ("weight", "bias"):
        name = f"decoder.layers.0.cross_attention_norm.norm.{part}"
        assert numbers_of(found[part]) == torch_state[name].tolist()


@each_case(
    "module, row, reason",
    [
        ("projection", 80, "row must be from 0 to 79, not 80"),
        ("projection", -1, "not a valid request"),
        ("projection", None, "not a valid request: “projection”"),
        ("encoder.layers.9.feed_forward.w_1", 0, "“encoder.layers.9.feed_forward.w_1”"),
        ("encoder.layers.0.feed_forward_norm.norm", 0, "“encoder.layers.0.feed_forward_norm.norm”"),
        ("encoder.layers.0.feed_forward", None, "“encoder.layers.0.feed_forward”"),
        ("encoder.embedding.tokens", 3, "“encoder.embedding.tokens”"),
    ],
)
def test_what_is_no_parameter_is_refused(toy, module, row, reason):
    assert toy.model.config.tgt_vocab_size == 80
    with pytest.raises(UserError, match=reason):
        validated(calls_of(toy).parameter)(module, row)
