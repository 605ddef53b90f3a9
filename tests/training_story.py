"""A tiny training in two runs, with kept moments and its story: what the tests of the recorded training share.

Its fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.functional import cross_entropy

from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.decoding import Translator
from model.training.data import Pair, collate, encode_pairs
from model.transformer import Transformer
from tools import story

PAIRS = [Pair("The dog sleeps.", "Der Hund schläft."), Pair("The water is cold.", "Das Wasser ist kalt.")]
SENTENCES = [{"shows": "an animal", "sentence": PAIRS[0].src}, {"shows": "a drink", "sentence": PAIRS[1].src}]
MOMENTS = [0, 10, 40, 80]  # of all steps; the last is the final checkpoint's
FIRST = {  # the first of two runs
    "command": "python -m model.train --steps 50",
    "steps": 50,
    "log": [{"step": step, "loss": 4.0 - step / 20, "lr": 0.001, "tokens_per_s": 900.0} for step in (10, 20, 40)],
}
RECORD = {
    "command": "python -m model.train --start runs/first --steps 30",
    "steps": 30,
    "log": [{"step": 10, "loss": 1.5, "lr": 0.0005, "tokens_per_s": 800.0}, {"step": 30, "dev_loss": 1.25}],
    "before": [FIRST],
}


def learn(translator: Translator, steps: int) -> None:
    """Some steps of training on the pairs."""
    model, batch = translator.model, collate(encode_pairs(PAIRS, translator.tokenizer, 99), translator.tokenizer)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        logits = model(batch.src, batch.tgt_in).logits
        cross_entropy(logits.transpose(1, 2), batch.tgt_out, ignore_index=model.config.pad_id).backward()
        optimizer.step()
        optimizer.zero_grad()


@pytest.fixture(scope="session")
def run(tokenizer, tmp_path_factory) -> Path:
    """The folder of a run: its kept moments and its final checkpoint."""
    folder = tmp_path_factory.mktemp("run")
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=2, n_heads=4, d_model=32, d_ff=32, max_len=160, dropout=0.0, **sizes)
    translator = Translator(Transformer(config), tokenizer)
    for before, step in zip([0, *MOMENTS], MOMENTS, strict=False):
        learn(translator, step - before)
        if step == MOMENTS[-1]:
            checkpoint.save(Translator(translator.model, tokenizer, RECORD), folder / checkpoint.FINAL)
        else:
            kept = Translator(translator.model, tokenizer, {"steps": step})
            checkpoint.save(kept, folder / checkpoint.MOMENTS / f"{step:07d}")
    return folder


@pytest.fixture(scope="session")
def told(run) -> Path:
    """The folder of the final checkpoint, its story in it."""
    moments = story.select_moments(story.checkpoint_folders(run), run / checkpoint.FINAL, story.MAX_MOMENTS)
    data = story.compress_story(story.create_story(moments, SENTENCES))
    (run / checkpoint.FINAL / checkpoint.STORY).write_bytes(data)
    return run / checkpoint.FINAL


@pytest.fixture(scope="session")
def tale(told) -> dict[str, Any]:
    """The story as it was written."""
    return json.loads(gzip.decompress((told / checkpoint.STORY).read_bytes()))


@pytest.fixture(scope="session")
def final(told) -> Translator:
    return checkpoint.load(str(told))
