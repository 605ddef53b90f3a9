"""What the tests of training share: a tiny recipe, its files and flags, and what a run leaves behind.

Its fixtures are imported `as` themselves, which tells ruff that they are meant.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from model.config import PRESETS
from model.train import main
from model.training.data import Batch, Pair
from model.training.recipe import TrainConfig
from model.training.trainer import Trainer

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
    "dev_steps": 4,
    "precision": "float32",
    "device": "cpu",
}
TIMES = ("seconds", "tokens_per_s", "tflops_per_s")


@pytest.fixture(scope="module", autouse=True)
def tiny_preset() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "tiny", TINY)
        yield


@pytest.fixture(scope="session")
def pairs(corpus) -> list[Pair]:
    return [Pair(src, tgt) for src, tgt in zip(corpus[:8], corpus[8:], strict=True)]


@pytest.fixture(scope="session")
def files(pairs, tmp_path_factory) -> dict[str, Path]:
    """Eight pairs to learn, two of them to validate."""
    folder = tmp_path_factory.mktemp("pairs")
    lines = [f"{pair.src}\t{pair.tgt}\n" for pair in pairs]
    (folder / "all.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (folder / "dev.tsv").write_text("".join(lines[:2]), encoding="utf-8")
    return {"pairs": folder / "all.tsv.gz", "dev": folder / "dev.tsv"}


@pytest.fixture(scope="module")
def whole(tiny_preset, files, tmp_path_factory) -> Path:
    """The folder of a finished run, to look at and to compare with; tests that change it use a copy."""
    folder = tmp_path_factory.mktemp("whole")
    main(flags(folder, **files))
    return folder


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


def assert_ended_alike(run: Path, other: Path) -> None:
    ours, theirs = state_of(run), state_of(other)
    (count, total), (other_count, other_total) = ours["average"], theirs["average"]
    assert count == other_count == RECIPE["average_count"]
    assert all(torch.equal(weight, theirs["model"][name]) for name, weight in ours["model"].items())
    assert all(torch.equal(weight, other_total[name]) for name, weight in total.items())
    assert ours["position"][:4] == theirs["position"][:4]
    assert log_of(run) == log_of(other)
    name = "checkpoint/model.safetensors"
    assert (run / name).read_bytes() == (other / name).read_bytes()


def call_at(step: int, action, monkeypatch) -> None:
    """Has Trainer.train_step call `action` at the end of a step."""
    train_step = Trainer.train_step

    def train_step_and_act(trainer: Trainer, batch: Batch) -> object:
        result = train_step(trainer, batch)
        if trainer.position.step == step:
            action()
        return result

    monkeypatch.setattr(Trainer, "train_step", train_step_and_act)
