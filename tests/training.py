"""What the tests of training share: a tiny recipe, its files and flags, and what a run leaves behind.

Its fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

import gzip
import json
from pathlib import Path

import pytest
import torch

from model.config import PRESETS
from model.data import Pair
from model.recipe import TrainConfig
from model.train import main

TINY = {"n_layers": 2, "n_heads": 4, "d_model": 16, "d_ff": 24, "max_len": 64}
RECIPE = {
    "preset": "tiny",
    "vocab_size": 80,
    "max_pieces": 40,
    "batch_tokens": 60,
    "warmup_steps": 2,
    "steps": 8,
    "average_part": 0.5,
    "average_count": 3,
    "log_steps": 2,
    "precision": "float32",
    "device": "cpu",
}
TIMES = ("seconds", "tokens_per_s", "tflops_per_s")


@pytest.fixture(autouse=True)
def tiny_preset(monkeypatch) -> None:
    monkeypatch.setitem(PRESETS, "tiny", TINY)


@pytest.fixture
def pairs(corpus) -> list[Pair]:
    return [Pair(src, tgt) for src, tgt in zip(corpus[:8], corpus[8:], strict=True)]


@pytest.fixture
def files(pairs, tmp_path) -> dict[str, Path]:
    """Eight pairs to learn, two of them to validate."""
    lines = [f"{pair.src}\t{pair.tgt}\n" for pair in pairs]
    (tmp_path / "all.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (tmp_path / "dev.tsv").write_text("".join(lines[:2]), encoding="utf-8")
    return {"pairs": tmp_path / "all.tsv.gz", "dev": tmp_path / "dev.tsv"}


def tiny_config(**changes) -> TrainConfig:
    return TrainConfig(**{**RECIPE, "pairs": ("a.tsv",), "dropout": 0.0, "label_smoothing": 0.0, **changes})


def flags(run: Path, **options) -> list[str]:
    """Command line words: the recipe above, with changes; None leaves a flag out."""
    words = ["--run", str(run)]
    for name, value in {**RECIPE, **options}.items():
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def refusal(*words: str) -> str:
    """What the command says when it refuses."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return str(ended.value)


def log_of(run: Path) -> list[dict[str, float]]:
    """The log without what the clock tells."""
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name not in TIMES} for line in lines]


def state_of(run: Path) -> dict:
    return torch.load(run / "state.pt", weights_only=True)
