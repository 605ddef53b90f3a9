"""The log of a run, which its folder and its checkpoint's record keep."""

import json
import math
import os
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model.files import read_bytes, save_error, write_atomically
from model.training import distributed
from model.training.trainer import Trainer

LOG = "log.jsonl"
MAX_LOG_BYTES = 1_000_000_000  # bytes


def to_json_line(line: dict[str, Any]) -> bytes:
    return (json.dumps(line) + "\n").encode()


def parse_json_line(text: bytes) -> dict[str, Any]:
    """A line of the log. Raises ValueError where it is none."""
    line = json.loads(text)
    if not isinstance(line, dict) or type(line.get("step")) is not int:
        raise ValueError("no step")
    return line


def require_finite(loss: float, step: int) -> None:
    """Raises ValueError where a loss is no number any more: nothing that comes after it can be one."""
    if not math.isfinite(loss):
        raise ValueError(
            f"the loss is no number at step {step}: the training has diverged. Begin anew with a lower --peak-lr, or "
            "with more --warmup-steps"
        )


class Log:
    """The run's log, a JSON object a line, and the progress bar with the same figures; the first process has them."""

    def __init__(self, trainer: Trainer, path: Path):
        self.trainer = trainer
        self.path = path
        # Lines behind the saved state, and the last line of a finished run, are written anew.
        self.lines = [line for line in self.read() if line["step"] <= trainer.position.step and "averaged" not in line]
        shape = "{percentage:4.1f}%|{bar}|{remaining}{postfix}"
        self.bar = tqdm(total=1.0, initial=trainer.progress, bar_format=shape, disable=not distributed.is_first())
        if distributed.is_first():
            write_atomically(path, b"".join(map(to_json_line, self.lines)))

    def read(self) -> list[dict[str, Any]]:
        """What was written before; a last line that a kill cut off is left out, since its step will come again.

        Raises ValueError, naming the line, where another one is no line of a log.
        """
        written = read_bytes(self.path, MAX_LOG_BYTES).split(b"\n") if self.path.exists() else []
        lines = []
        for number, text in enumerate(written, 1):
            try:
                lines.append(parse_json_line(text))
            except ValueError as error:
                if any(written[number:]):
                    raise ValueError(
                        f"{self.path} line {number} is no line of a log: delete it, and --resume goes on without it"
                    ) from error
        return lines

    def write(self, **figures: float | int) -> None:
        """Raises ValueError where a loss is no number, in every process, and SaveError where the file takes no line."""
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
