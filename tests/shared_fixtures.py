"""Fixtures that all tests share: a tiny tokenizer, a toy model, the shipped checkpoint, a served page of each, and one
Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, sync_playwright
from serving import served
from visiting import CHROMIUM, FLAGS

from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.decoding import Translator
from model.tokenizer import Tokenizer
from model.transformer import Transformer

SENTENCES = [
    "The cat sleeps on the old chair.",
    "The dog sleeps under the table.",
    "A small bird sings in the garden.",
    "The children play in the garden.",
    "My brother reads an old book.",
    "She reads the book to the children.",
    "We drink cold water in summer.",
    "The water in the lake is cold.",
    "Die Katze schläft auf dem alten Stuhl.",
    "Der Hund schläft unter dem Tisch.",
    "Ein kleiner Vogel singt im Garten.",
    "Die Kinder spielen im Garten.",
    "Mein Bruder liest ein altes Buch.",
    "Sie liest den Kindern das Buch vor.",
    "Wir trinken im Sommer kaltes Wasser.",
    "Das Wasser im See ist kalt.",
]


@pytest.fixture(scope="session")
def corpus() -> list[str]:
    """Eight English sentences and their German translations."""
    return SENTENCES


@pytest.fixture(scope="session")
def tokenizer(corpus: list[str]) -> Tokenizer:
    return Tokenizer.train(corpus, vocab_size=80)


@pytest.fixture(scope="session")
def shipped() -> Translator:
    return checkpoint.load()


@pytest.fixture(scope="session")
def toy(tokenizer: Tokenizer) -> Translator:
    """A random model of 2 layers and 4 heads."""
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=2, n_heads=4, d_model=16, d_ff=32, max_len=160, **sizes)
    return Translator(Transformer(config).eval(), tokenizer)


@pytest.fixture(scope="session")
def shipped_page(shipped: Translator) -> Iterator[str]:
    yield from served(shipped)


@pytest.fixture(scope="session")
def measured_page(shipped: Translator) -> Iterator[str]:
    """The page of the same checkpoint with its story and its measured heads."""
    yield from served(shipped, Path(checkpoint.SHIPPED))


@pytest.fixture(scope="session")
def toy_page(toy: Translator) -> Iterator[str]:
    yield from served(toy)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
