"""A tiny checkpoint in a folder, and the translator that was saved there.

Its fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

from pathlib import Path

import pytest
from reference import tiny_model

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.tokenizer import Tokenizer

RECORD = {"command": "python -m model.train --steps 3", "steps": 3, "note": "schläft"}


def tiny_translator(tokenizer: Tokenizer, **changes) -> Translator:
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    return Translator(tiny_model(**sizes, max_len=32, **changes), tokenizer, RECORD)


@pytest.fixture
def translator(tokenizer) -> Translator:
    return tiny_translator(tokenizer)


@pytest.fixture
def folder(translator, tmp_path) -> Path:
    checkpoint.save(translator, tmp_path / "tiny")
    return tmp_path / "tiny"


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
