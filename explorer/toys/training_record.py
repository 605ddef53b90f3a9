"""Saves a toy model with a record of its training and its accuracy."""

import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from explorer.toys import recipe
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import HELD_OUT_MODULUS
from explorer.toys.toy_trainer import ToyMetrics, ToyTrainer
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.languages import languages_record

NOTE = (
    "A toy that learnt one small task in class (reached after {seconds:.0f} seconds): {right:.1%} of {tested} "
    "held-out questions came out wholly right, piece for piece, and {pieces:.1%} of their pieces. Positions were "
    "{positions}."
)
DATA_NOTE = (
    "The pairs were drawn at random by the project's own code (explorer/toys/tasks.py) while it trained; they are "
    "nobody's text. One question in {held_out}, chosen by its checksum, is never trained on: of these are those of the "
    "test."
)
SIGNATURE = "the part of the targets that are wholly right, piece for piece, in per cent"


def training_command(config: ToyConfig) -> str:
    """The command that trains the same toy."""
    flags = f"--layers {config.layers} --heads {config.heads} --seed {config.seed}"
    return f"python -m explorer.toys {config.task} {flags}{'' if config.positions else ' --no-positions'}"


def recipe_record(config: ToyConfig) -> dict[str, Any]:
    """The visitor's choices and the fixed settings."""
    return {
        **config.model_dump(),
        "rows": recipe.BATCH_SIZE,
        "peak_lr": recipe.PEAK_LR,
        "warmup_steps": recipe.WARMUP_STEPS,
        "clip_norm": recipe.CLIP_NORM,
    }


def training_record(
    trainer: ToyTrainer, metrics: ToyMetrics, log: list[dict[str, Any]], seconds: float
) -> dict[str, Any]:
    """The content of `training.json`."""
    config, test = trainer.config, f"{trainer.config.task}, held out"
    return {
        "languages": languages_record(trainer.task.languages),
        "command": training_command(config),
        "hardware": f"CPU, {platform.machine()}",
        "steps": trainer.step,
        "epochs": 1.0,  # every pair is new
        "tokens": trainer.pieces,
        "seconds": round(seconds, 1),
        "log": log,
        "note": NOTE.format(
            seconds=seconds,
            right=metrics.right,
            tested=recipe.TEST_PAIRS,
            pieces=metrics.pieces_right,
            positions="given" if config.positions else "left out",
        ),
        "model": asdict(trainer.model.config),
        "recipe": recipe_record(config),
        "examples": trainer.task.examples,
        "data": [
            {"file": f"{config.task}, drawn at random", "pairs": trainer.examples, "role": "training"},
            {"file": test, "pairs": recipe.TEST_PAIRS, "role": "test"},
        ],
        "data_note": DATA_NOTE.format(held_out=HELD_OUT_MODULUS),
        "scores": [
            {
                "file": test,
                "pairs": recipe.TEST_PAIRS,
                "decoding": "greedy",
                "signature": SIGNATURE,
                "accuracy": round(100 * metrics.right, 1),
            }
        ],
    }


def save_toy(trainer: ToyTrainer, folder: Path, metrics: ToyMetrics, log: list[dict[str, Any]], seconds: float) -> None:
    """Saves the checkpoint. Raises SaveError if it cannot be written."""
    trainer.model.eval()
    record = training_record(trainer, metrics, log, seconds)
    checkpoint.save(Translator(trainer.model, trainer.tokenizer, record), folder)
