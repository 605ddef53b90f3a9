"""The training loop of a toy model: when it tests, reports, pauses, ends and saves."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition
from typing import Annotated, Any, Literal

import torch
from pydantic import Field

from explorer.toys import recipe
from explorer.toys.progress import EndReason, Report, State, make_report
from explorer.toys.recipe import ToyConfig, learning_rate
from explorer.toys.toy_trainer import ToyMetrics, ToyTrainer, save_toy
from explorer.ui.questions import StrictModel

MAX_MEMORY_BYTES = 2_000_000_000  # torch needs 300 MB before training starts
REPORT_INTERVAL_SECONDS = 0.25


class Assignment(StrictModel):
    """The task, the folder and the limits of a training."""

    config: ToyConfig
    folder: Path  # for the checkpoint
    seconds: Annotated[float, Field(gt=0)] = recipe.MAX_SECONDS  # of training
    idle: Annotated[float, Field(gt=0)] = 600.0  # seconds until a stopped training ends
    threads: Annotated[int, Field(ge=1, le=2)] = 1


Command = Literal["go on", "stop", "end"]


class CommandState:
    """The visitor's latest command, set by another thread."""

    def __init__(self):
        self.command: Command = "go on"
        self.changed = Condition()

    def set(self, command: Command) -> None:
        """Sets the command; "end" is final."""
        with self.changed:
            if self.command != "end":
                self.command = command
                self.changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Waits until the command is not "stop"; False on timeout."""
        with self.changed:
            return self.changed.wait_for(lambda: self.command != "stop", seconds)


def peak_memory() -> int:
    """Peak memory of this process in bytes; 0 if the system does not report it."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class TrainingLoop:
    """Trains a toy model, and calls `on_report` with each report."""

    def __init__(
        self, assignment: Assignment, on_report: Callable[[Report], Any], clock: Callable[[], float] = time.monotonic
    ):
        self.assignment, self.on_report, self.clock = assignment, on_report, clock
        self.commands = CommandState()
        torch.set_num_threads(assignment.threads)
        self.trainer = ToyTrainer(assignment.config)
        self.log: list[dict[str, Any]] = []
        self.losses: list[float] = []  # of every update, in nats per piece
        self.n_reported_losses = 0  # losses that earlier reports contain
        self.seconds = self.reported_at = 0.0
        self.number = 0

    def run(self) -> Report:
        """Trains to the end and returns the last report."""
        metrics, why = self.trainer.evaluate(), None
        self.report(metrics, "learning")
        while why is None:
            if self.commands.command == "stop":
                self.report(metrics, "stopped")
                if not self.commands.wait(self.assignment.idle):
                    why = "idle"
                    break
            started_at = self.clock()
            if self.commands.command == "go on":
                metrics = self.train_until_test()
            self.seconds += self.clock() - started_at
            why = self.end_reason(metrics)
            if (
                why is None
                and self.commands.command == "go on"
                and self.seconds - self.reported_at >= REPORT_INTERVAL_SECONDS
            ):
                self.report(metrics, "learning")
        return self.report(metrics, "finished", why)

    @property
    def is_test_step(self) -> bool:
        """Whether training may end after this update; fixed steps make runs reproducible on every machine."""
        return self.trainer.step % recipe.TEST_STEPS == 0

    def train_until_test(self) -> ToyMetrics:
        """Trains until a test step, a due report or a command, then evaluates."""
        report_due = self.clock() + REPORT_INTERVAL_SECONDS
        while True:
            self.losses.append(self.trainer.train_step())
            if self.is_test_step or self.commands.command != "go on":
                break
            if self.trainer.step % recipe.REPORT_STEPS == 0 and self.clock() >= report_due:
                break
        metrics = self.trainer.evaluate()
        if self.is_test_step:
            losses = self.losses[-recipe.TEST_STEPS :]
            line = {"step": self.trainer.step, "seconds": round(self.seconds, 1)}
            lr = learning_rate(self.trainer.step)
            self.log += [{**line, "loss": sum(losses) / len(losses), "lr": lr}, {**line, "dev_loss": metrics.loss}]
        return metrics

    def end_reason(self, metrics: ToyMetrics) -> EndReason | None:
        if self.commands.command == "end":
            return "ended"
        if metrics.right >= recipe.GOAL_ACCURACY and self.is_test_step:
            return "reached"
        if self.seconds >= self.assignment.seconds:
            return "time"
        return "memory" if peak_memory() > MAX_MEMORY_BYTES else None

    def report(self, metrics: ToyMetrics, state: State, why: EndReason | None = None) -> Report:
        """Reports the progress; saves the checkpoint first if training is stopped or finished."""
        self.number += 1
        self.reported_at = self.seconds
        new = self.losses[self.n_reported_losses :]
        loss, self.n_reported_losses = (sum(new) / len(new) if new else None), len(self.losses)
        if saved := state != "learning":
            save_toy(self.trainer, self.assignment.folder, metrics, self.log, self.seconds)
        current = make_report(
            self.trainer,
            metrics,
            number=self.number,
            state=state,
            why=why,
            seconds=round(self.seconds, 2),
            loss=loss,
            saved=saved,
        )
        self.on_report(current)
        return current
