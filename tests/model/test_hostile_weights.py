"""Weights made to do harm, or damaged, and the checksums that tell: each is refused, and with little memory."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import jaxtyping
import pytest
import torch
from cases import each_case
from damage import refusal, write
from reference import OPTIONS, tiny_config
from safetensors.torch import load_file, save_file
from tiny_models import folder as folder
from tiny_models import translator as translator

from model import checksums
from model.checkpoints import checkpoint
from model.checkpoints.weights import parameter_count, verify_size, weight_shapes
from model.config import PRESETS, ModelConfig
from model.transformer import Transformer

WEIGHTS = "model.safetensors"


def rewrite(folder: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Weights of another type, with checksums that say so."""
    weights = load_file(folder / WEIGHTS)
    save_file({name: change(weight) for name, weight in weights.items()}, folder / WEIGHTS)
    (folder / "checksums.json").unlink()


@pytest.mark.parametrize("kind", [torch.int64, torch.int8, torch.bool, torch.float64])
def test_weights_that_are_no_floats_of_16_or_32_bits_are_refused(folder, kind):
    rewrite(folder, lambda weight: weight.to(kind))
    sentence = r"model\.safetensors: \S+ holds [IBF]\w+ numbers, not 16-bit, bfloat16, 32-bit floats"
    assert re.search(sentence, refusal(folder))


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32])
def test_weights_of_each_kind_of_float_are_taken(folder, translator, kind):
    rewrite(folder, lambda weight: weight.to(kind))
    loaded = checkpoint.load(str(folder)).model
    for name, weight in translator.model.named_parameters():
        assert torch.equal(loaded.get_parameter(name), weight.half().to(kind).float()), name


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 2**62) + b"{}",
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 70) + b'{"a":{"dtype":"F16","shape":[99999999999999],"data_offsets":[0,10]}}  ',
        b"PK\x03\x04" + bytes(100),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_a_header_that_lies_is_refused(folder, data):
    (folder / WEIGHTS).write_bytes(data)
    assert "model.safetensors holds no weights that can be read" in refusal(folder)


@pytest.mark.parametrize("changes", [{"d_ff": 200_000}, {"n_layers": 256}, {"max_len": 60_000, "positions": "learned"}])
def test_no_memory_is_taken_for_a_model_that_the_files_do_not_hold(folder, changes, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    monkeypatch.setattr(checkpoint, "uninitialized_model", None)
    write(folder, "config.json", changes)
    assert "config.json" in refusal(folder)


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.model"])
@pytest.mark.parametrize("place", [0.5, 0.9, 0.999])
def test_one_flipped_bit_is_refused_with_the_files_name(folder, name, place):
    data = bytearray((folder / name).read_bytes())
    data[int(place * len(data))] ^= 1
    (folder / name).write_bytes(data)
    assert name in refusal(folder)


def test_a_flipped_bit_of_a_weight_is_told_by_its_checksum_alone(folder):
    data = bytearray((folder / WEIGHTS).read_bytes())
    data[-1] ^= 1
    (folder / WEIGHTS).write_bytes(data)
    assert "model.safetensors is damaged, or another file than was saved" in refusal(folder)
    checksums.main([str(folder)])
    checkpoint.load(str(folder))


def test_a_checkpoint_from_before_there_were_checksums_loads_and_gets_some(folder, capsys):
    written = (folder / "checksums.json").read_bytes()
    (folder / "checksums.json").unlink()
    checkpoint.load(str(folder))
    checksums.main([str(folder)])
    assert (folder / "checksums.json").read_bytes() == written
    assert f"The checksums are in {folder / 'checksums.json'}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "should name the weights and the tokenizer, but not so model.safetensors"),
        ({"tokenizer.model": 1, WEIGHTS: 2}, "is damaged, or another file"),
        ({"tokenizer.model": "", WEIGHTS: "", "../../etc/passwd": ""}, r"but not so ../../etc/passwd"),
    ],
    ids=str,
)
def test_checksums_must_be_those_of_the_weights_and_the_tokenizer(folder, said, sentence):
    (folder / "checksums.json").write_text(json.dumps(said), encoding="utf-8")
    assert sentence in refusal(folder)


def test_no_checksums_are_written_for_a_checkpoint_that_cannot_be_read(folder, capsys):
    write(folder, "config.json", {"d_ff": 32})
    with pytest.raises(SystemExit, match=r"python -m model\.checksums: The checkpoint in .* has shape"):
        checksums.main([str(folder)])


@each_case("changes", [*OPTIONS, {"tying": "none"}, {"tying": "output"}])
def test_the_shapes_and_the_count_are_those_of_the_model(changes):
    config = tiny_config(**changes)
    shapes = {name: tuple(weight.shape) for name, weight in Transformer(config).named_parameters()}
    assert weight_shapes(config) == shapes
    assert parameter_count(config) == sum(weight.numel() for weight in Transformer(config).parameters())


def test_every_preset_is_within_the_bounds_and_the_walkthroughs_has_the_published_size():
    for name in PRESETS:
        verify_size(ModelConfig.preset(name))
    assert parameter_count(ModelConfig.preset("seed")) == 44_312_696
