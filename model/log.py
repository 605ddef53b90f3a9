"""The log of a run, which its folder and its checkpoint's record keep."""

import json
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model import processes
from model.trainer import Trainer

LOG = "log.jsonl"


class Log:
    """The run's log, a JSON object a line, and the progress bar with the same figures; the first process has them."""

    def __init__(self, trainer: Trainer, path: Path):
        self.trainer = trainer
        self.path = path
        # Lines behind the saved state, and the last line of a finished run, are written anew.
        self.lines = [line for line in self.read() if line["step"] <= trainer.position.step and "averaged" not in line]
        shape = "{percentage:4.1f}%|{bar}|{remaining}{postfix}"
        self.bar = tqdm(total=1.0, initial=trainer.progress, bar_format=shape, disable=not processes.is_first())
        if processes.is_first():
            path.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")

    def read(self) -> list[dict[str, Any]]:
        """What was written before; a last line cut off by a kill is left out, since its step will come again."""
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True) if self.path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def write(self, **figures: float | int) -> None:
        if not processes.is_first():
            return
        position = self.trainer.position
        line = {"step": position.step, "epoch": position.epoch, "seconds": round(position.seconds, 1), **figures}
        self.lines.append(line)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self.bar.set_postfix({name: f"{value:.4g}" for name, value in figures.items()}, refresh=False)
        self.bar.update(self.trainer.progress - self.bar.n)
