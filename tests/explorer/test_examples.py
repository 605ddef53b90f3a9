"""The clickable sentences: ours, and those of a teacher's file."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.recording.sentence import LARGEST, examples, require_translatable
from explorer.shared.language import Voice, speaking
from model.config import ModelConfig
from model.decoding import Translator
from model.transformer import Transformer

ROOT = Path(__file__).parents[2]
OWN = [
    {"shows": {"en": "a dog", "de": "ein Hund"}, "sentence": "The dog sleeps."},
    {"shows": "x", "sentence": "A cat."},
]


def file(folder: Path, content: object) -> Path:
    path = folder / "own.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_file_of_the_same_form_takes_the_place_of_ours(tmp_path, shipped):
    path = file(tmp_path, OWN)
    require_translatable(path, shipped)
    with speaking(Voice("de")):
        assert [(found["shows"], found["sentence"]) for found in examples(path)] == [
            ("ein Hund", "The dog sleeps."),
            ("x", "A cat."),
        ]


def test_a_file_of_notepad_begins_with_a_mark(tmp_path):
    assert examples(file(tmp_path, "\ufeff" + json.dumps(OWN)))[1]["sentence"] == "A cat."


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        ("[", "own.json: the whole file: invalid JSON"),
        ([], "own.json: the whole file: list should have at least 1 item"),
        ([{"sentence": "A dog."}], "own.json: number 1, shows: field required"),
        ([*OWN, {"shows": "y", "sentence": 3}], "own.json: number 3, sentence: input should be a valid string, not 3"),
        ([{"shows": {"de": "nur"}, "sentence": "A dog."}], "number 1, shows: .*en"),
        ([{"shows": "y", "sentence": "A dog.", "colour": 1}], "number 1, colour: extra inputs"),
        ([*OWN, {"shows": "y", "sentence": "  "}], "own.json: number 3, sentence: .*nothing to translate"),
    ],
)
def test_a_faulty_file_is_refused_in_a_sentence_with_its_place(tmp_path, shipped, content, refusal):
    with pytest.raises(ValueError, match=refusal) as refused:
        require_translatable(file(tmp_path, content), shipped)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.write_bytes(bytes(LARGEST + 1))])
def test_what_is_no_plain_file_of_a_sane_size_is_refused_and_not_waited_for(tmp_path, make):
    make(tmp_path / "own.json")
    with pytest.raises(ValueError, match=r"own\.json (is no regular file|is a folder|has 1,000,001 bytes, .*)\.$"):
        examples(tmp_path / "own.json")


@pytest.mark.parametrize("flag", ["--examples", "--lessons"])
def test_the_app_ends_with_a_sentence_where_what_was_brought_along_is_not_there(tmp_path, flag):
    command = [sys.executable, "app.py", flag, str(tmp_path / "none")]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 1 and ended.stderr.startswith("app.py: ") and "Traceback" not in ended.stderr


@pytest.mark.parametrize("max_len", [1, 2, 5])
def test_a_model_too_short_for_the_sentence_that_the_page_opens_with_is_refused_in_a_sentence(tokenizer, max_len):
    vocabulary = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=1, n_heads=2, d_model=8, d_ff=8, max_len=max_len, **vocabulary)
    short = Translator(Transformer(config), tokenizer)
    with pytest.raises(
        ValueError, match=rf"opens with a sentence .*--examples: .*its end; .*at most {max_len}\."
    ) as refused:
        require_translatable(None, short)
    assert "\n" not in str(refused.value)
    require_translatable(None, replace(short, model=Transformer(replace(config, max_len=256))))
