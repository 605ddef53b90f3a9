"""Checkpoints made to do harm, or by mistake: each is refused in a sentence, soon, and with little memory.

Their weights and checksums are those of test_hostile_weights.py.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import sweep
from damage import refusal, soon, write
from tiny_models import RECORD
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.config import CONFIGS, ModelConfig
from model.files import MAX_JSON_BYTES

REQUIRED = ("config.json", "tokenizer.model", "training.json", "model.safetensors")

SCORE = {"file": "a.tsv", "pairs": 10, "decoding": "greedy", "signature": "s", "bleu": 1.5}
RECORDS = {
    "command": (["python"], "command: input should be a valid string, not ['python']"),
    "hardware": (3, "hardware: input should be a valid string, not 3"),
    "note": (None, "note: input should be a valid string, not None"),
    "steps": ("3", "steps: input should be a valid integer, not '3'"),
    "steps ": (True, "steps: input should be a valid integer, not True"),
    "steps   ": (10**30, "steps: input should be less than or equal to 1000000000000000"),
    "epochs": ("many", "epochs: input should be a valid number, not 'many'"),
    "tokens": (1.5, "tokens: input should be a valid integer"),
    "seconds": (False, "seconds: input should be a valid number, not False"),
    "log": ("log.jsonl", "log: input should be a valid"),
    "log   ": ([{"step": 1, "loss": "low"}], "log, number 1, loss: input should be a valid number, not 'low'"),
    "before": ([{"command": "first"}], "before, number 1, steps: field required"),
    "model": ([1], "model: input should be a"),
    "recipe": ({"max_pieces": "long"}, "recipe, max_pieces: input should be a valid integer, not 'long'"),
    "data": ([{"file": "a.tsv", "pairs": "ten", "role": "training"}], "data, number 1, pairs: input should be a valid"),
    "data_note": ({}, "data_note: input should be a valid string, not {}"),
    "scores": ([{**SCORE, "bleu": "high"}], "scores, number 1, bleu: input should be a valid number, not 'high'"),
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
    ({"d_ff": 24.0}, "d_ff: input should be a valid integer, not 24.0"),
    ({"dropout": "0.1"}, "dropout: input should be a valid number, not '0.1'"),
    ({"tying": None}, "tying: input should be 'none', 'output' or 'all', not None"),
    ({"n_layers": 10**9}, "n_layers: input should be less than or equal to 256, not 1000000000"),
    ({"max_len": -5}, "max_len: input should be greater than or equal to 1, not -5"),
    ({"d_model": 65536, "d_ff": 262144, "n_layers": 256}, "and at most 2,000,000,000 are taken"),
    ({"src_vocab_size": 10**400, "tgt_vocab_size": 10**400}, "src_vocab_size"),
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
@pytest.mark.parametrize("name", sweep(["config.json", "training.json", "checksums.json"], "config.json"))
def test_text_that_is_no_object_of_json_is_refused_with_the_files_name(folder, name, text, sentence):
    (folder / name).write_text(text, encoding="utf-8")
    assert f"({name} " in refusal(folder) and sentence in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "training.json", "checksums.json", "tokenizer.model"])
def test_a_file_beyond_its_bound_is_not_read(folder, name):
    os.truncate(folder / name, 10 * MAX_JSON_BYTES)  # a hole, which takes no place on the disk
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


@pytest.mark.parametrize("kind", sweep(IRREGULAR, "pipe", "nowhere"))
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


def test_the_strict_reader_gives_what_the_constructor_gives():
    assert CONFIGS.validate_json(b'{"n_layers": 2, "dropout": 0}') == ModelConfig(n_layers=2, dropout=0.0)
