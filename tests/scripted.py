"""A translator from Arabic into Japanese: from right to left, without blanks; random, of a few sentences' pieces.

Its fixture is imported `as` itself, which tells ruff that it is meant.
"""

import json
from pathlib import Path

import pytest
import torch
from reference import tiny_config

from model.decoding import Translator
from model.tokenizer import Tokenizer
from model.transformer import Transformer

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
