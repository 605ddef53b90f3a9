"""Schedules the trainings of toy models on a page, with limits on number, time and memory.

    workshop = Workshop()
    key = workshop.begin(ToyConfig(task="reverse"), visitor)
    status = workshop.status(key, since=0)     # again and again; since=status.number the next time
    workshop.stop(key); workshop.resume(key); workshop.leave(key)
    folder = workshop.folder(key)              # of its checkpoint, as soon as status.saved
    workshop.close()

A key is a secret that grants access to its training. Impossible requests raise UserError. All public methods are
thread-safe.
"""

import atexit
import math
import os
import secrets
import shutil
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import RLock

from explorer.toys import recipe
from explorer.toys.progress import Report
from explorer.toys.recipe import ToyConfig, words
from explorer.toys.training_loop import Assignment
from explorer.toys.training_process import State, Training
from explorer.ui.temporary import TemporaryFolder
from model.errors import UserError

MAX_REMOVAL_REASONS = 500  # remembered for the status of removed keys


@dataclass(frozen=True)
class Limits:
    """The limits of a workshop."""

    max_running: int = 1  # concurrent trainings; the others wait
    max_waiting: int = 40  # trainings that wait for a slot
    max_parked: int = 3  # paused processes, stopped or waiting to resume: each holds 300 MB
    max_kept: int = 12  # stopped or finished trainings
    training_seconds: float = recipe.MAX_SECONDS  # of a training, pauses excluded
    stopped_seconds: float = 600.0  # until a stopped training ends
    blocking_idle_seconds: float = 90.0  # without a status request, until a training that others wait for is removed
    idle_seconds: float = 1800.0  # without a status request, until any training is removed
    threads: int = min(2, os.cpu_count() or 1)  # of a training

    def __post_init__(self):
        for name in ("max_running", "max_waiting", "max_parked", "max_kept"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True, eq=False)
class TrainingStatus:
    """The status of a training, as the page shows it."""

    config: ToyConfig
    state: State
    sentence: str  # describes the state in the page's language
    queue_position: int  # waiting trainings before this one
    number: int  # of the last report
    reports: tuple[Report, ...]  # the reports after `since`; the last has `seen`
    saved: bool  # whether the toy can be opened


@dataclass(eq=False)
class Workshop:
    """The trainings of a program by their keys, and those that wait."""

    limits: Limits = Limits()
    clock: Callable[[], float] = time.monotonic
    trainings: OrderedDict[str, Training] = field(default_factory=OrderedDict)
    waiting: deque[str] = field(default_factory=deque)
    removal_reasons: OrderedDict[str, str] = field(default_factory=OrderedDict)  # why a key is no longer known
    root: TemporaryFolder | None = None  # of the toys' folders
    closed: bool = False
    lock: RLock = field(default_factory=RLock)

    def begin(self, config: ToyConfig, visitor: str, before: str = "") -> str:
        """Queues a training and returns its key. Replaces the visitor's current training, and that of the key `before`.

        Raises UserError if too many trainings wait.
        """
        with self.lock:
            self.remove_expired()
            if self.closed:
                raise UserError(words.REFUSALS["closed"])
            of_visitor = [k for k, t in self.trainings.items() if t.is_alive and (t.visitor == visitor or k == before)]
            slots = sum(key in self.waiting or self.trainings[key].is_running for key in of_visitor)  # that it gives up
            if len(self.waiting) - slots >= self.limits.max_waiting:
                raise UserError(words.REFUSALS["full"])
            for key in of_visitor:
                self.remove(key, "replaced")
            if self.root is None:
                self.root = TemporaryFolder("toys-")
                atexit.register(self.close)
            key = secrets.token_urlsafe(24)
            self.trainings[key] = Training(config, visitor, self.root.path / secrets.token_hex(8), self.clock())
            self.waiting.append(key)
            self.advance()
            return key

    def status(self, key: str, since: int = 0) -> TrainingStatus:
        """The status of a training with its reports after `since`. Raises UserError if there is no such training."""
        with self.lock:
            training = self.find(key)
            queue_position = self.waiting.index(key) if key in self.waiting else 0
            new = tuple(report for report in training.reports if report.number > since)
            number = training.reports[-1].number if training.reports else 0
            sentence = self.sentence(training, queue_position)
            return TrainingStatus(
                training.config, training.state, sentence, queue_position, number, new, training.is_saved
            )

    def sentence(self, training: Training, queue_position: int) -> str:
        last = training.reports[-1] if training.reports else None
        if last and training.state == "finished":
            right = math.floor(round(100 * last.right, 6))  # as the page has it beside
            return words.FINISHED[str(last.why)].format(right=right, seconds=round(last.seconds))
        state = training.state
        if state == "waiting" and queue_position <= 1:
            state = ("next", "second")[queue_position]
        state = "stillborn" if state == "failed" and training.process is None else state
        step = last.step if last else 0
        values = {"queue_position": queue_position, "step": step, "status": f"{training.status}"}  # a code, no number
        return words.STATES[state].format(**values)

    def stop(self, key: str) -> None:
        """Pauses a training and saves it, so that it can be opened; another one may start meanwhile.

        Does nothing if it has ended or not started.
        """
        with self.lock:
            training = self.find(key)
            if not training.is_alive or training.process is None:
                return
            if key in self.waiting:
                self.waiting.remove(key)
                training.state = "stopped"
            training.send("stop")

    def resume(self, key: str) -> None:
        """Queues a stopped training again, unless it has ended."""
        with self.lock:
            training = self.find(key)
            if training.state == "stopped":
                training.state = "waiting"
                self.waiting.append(key)
                self.advance()
            elif training.is_running:
                training.send("go on")  # it had not stopped yet

    def leave(self, key: str) -> None:
        """Removes a training and its files, if it still exists."""
        with self.lock:
            if key in self.trainings:
                self.remove(key, "left")

    def folder(self, key: str) -> Path:
        """The folder of the checkpoint. Raises UserError if nothing is saved yet."""
        with self.lock:
            training = self.find(key)
            if not training.is_saved:
                raise UserError(words.REFUSALS["early"])
            return training.folder

    def close(self) -> None:
        """Ends all processes, waits for their end, and removes all folders."""
        with self.lock:
            self.closed = True
            self.waiting.clear()  # or each that is put away would let the next begin
            readers = [training.reader for training in self.trainings.values() if training.reader]
            for key in list(self.trainings):
                self.remove(key, "closed")
        for reader in readers:
            reader.join()
        if self.root:
            self.root.remove()
            atexit.unregister(self.close)

    # The methods below require the lock, except `on_report` and `on_exit`.

    def find(self, key: str) -> Training:
        """The training of a key; counts as a status request. Raises UserError if there is none."""
        self.remove_expired()
        if key not in self.trainings:
            raise UserError(words.REFUSALS[self.removal_reasons.get(key, "unknown")])
        self.trainings[key].polled_at = self.clock()
        return self.trainings[key]

    def remove_expired(self) -> None:
        """Removes trainings without recent status requests, and the oldest beyond `max_kept`."""
        now = self.clock()
        for key, training in list(self.trainings.items()):
            is_blocking = (training.is_running and self.waiting) or key in self.waiting
            if now - training.polled_at > (
                self.limits.blocking_idle_seconds if is_blocking else self.limits.idle_seconds
            ):
                self.remove(key, "idle")
        kept = [key for key, t in self.trainings.items() if not t.is_running and key not in self.waiting]
        kept.sort(key=lambda key: self.trainings[key].polled_at)
        for key in kept[: max(0, len(kept) - self.limits.max_kept)]:
            self.remove(key, "room")

    def remove(self, key: str, why: str) -> None:
        """Ends the process of a training, removes its folder, and remembers the reason."""
        training = self.trainings.pop(key)
        if key in self.waiting:
            self.waiting.remove(key)
        if training.process:
            training.process.kill()
        shutil.rmtree(training.folder, ignore_errors=True)
        self.removal_reasons[key] = why
        while len(self.removal_reasons) > MAX_REMOVAL_REASONS:
            self.removal_reasons.popitem(last=False)
        self.advance()

    def advance(self) -> None:
        """Starts or resumes the trainings that have waited longest, up to `max_running`."""
        while self.waiting and sum(t.is_running for t in self.trainings.values()) < self.limits.max_running:
            key = self.waiting.popleft()
            training = self.trainings[key]
            if training.process:
                training.state = "learning"
                training.send("go on")
            else:
                self.start(key, training)

    def start(self, key: str, training: Training) -> None:
        limits = self.limits
        assignment = Assignment(
            config=training.config,
            folder=training.folder,
            seconds=limits.training_seconds,
            idle=limits.stopped_seconds,
            threads=limits.threads,
        )
        try:
            training.start(assignment, partial(self.on_report, key, training), partial(self.on_exit, key, training))
        except OSError:  # the machine has no memory or no files left for it
            training.state = "failed"

    def make_room(self) -> None:
        """Ends the processes stopped longest ago beyond `max_parked`; their checkpoints are kept."""
        parked = [t for t in self.trainings.values() if t.is_parked]
        stopped = sorted((t for t in parked if t.state == "stopped"), key=lambda t: t.stopped_at)
        for training in stopped[: max(0, len(parked) - self.limits.max_parked)]:
            training.ending = True
            training.send("end")

    def on_report(self, key: str, training: Training, report: Report) -> None:
        """Handles a report of a training's process."""
        with self.lock:
            training.add(report)
            if report.state == "finished" and key in self.waiting:
                self.waiting.remove(key)
            if key not in self.waiting:
                training.state = report.state
            if report.state == "stopped":
                training.stopped_at = self.clock()
            self.make_room()
            self.remove_expired()
            self.advance()

    def on_exit(self, key: str, training: Training, status: int) -> None:
        """Handles the exit of a training's process."""
        with self.lock:
            training.status = status
            if key in self.waiting:
                self.waiting.remove(key)
            if key not in self.trainings:
                shutil.rmtree(training.folder, ignore_errors=True)  # it may have been saving as it was killed
            if training.state != "finished":
                training.state = "failed"
            self.advance()
