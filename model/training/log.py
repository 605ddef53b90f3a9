"""The log of a run, in its folder and in the record of its checkpoint."""

import json
import math
import os
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model.checkpoints.record import LogLine
from model.errors import UserError
from model.files import read_bytes, save_error, write_atomically
from model.training import distributed
from model.training.trainer import Trainer

LOG = "log.jsonl"
MAX_LOG_BYTES = 1_000_000_000


def to_json_line(line: dict[str, Any]) -> bytes:
    return (json.dumps(line) + "\n").encode()


def require_finite(loss: float, step: int) -> None:
    """Raises UserError if a loss is not finite: no later one can be."""
    if not math.isfinite(loss):
        raise UserError(
            f"the loss is no number at step {step}: the training has diverged. Begin anew with a lower --peak-lr, or "
            "with more --warmup-steps"
        )


class Log:
    """The log, a JSON object a line, and a progress bar with the same figures; only the first process writes them."""

    def __init__(self, trainer: Trainer, path: Path):
        self.trainer = trainer
        self.path = path
        # Lines after the saved state, and the last line of a finished run, will be written again.
        self.lines = [line for line in self.read() if line["step"] <= trainer.position.step and "averaged" not in line]
        shape = "{percentage:4.1f}%|{bar}|{remaining}{postfix}"
        self.bar = tqdm(total=1.0, initial=trainer.progress, bar_format=shape, disable=not distributed.is_first())
        if distributed.is_first():
            write_atomically(path, b"".join(map(to_json_line, self.lines)))

    def read(self) -> list[dict[str, Any]]:
        """The lines in the file, without a last one that a kill cut off: its step will come again.

        Raises UserError, naming the line, if another one is not valid.
        """
        texts = read_bytes(self.path.resolve(), MAX_LOG_BYTES).split(b"\n") if self.path.exists() else []
        lines = []
        for number, text in enumerate(texts, 1):
            try:
                LogLine.model_validate_json(text)
                lines.append(json.loads(text))
            except ValueError as error:
                if any(texts[number:]):
                    raise UserError(
                        f"{self.path} line {number} is no line of a log: delete it, and --resume goes on without it"
                    ) from error
        return lines

    def write(self, **figures: float | int) -> None:
        """Appends a line. Raises UserError, in every process, if a loss is not finite, and SaveError if it cannot."""
        for name in {"loss", "dev_loss"} & figures.keys():
            require_finite(figures[name], self.trainer.position.step)
        if not distributed.is_first():
            return
        position = self.trainer.position
        line = {"step": position.step, "epoch": position.epoch, "seconds": round(position.seconds, 1), **figures}
        self.lines.append(line)
        try:
            with self.path.open("ab") as file:
                file.write(to_json_line(line))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise save_error(self.path, error) from error
        self.bar.set_postfix({name: f"{value:.4g}" for name, value in figures.items()}, refresh=False)
        self.bar.update(self.trainer.progress - self.bar.n)
