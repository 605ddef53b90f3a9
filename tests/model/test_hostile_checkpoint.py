"""Checkpoints made to do harm, or by mistake: each is refused in a sentence, soon, and with little memory."""

import json
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path

import jaxtyping
import pytest
import torch
from cases import each_case, sweep
from damage import refusal, soon, write
from reference import OPTIONS, tiny_config
from safetensors.torch import load_file, save_file
from tiny_models import RECORD
from tiny_models import folder as folder
from tiny_models import translator as translator

from model import checksums
from model.checkpoints import checkpoint
from model.checkpoints.weights import parameter_count, verify_size, weight_shapes
from model.config import PRESETS, ModelConfig
from model.files import MAX_JSON_BYTES
from model.transformer import Transformer

REQUIRED = ("config.json", "tokenizer.model", "training.json", "model.safetensors")

SCORE = {"file": "a.tsv", "pairs": 10, "decoding": "greedy", "signature": "s", "bleu": 1.5}
RECORDS = {
    "steps": ("3", "steps: input should be a valid integer, not '3'"),
    "seconds": (False, "seconds: input should be a valid number, not False"),
    "log": ([{"step": 1, "loss": "low"}], "log, number 1, loss: input should be a valid number, not 'low'"),
    "scores": ([{**SCORE, "bleu": "high"}], "scores, number 1, bleu: input should be a valid number, not 'high'"),
}


@pytest.mark.parametrize("field", RECORDS)
def test_a_record_with_a_field_of_another_kind_is_refused_by_file_field_and_value(folder, field):
    value, sentence = RECORDS[field]
    write(folder, "training.json", {field: value})
    assert f"(training.json: {sentence}" in refusal(folder)


def test_what_a_record_holds_besides_is_kept(folder):
    more = {"author": {"name": "x"}, "log": [{"step": 1, "mfu": 0.5, "more": [1]}], "scores": [SCORE]}
    write(folder, "training.json", more)
    assert checkpoint.load(str(folder)).record == {**RECORD, **more}


CONFIG_FAULTS = [
    ({"attention_bias": "true"}, "attention_bias: input should be a valid boolean, not 'true'"),
    ({"n_layers": 10**9}, "n_layers: input should be less than or equal to 256, not 1000000000"),
    ({"d_model": 65536, "d_ff": 262144, "n_layers": 256}, "and at most 2,000,000,000 are taken"),
]


@pytest.mark.parametrize(("changes", "sentence"), CONFIG_FAULTS, ids=str)
def test_a_configuration_is_read_strictly_and_within_bounds(folder, changes, sentence):
    write(folder, "config.json", changes)
    assert sentence in refusal(folder) and "config.json" in refusal(folder).partition("(")[2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "recursion limit"),
        ('{"dropout": NaN}', "is not JSON: expected"),
        ("null", "must hold an object"),
        ('{"d_ff": ' + "9" * 6000 + "}", "is not JSON: number out of range"),
    ],
    ids=lambda text: text[:16],
)
@pytest.mark.parametrize("name", sweep(["config.json", "training.json", "checksums.json"], "config.json"))
def test_text_that_is_no_object_of_json_is_refused_with_the_files_name(folder, name, text, sentence):
    (folder / name).write_text(text, encoding="utf-8")
    assert f"({name} " in refusal(folder) and sentence in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.model"])
def test_a_file_beyond_its_bound_is_not_read(folder, name):
    os.truncate(folder / name, 10 * MAX_JSON_BYTES)  # a hole, which takes no place on the disk
    assert f"{name} has 320,000,000 bytes, and at most " in refusal(folder)


def test_checksums_that_lead_nowhere_are_not_none(folder):
    (folder / "checksums.json").unlink()
    (folder / "checksums.json").symlink_to("nowhere")
    assert "checksums.json: No such file" in refusal(folder)


IRREGULAR: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "nowhere": lambda path: path.symlink_to("nowhere"),
    "circle": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", sweep(IRREGULAR, "pipe"))
@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_no_regular_file_is_refused_before_it_is_opened(folder, name, kind):
    (folder / name).unlink()
    IRREGULAR[kind](folder / name)
    assert name in refusal(folder)


@pytest.mark.parametrize("kind", sweep(IRREGULAR, "pipe"))
@pytest.mark.parametrize("name", ["README.md", "story.json.gz", "heads.json"])
def test_what_a_translation_does_not_need_is_left_alone(folder, name, kind):
    (folder / name).unlink(missing_ok=True)
    IRREGULAR[kind](folder / name)
    with soon():
        checkpoint.load(str(folder))


WEIGHTS = "model.safetensors"


def rewrite(folder: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Weights of another type, with checksums that say so."""
    weights = load_file(folder / WEIGHTS)
    save_file({name: change(weight) for name, weight in weights.items()}, folder / WEIGHTS)
    (folder / "checksums.json").unlink()


def test_weights_that_are_no_floats_of_16_or_32_bits_are_refused(folder):
    rewrite(folder, lambda weight: weight.to(torch.int64))
    sentence = r"model\.safetensors: \S+ holds [IBF]\w+ numbers, not 16-bit, bfloat16, 32-bit floats"
    assert re.search(sentence, refusal(folder))


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float32])
def test_weights_of_each_kind_of_float_are_taken(folder, translator, kind):
    rewrite(folder, lambda weight: weight.to(kind))
    loaded = checkpoint.load(str(folder)).model
    for name, weight in translator.model.named_parameters():
        assert torch.equal(loaded.get_parameter(name), weight.half().to(kind).float()), name


@pytest.mark.parametrize(
    "data",
    [
        b"",
        struct.pack("<Q", 2**62) + b"{}",
        struct.pack("<Q", 70) + b'{"a":{"dtype":"F16","shape":[99999999999999],"data_offsets":[0,10]}}  ',
    ],
    ids=lambda data: repr(data[:12]),
)
def test_a_header_that_lies_is_refused(folder, data):
    (folder / WEIGHTS).write_bytes(data)
    assert "model.safetensors holds no weights that can be read" in refusal(folder)


@pytest.mark.parametrize("changes", [{"n_layers": 256}, {"max_len": 60_000, "positions": "learned"}])
def test_no_memory_is_taken_for_a_model_that_the_files_do_not_hold(folder, changes, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    monkeypatch.setattr(checkpoint, "uninitialized_model", None)
    write(folder, "config.json", changes)
    assert "config.json" in refusal(folder)


def test_a_flipped_bit_of_a_weight_is_told_by_its_checksum_alone(folder):
    data = bytearray((folder / WEIGHTS).read_bytes())
    data[-1] ^= 1
    (folder / WEIGHTS).write_bytes(data)
    assert f"{WEIGHTS} is damaged, or another file than was saved" in refusal(folder)
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
