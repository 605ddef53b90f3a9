"""Checkpoints made to do harm, or by mistake: each is refused in a sentence, soon, and with little memory."""

import json
import os
import re
import signal
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jaxtyping
import pytest
import torch
from reference import tiny_config
from safetensors.torch import load_file, save_file
from tiny_checkpoint import RECORD, tiny_translator
from tiny_checkpoint import folder as folder
from tiny_checkpoint import translator as translator

from model import checkpoint, checksums, weights
from model.checkpoint import CheckpointError
from model.config import CONFIGS, PRESETS, ModelConfig
from model.reading import LARGEST_JSON
from model.transformer import Transformer
from model.weights import parameter_count, require_size, weight_shapes

WEIGHTS = "model.safetensors"
REQUIRED = ("config.json", "tokenizer.model", "training.json", WEIGHTS)


@contextmanager
def soon(seconds: int = 20) -> Iterator[None]:
    """What hangs ends in an error, and not the whole suite with it."""

    def too_late(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refusal(folder: Path) -> str:
    with soon(), pytest.raises(CheckpointError) as refused:
        checkpoint.load(str(folder))
    sentence = str(refused.value)
    assert sentence.endswith(".") and "\n" not in sentence and "Errno" not in sentence
    return sentence


def write(folder: Path, name: str, changes: dict[str, Any]) -> None:
    old = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps({**old, **changes}), encoding="utf-8")


SCORE = {"file": "a.tsv", "pairs": 10, "decoding": "greedy", "signature": "s", "bleu": 1.5}
RECORDS = {
    "command": (["python"], "command: input should be a valid string, not ['python']"),
    "hardware": (3, "hardware: input should be a valid string, not 3"),
    "note": (None, "note: input should be a valid string, not None"),
    "steps": ("3", "steps: input should be a valid integer, not '3'"),
    "steps ": (True, "steps: input should be a valid integer, not True"),
    "steps  ": (-1, "steps: input should be greater than or equal to 0, not -1"),
    "steps   ": (10**30, "steps: input should be less than or equal to 1000000000000000"),
    "epochs": ("many", "epochs: input should be a valid number, not 'many'"),
    "tokens": (1.5, "tokens: input should be a valid integer"),
    "seconds": (False, "seconds: input should be a valid number, not False"),
    "log": ("log.jsonl", "log: input should be a valid"),
    "log ": ([{"loss": 1.0}], "log, number 1, step: field required"),
    "log  ": ([{"step": 1}, {"step": "2"}], "log, number 2, step: input should be a valid integer, not '2'"),
    "log   ": ([{"step": 1, "loss": "low"}], "log, number 1, loss: input should be a valid number, not 'low'"),
    "before": ([{"command": "first"}], "before, number 1, steps: field required"),
    "before ": ({}, "before: input should be a valid"),
    "model": ([1], "model: input should be a"),
    "recipe": ({"max_pieces": "long"}, "recipe, max_pieces: input should be a valid integer, not 'long'"),
    "recipe ": (7, "recipe: input should be a"),
    "data": ([{"file": "a.tsv", "pairs": "ten", "role": "training"}], "data, number 1, pairs: input should be a valid"),
    "data ": ("a.tsv", "data: input should be a valid"),
    "data_note": ({}, "data_note: input should be a valid string, not {}"),
    "scores": ([{**SCORE, "bleu": "high"}], "scores, number 1, bleu: input should be a valid number, not 'high'"),
    "scores ": ([{"bleu": 1.0}], "scores, number 1, file: field required"),
    "languages": ("de", '"languages" must have a "source" and a "target", not \'de\''),
}


@pytest.mark.parametrize("field", RECORDS)
def test_a_record_with_a_field_of_another_kind_is_refused_by_file_field_and_value(folder, field):
    value, sentence = RECORDS[field]
    write(folder, "training.json", {field.strip(): value})
    assert sentence in refusal(folder)
    assert field.strip() == "languages" or "(training.json: " in refusal(folder)


def test_what_a_record_holds_besides_is_kept(folder):
    more = {"author": {"name": "x"}, "log": [{"step": 1, "mfu": 0.5, "more": [1]}], "scores": [SCORE]}
    write(folder, "training.json", more)
    assert checkpoint.load(str(folder)).record == {**RECORD, **more}


CONFIG_FAULTS = [
    ({"attention_bias": "true"}, "attention_bias: input should be a valid boolean, not 'true'"),
    ({"shared_vocabulary": 1}, "shared_vocabulary: input should be a valid boolean, not 1"),
    ({"d_ff": 24.0}, "d_ff: input should be a valid integer, not 24.0"),
    ({"n_heads": True}, "n_heads: input should be a valid integer, not True"),
    ({"dropout": "0.1"}, "dropout: input should be a valid number, not '0.1'"),
    ({"tying": None}, "tying: input should be 'none', 'output' or 'all', not None"),
    ({"n_layers": 10**9}, "n_layers must be at most 256, not 1000000000"),
    ({"n_heads": 10**6, "d_head": 1}, "n_heads must be at most 256, not 1000000"),
    ({"max_len": 10**9}, "max_len must be at most 65536, not 1000000000"),
    ({"max_len": -5}, "max_len must be at least 1, not -5"),
    ({"d_model": 65536, "d_ff": 262144, "n_layers": 256}, "and at most 2,000,000,000 are taken"),
    ({"src_vocab_size": 10**400, "tgt_vocab_size": 10**400}, "src_vocab_size"),
    ({"n_layers": []}, "n_layers: input should be a valid integer, not []"),
]


@pytest.mark.parametrize(("changes", "sentence"), CONFIG_FAULTS, ids=str)
def test_a_configuration_is_read_strictly_and_within_bounds(folder, changes, sentence):
    write(folder, "config.json", changes)
    assert sentence in refusal(folder) and "config.json" in refusal(folder).partition("(")[2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "recursion limit"),
        ('{"a":' * 5_000, "recursion limit"),
        ("", "is not JSON: EOF"),
        ('{"dropout": NaN}', "is not JSON: expected"),
        ("null", "must hold an object"),
        ("\ufeff{}", "is not JSON: expected"),
        ('{"d_ff": ' + "9" * 6000 + "}", "is not JSON: number out of range"),
        ('{"d_ff": "\\ud800"}', "is not JSON"),
    ],
    ids=lambda text: text[:16],
)
@pytest.mark.parametrize("name", ["config.json", "training.json", "checksums.json"])
def test_text_that_is_no_object_of_json_is_refused_with_the_files_name(folder, name, text, sentence):
    (folder / name).write_text(text, encoding="utf-8")
    assert f"({name} " in refusal(folder) and sentence in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "training.json", "checksums.json", "tokenizer.model"])
def test_a_file_beyond_its_bound_is_not_read(folder, name):
    os.truncate(folder / name, 10 * LARGEST_JSON)  # a hole, which takes no place on the disk
    assert f"{name} has 320,000,000 bytes, and at most " in refusal(folder)


def test_checksums_that_lead_nowhere_are_not_none(folder):
    (folder / "checksums.json").unlink()
    (folder / "checksums.json").symlink_to("nowhere")
    assert "checksums.json: No such file" in refusal(folder)


def pipe(path: Path) -> None:
    os.mkfifo(path)


IRREGULAR: dict[str, Callable[[Path], None]] = {
    "pipe": pipe,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "nowhere": lambda path: path.symlink_to("nowhere"),
    "circle": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", IRREGULAR)
@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_no_regular_file_is_refused_before_it_is_opened(folder, name, kind):
    (folder / name).unlink()
    IRREGULAR[kind](folder / name)
    assert name in refusal(folder)


@pytest.mark.parametrize("kind", IRREGULAR)
@pytest.mark.parametrize("name", ["README.md", "story.json.gz", "heads.json"])
def test_what_a_translation_does_not_need_is_left_alone(folder, name, kind):
    (folder / name).unlink(missing_ok=True)
    IRREGULAR[kind](folder / name)
    with soon():
        checkpoint.load(str(folder))


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
    monkeypatch.setattr(weights, "Transformer", None)
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


VARIANTS = [
    {},
    {"tying": "none"},
    {"tying": "output", "positions": "learned"},
    {"d_head": 5, "d_value": 3, "attention_bias": False},
    {"n_layers": 1, "shared_vocabulary": False, "tying": "output", "tgt_vocab_size": 40},
]


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_shapes_by_arithmetic_are_those_of_the_model(changes):
    config = tiny_config(**changes)
    shapes = {name: tuple(weight.shape) for name, weight in Transformer(config).named_parameters()}
    assert weight_shapes(config) == shapes
    assert parameter_count(config) == sum(weight.numel() for weight in Transformer(config).parameters())


def test_every_preset_is_within_the_bounds_and_the_walkthroughs_has_the_published_size():
    for name in PRESETS:
        require_size(ModelConfig.preset(name))
    assert parameter_count(ModelConfig.preset("seed")) == 44_312_696


def test_the_strict_reader_gives_what_the_constructor_gives():
    assert CONFIGS.validate_json(b'{"n_layers": 2, "dropout": 0}') == ModelConfig(n_layers=2, dropout=0.0)


def test_a_saved_model_of_every_kind_has_checksums(tokenizer, tmp_path):
    checkpoint.save(tiny_translator(tokenizer, tying="none"), tmp_path)
    assert json.loads((tmp_path / "checksums.json").read_text(encoding="utf-8")).keys() == {WEIGHTS, "tokenizer.model"}
