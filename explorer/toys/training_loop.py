"""A training from its first update to its last: when it tests, reports, pauses, ends and saves."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Condition
from typing import Annotated, Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field

from explorer.toys import certificate, recipe
from explorer.toys.recipe import ToyConfig, learning_rate
from explorer.toys.report import Report, State, Why, report
from explorer.toys.toy_trainer import ToyMetrics, ToyTrainer

MOST_MEMORY = 2_000_000_000  # bytes; torch takes 300 million of them before anything is learnt
EVERY = 0.25  # seconds from one report to the next


class Assignment(BaseModel):
    """What is to be learnt, and within which bounds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    config: ToyConfig
    folder: Path  # for the checkpoint
    seconds: Annotated[float, Field(gt=0)] = recipe.MAX_SECONDS  # of training
    idle: Annotated[float, Field(gt=0)] = 600.0  # seconds after which one that was stopped ends
    threads: Annotated[int, Field(ge=1, le=2)] = 1


Wish = Literal["go on", "stop", "end"]


class Wishes:
    """What the visitor wants; another thread may say it."""

    def __init__(self):
        self.wish: Wish = "go on"
        self.said = Condition()

    def say(self, wish: Wish) -> None:
        """After an end nothing else counts."""
        with self.said:
            if self.wish != "end":
                self.wish = wish
                self.said.notify_all()

    def wait(self, seconds: float) -> bool:
        """Until it is to go on or to end; False where nobody said so in time."""
        with self.said:
            return self.said.wait_for(lambda: self.wish != "stop", seconds)


def memory() -> int:
    """The most bytes of memory that this process has had; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class TrainingLoop:
    """One training under way; `tell` is given each report."""

    def __init__(self, given: Assignment, tell: Callable[[Report], Any], clock: Callable[[], float] = time.monotonic):
        self.given, self.tell, self.clock = given, tell, clock
        self.wishes = Wishes()
        torch.set_num_threads(given.threads)
        self.trainer = ToyTrainer(given.config)
        self.log: list[dict[str, Any]] = []
        self.losses: list[float] = []  # of every update, in nats per piece
        self.told_losses = 0  # how many of them were in reports
        self.seconds = self.told_at = 0.0
        self.number = 0

    def run(self) -> Report:
        """To the end; gives the last report."""
        metrics, why = self.trainer.examine(), None
        self.report(metrics, "learning")
        while why is None:
            if self.wishes.wish == "stop":
                self.report(metrics, "stopped")
                if not self.wishes.wait(self.given.idle):
                    why = "idle"
                    break
            began = self.clock()
            if self.wishes.wish == "go on":
                metrics = self.practise()
            self.seconds += self.clock() - began
            why = self.why_over(metrics)
            if why is None and self.wishes.wish == "go on" and self.seconds - self.told_at >= EVERY:
                self.report(metrics, "learning")
        return self.report(metrics, "finished", why)

    @property
    def is_due(self) -> bool:
        """Whether it may be over after this update: so that the same choices end at the same one on every machine."""
        return self.trainer.step % recipe.TEST_STEPS == 0

    def practise(self) -> ToyMetrics:
        """Updates until one may be the last, a report is due or somebody wishes something else; then a test."""
        report_due = self.clock() + EVERY
        while True:
            self.losses.append(self.trainer.learn())
            if self.is_due or self.wishes.wish != "go on":
                break
            if self.trainer.step % recipe.REPORT_STEPS == 0 and self.clock() >= report_due:
                break
        metrics = self.trainer.examine()
        if self.is_due:
            losses = self.losses[-recipe.TEST_STEPS :]
            line = {"step": self.trainer.step, "seconds": round(self.seconds, 1)}
            lr = learning_rate(self.trainer.step)
            self.log += [{**line, "loss": sum(losses) / len(losses), "lr": lr}, {**line, "dev_loss": metrics.loss}]
        return metrics

    def why_over(self, metrics: ToyMetrics) -> Why | None:
        if self.wishes.wish == "end":
            return "ended"
        if metrics.right >= recipe.GOAL and self.is_due:
            return "reached"
        if self.seconds >= self.given.seconds:
            return "time"
        return "memory" if memory() > MOST_MEMORY else None

    def report(self, metrics: ToyMetrics, state: State, why: Why | None = None) -> Report:
        """Tells how far it has come; the checkpoint is saved first where it is stopped or finished."""
        self.number += 1
        self.told_at = self.seconds
        new = self.losses[self.told_losses :]
        loss, self.told_losses = (sum(new) / len(new) if new else None), len(self.losses)
        if saved := state != "learning":
            certificate.save(self.trainer, self.given.folder, metrics, self.log, self.seconds)
        told = report(
            self.trainer,
            metrics,
            number=self.number,
            state=state,
            why=why,
            seconds=round(self.seconds, 2),
            loss=loss,
            saved=saved,
        )
        self.tell(told)
        return told
