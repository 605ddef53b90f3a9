"""What the engine refuses, with a sentence: damaged checkpoints, and options that it does not know."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from cases import each_case
from safetensors.numpy import load_file, save_file
from tiny_models import tiny_translator
from visiting import needs_browser

from model.checkpoints import checkpoint
from model.tokenizer import Tokenizer

pytestmark = needs_browser

WEIGHTS = "model.safetensors"
SCALE = "encoder.layers.0.feed_forward_norm.norm.weight"


@pytest.fixture(scope="module")
def whole(tokenizer, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    checkpoint.save(tiny_translator(tokenizer), folder)
    return folder


def changed_config(**changes: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}), encoding="utf-8")

    return damage


def changed_weights(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        weights = load_file(folder / WEIGHTS)
        change(weights)
        save_file(weights, folder / WEIGHTS)

    return damage


def cut_short(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-100])


def other_tokenizer(folder: Path) -> None:
    corpus = ["a b c d e f g h"] * 9
    (folder / "tokenizer.model").write_bytes(Tokenizer.train(corpus, vocab_size=20, kind="bpe").proto)


def nothing(folder: Path) -> None:
    pass


@each_case(
    ("damage", "message"),
    [
        (nothing, None),
        (lambda folder: (folder / "config.json").unlink(), "The checkpoint has no config.json."),
        (lambda folder: (folder / "tokenizer.model").unlink(), "The checkpoint has no tokenizer.model, nor source.spm"),
        (changed_config(norm="before"), 'the engine does not know the option "norm"'),
        (changed_config(activation="tanh"), "activation must be one of relu, gelu, silu"),
        (changed_config(n_layers=1.5), "n_layers must be a whole number from 1 on, not 1.5"),
        (changed_config(n_heads=3, d_head=0), "d_model 16 is not divisible by n_heads 3"),
        (changed_config(d_ff=12), "has shape 24,16, not 12,16"),
        (changed_config(start="pad"), 'The tokenizer starts from a token of its own, the model from "pad"'),
        (changed_config(src_vocab_size=70, tgt_vocab_size=70), "The tokenizer has 80 tokens, the model 70 and 70"),
        (changed_weights(lambda weights: weights.pop(SCALE)), f"{SCALE} is missing"),
        (changed_weights(lambda weights: weights.update({SCALE: np.ones(16)})), f"{SCALE} has numbers of type F64"),
        (changed_weights(lambda weights: weights[SCALE].fill(np.nan)), f"{SCALE} holds values that are not finite"),
        (cut_short, f"{WEIGHTS} is incomplete"),
        (other_tokenizer, "The engine reads only unigram tokenizers"),
    ],
)
def test_what_cannot_be_read_is_refused(in_browser, checkpoints, whole, tmp_path, damage, message):
    name = f"damaged-{tmp_path.name}"
    shutil.copytree(whole, checkpoints / name)
    damage(checkpoints / name)
    found = in_browser("refusal", name)
    assert message in found if message else found is None
