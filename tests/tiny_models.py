"""Tiny translators: one saved in a folder, with uneven stacks, built like Marian, from Arabic into Japanese.

Their fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

import json
from copy import copy
from pathlib import Path

import pytest
import torch
from reference import tiny_config, tiny_model

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.tokenizer import Tokenizer
from model.transformer import Transformer

RECORD = {"command": "python -m model.train --steps 3", "steps": 3, "note": "schläft"}


def tiny_translator(tokenizer: Tokenizer, **changes) -> Translator:
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 32}
    return Translator(tiny_model(**{**sizes, **changes}), tokenizer, RECORD)


@pytest.fixture
def translator(tokenizer) -> Translator:
    return tiny_translator(tokenizer)


@pytest.fixture
def folder(translator, tmp_path) -> Path:
    checkpoint.save(translator, tmp_path / "tiny")
    return tmp_path / "tiny"


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


MARIAN = {"positions": "sinusoidal halves", "activation": "silu", "start": "pad", "n_layers": 3, "n_decoder_layers": 2}


def starting_from_padding(tokenizer: Tokenizer) -> Tokenizer:
    """One that has no piece of its own to start from."""
    same = copy(tokenizer)
    same.bos_id = same.pad_id
    return same


def marian(tokenizer: Tokenizer, **changes) -> Translator:
    """A random model with all that Marian does differently."""
    return tiny_translator(starting_from_padding(tokenizer), **MARIAN, **changes)


@pytest.fixture(params=[(3, 1), (1, 3)], ids=["3 and 1 layers", "1 and 3 layers"])
def uneven(tokenizer, request) -> Translator:
    """A random model whose stacks differ in depth."""
    encoder, decoder = request.param
    return tiny_translator(tokenizer, n_layers=encoder, n_decoder_layers=decoder)


ARABIC = (
    "ندرس Python في المدرسة، وأنت؟",
    "اشترت 25 تفاحة بـ 10 دولارات.",
    "يقرأ الولد كتابًا في الحديقة.",
    "يشرب المعلم القهوة في الصباح.",
    "البيت الكبير قريب من البحر.",
    "تنام القطة تحت الكرسي القديم.",
    "يقرأ الطلاب الكتاب في المكتبة.",
)
JAPANESE = ("私たちは学校でPythonを勉強します。", "猫は古い椅子の下で寝ています。", "学生は図書館で本を読みます。")


@pytest.fixture(scope="session")
def arabic_to_japanese() -> Translator:
    tokenizer = Tokenizer.train([*ARABIC, *JAPANESE], vocab_size=86)
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 160}
    languages = {"source": {"code": "ar", "name": "Arabic"}, "target": {"code": "ja", "name": "Japanese"}}
    return Translator(Transformer(tiny_config(**sizes)).eval(), tokenizer, {"languages": languages})


def examples_in(folder: Path) -> Path:
    """A file of examples that this translator takes."""
    path = folder / "examples.json"
    path.write_text(json.dumps([{"shows": text, "sentence": text} for text in ARABIC[:2]]), encoding="utf-8")
    return path
