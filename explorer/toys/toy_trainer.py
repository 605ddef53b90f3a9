"""Trains, evaluates and saves a toy model; test pairs are never trained on."""

import platform
import random
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from explorer.toys import recipe
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import HELD_OUT_MODULUS
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.languages import languages_record
from model.training.data import Batch, EncodedPair, Pair, collate
from model.training.loss import BatchLoss
from model.transformer import Transformer

NOTE = (
    "A toy that learnt one small task in class (reached after {seconds:.0f} seconds): {right:.1%} of {tested} "
    "held-out questions came out wholly right, token for token, and {pieces:.1%} of their tokens. Positions were "
    "{positions}."
)
DATA_NOTE = (
    "The pairs were drawn at random by the project's own code (explorer/toys/tasks.py) while it trained; they are "
    "nobody's text. One question in {held_out}, chosen by its checksum, is never trained on: of these are those of the "
    "test."
)
SIGNATURE = "the part of the targets that are wholly right, token for token, in per cent"


class ToyMetrics(NamedTuple):
    """Test metrics: the accuracy of whole targets, the accuracy of pieces, and the loss."""

    right: float
    pieces_right: float
    loss: float  # nats per piece


class ToyTrainer:
    """A model in training. The same config gives the same numbers, update by update."""

    def __init__(self, config: ToyConfig):
        self.config, self.task = config, config.task_definition
        self.tokenizer = self.task.tokenizer
        torch.manual_seed(config.seed)
        self.model = Transformer(config.transformer_config())
        self.batch_loss = BatchLoss(self.model, bfloat16=False, compiled=False)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.pairs = self.task.pairs(random.Random(f"train {config.task} {config.seed}"))
        self.test = self.collate_pairs(self.task.test(recipe.TEST_PAIRS))
        self.step = self.examples = self.pieces = 0

    @property
    def translator(self) -> Translator:
        return Translator(self.model, self.tokenizer)

    def collate_pairs(self, pairs: Sequence[Pair]) -> Batch:
        """A batch of pairs."""
        sides = (self.tokenizer.encode_all([pair[side] for pair in pairs]) for side in (0, 1))
        encoded = [EncodedPair([*src, self.tokenizer.eos_id], tgt) for src, tgt in zip(*sides, strict=True)]
        return collate(encoded, self.tokenizer)

    def train_step(self) -> float:
        """Runs one update and returns the loss before it, in nats per piece."""
        batch = self.collate_pairs(list(islice(self.pairs, recipe.BATCH_SIZE)))
        loss = self.batch_loss(batch, 0.0) / batch.pieces
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), recipe.CLIP_NORM)
        for group in self.optimizer.param_groups:
            group["lr"] = recipe.learning_rate(self.step)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        self.examples += recipe.BATCH_SIZE
        self.pieces += batch.pieces
        return float(loss.detach())

    @torch.inference_mode()
    def evaluate(self) -> ToyMetrics:
        """Test metrics. A target is right if every piece is predicted from the right pieces before it.

        Greedy decoding then produces it, because it feeds the same pieces.
        """
        logits = self.model(self.test.src, self.test.tgt_in).logits
        logits[..., self.translator.excluded_ids] = -torch.inf
        log_probability = logits.log_softmax(dim=-1).gather(-1, self.test.tgt_out[..., None])[..., 0]
        counts = self.test.tgt_out != self.tokenizer.pad_id
        right = (logits.argmax(dim=-1) == self.test.tgt_out) & counts
        return ToyMetrics(
            right=float((right | ~counts).all(dim=1).float().mean()),
            pieces_right=float(right.sum() / counts.sum()),
            loss=float(-log_probability[counts].mean()),
        )


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
    record = training_record(trainer, metrics, log, seconds)
    checkpoint.save(Translator(trainer.model, trainer.tokenizer, record), folder)
