"""Where the toys of a page are trained: who trains, who waits, what is kept. Bounded in number, time and memory.

    workshop = Workshop()
    key = workshop.begin(ToyConfig(task="reverse"), visitor)
    look = workshop.look(key, since=0)         # again and again; since=look.number the next time
    workshop.stop(key); workshop.go_on(key); workshop.leave(key)
    folder = workshop.folder(key)              # of its checkpoint, as soon as look.saved
    workshop.close()

A key is a secret: whoever has it may look and decide. What cannot be is refused with a ValueError whose sentence can be
shown. It may be called by several threads at once.
"""

import atexit
import math
import os
import secrets
import shutil
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import RLock

from explorer.toys import recipe, words
from explorer.toys.folders import make_root, sweep
from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.training import State, Training
from explorer.toys.training_loop import Assignment

REMEMBERED = 500  # keys of what has gone, so that whoever asks hears why


@dataclass(frozen=True)
class Limits:
    """What a workshop holds its visitors to."""

    most_running: int = 1  # trainings at once; the others wait
    most_waiting: int = 40  # that have not begun
    most_parked: int = 3  # processes that stand still, stopped or in line again: each holds 300 MB
    most_kept: int = 12  # toys that were stopped or are finished
    seconds: float = recipe.MAX_SECONDS  # of a training, pauses not counted
    stopped: float = 600.0  # seconds after which one that was stopped ends
    unseen: float = 90.0  # seconds without a look after which a training that others wait behind is given up
    kept: float = 1800.0  # seconds without a look after which a toy is put away
    threads: int = min(2, os.cpu_count() or 1)  # of a training

    def __post_init__(self):
        for name in ("most_running", "most_waiting", "most_parked", "most_kept"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


@dataclass(frozen=True, eq=False)
class Look:
    """What somebody sees who looks at a training."""

    config: ToyConfig
    state: State
    sentence: str  # how it stands, in the page's language
    ahead: int  # trainings that come before it, where it waits
    number: int  # of the last report
    reports: tuple[Report, ...]  # those behind the number that was given; the last has `seen`
    saved: bool  # it can be opened


@dataclass(eq=False)
class Workshop:
    """`gone` is called with the key of each toy that is no longer there, never under the lock: it may take its time."""

    limits: Limits = Limits()
    gone: Callable[[str], None] = lambda key: None
    clock: Callable[[], float] = time.monotonic
    trainings: OrderedDict[str, Training] = field(default_factory=OrderedDict)
    waiting: deque[str] = field(default_factory=deque)
    reasons: OrderedDict[str, str] = field(default_factory=OrderedDict)  # why a key is no longer known
    root: Path | None = None  # of the toys' folders
    closed: bool = False
    departed: list[str] = field(default_factory=list)  # keys of which `gone` is to hear
    lock: RLock = field(default_factory=RLock)

    def begin(self, config: ToyConfig, visitor: str, before: str = "") -> str:
        """Gets a training into line and gives its key; one of the same visitor that is under way is given up.

        So is that of the key `before`, which the visitor had before the page was loaded anew.

        Raises ValueError where too many wait.
        """
        with self.held():
            self.sweep()
            if self.closed:
                raise ValueError(words.REFUSALS["closed"])
            own = [k for k, t in self.trainings.items() if t.is_alive and (t.visitor == visitor or k == before)]
            places = sum(key in self.waiting or self.trainings[key].is_running for key in own)  # that it gives up
            if len(self.waiting) - places >= self.limits.most_waiting:
                raise ValueError(words.REFUSALS["full"])
            for key in own:
                self.put_away(key, "replaced")
            if self.root is None:
                sweep()
                self.root = make_root()
                atexit.register(self.close)
            key = secrets.token_urlsafe(24)
            self.trainings[key] = Training(config, visitor, self.root / secrets.token_hex(8), self.clock())
            self.waiting.append(key)
            self.advance()
            return key

    def look(self, key: str, since: int = 0) -> Look:
        """How it stands, and the reports behind that number. Raises ValueError where there is no such training."""
        with self.held():
            training = self.at(key)
            ahead = self.waiting.index(key) if key in self.waiting else 0
            new = tuple(report for report in training.reports if report.number > since)
            number = training.reports[-1].number if training.reports else 0
            sentence = self.sentence(training, ahead)
            return Look(training.config, training.state, sentence, ahead, number, new, training.is_saved)

    def sentence(self, training: Training, ahead: int) -> str:
        last = training.reports[-1] if training.reports else None
        if last and training.state == "finished":
            right = math.floor(100 * last.right)  # as the page has it beside
            return words.FINISHED[str(last.why)].format(right=right, seconds=round(last.seconds))
        state = training.state if training.state != "waiting" or ahead > 1 else ("next", "second")[ahead]
        state = "stillborn" if state == "failed" and training.process is None else state
        step = last.step if last else 0
        return words.STATES[state].format(ahead=ahead, step=step, status=training.status)

    def stop(self, key: str) -> None:
        """Pauses it, and lets another one begin meanwhile; as soon as it has stopped it can be opened.

        Nothing happens to one that is over, as one may be that was under way when somebody asked, or has not begun.
        """
        with self.held():
            training = self.at(key)
            if not training.is_alive or training.process is None:
                return
            if key in self.waiting:
                self.waiting.remove(key)
                training.state = "stopped"
            training.say("stop")

    def go_on(self, key: str) -> None:
        """Gets one that was stopped into line again, unless it has ended meanwhile."""
        with self.held():
            training = self.at(key)
            if training.state == "stopped":
                training.state = "waiting"
                self.waiting.append(key)
                self.advance()
            elif training.is_running:
                training.say("go on")  # it had not stopped yet

    def leave(self, key: str) -> None:
        """Gives it up, and all that belongs to it; one that is gone stays so."""
        with self.held():
            if key in self.trainings:
                self.put_away(key, "left")

    def folder(self, key: str) -> Path:
        """Of its checkpoint. Raises ValueError where there is none, or not yet."""
        with self.held():
            training = self.at(key)
            if not training.is_saved:
                raise ValueError(words.REFUSALS["early"])
            return training.folder

    def close(self) -> None:
        """Ends all processes, waits for that, and removes all folders."""
        with self.held():
            self.closed = True
            self.waiting.clear()  # or each that is put away would let the next begin
            readers = [training.reader for training in self.trainings.values() if training.reader]
            for key in list(self.trainings):
                self.put_away(key, "closed")
        for reader in readers:
            reader.join()
        if self.root:
            shutil.rmtree(self.root, ignore_errors=True)
            atexit.unregister(self.close)

    @contextmanager
    def held(self) -> Iterator[None]:
        """The lock; of what was put away meanwhile `gone` hears when it is free again."""
        self.lock.acquire()
        try:
            yield
        finally:
            departed, self.departed = self.departed, []
            self.lock.release()
            for key in departed:
                self.gone(key)

    # What follows is called under the lock.

    def at(self, key: str) -> Training:
        """That of a key, which is looked at by this. Raises ValueError where there is none."""
        self.sweep()
        if key not in self.trainings:
            raise ValueError(words.REFUSALS[self.reasons.get(key, "unknown")])
        self.trainings[key].looked = self.clock()
        return self.trainings[key]

    def sweep(self) -> None:
        """Puts away what nobody has looked at for too long, and what has no place."""
        now = self.clock()
        for key, training in list(self.trainings.items()):
            in_the_way = (training.is_running and self.waiting) or key in self.waiting
            if now - training.looked > (self.limits.unseen if in_the_way else self.limits.kept):
                self.put_away(key, "idle")
        kept = [key for key, t in self.trainings.items() if not t.is_running and key not in self.waiting]
        kept.sort(key=lambda key: self.trainings[key].looked)
        for key in kept[: max(0, len(kept) - self.limits.most_kept)]:
            self.put_away(key, "room")

    def put_away(self, key: str, why: str) -> None:
        """Ends its process, removes its folder, and remembers why."""
        training = self.trainings.pop(key)
        if key in self.waiting:
            self.waiting.remove(key)
        if training.process:
            training.process.kill()
        shutil.rmtree(training.folder, ignore_errors=True)
        self.reasons[key] = why
        while len(self.reasons) > REMEMBERED:
            self.reasons.popitem(last=False)
        self.departed.append(key)
        self.advance()

    def advance(self) -> None:
        """Lets those begin, or go on, who have waited longest, as far as there is room."""
        while self.waiting and sum(t.is_running for t in self.trainings.values()) < self.limits.most_running:
            key = self.waiting.popleft()
            training = self.trainings[key]
            if training.process:
                training.state = "learning"
                training.say("go on")
            else:
                self.start(key, training)

    def start(self, key: str, training: Training) -> None:
        limits = self.limits
        assignment = Assignment(
            config=training.config,
            folder=training.folder,
            seconds=limits.seconds,
            idle=limits.stopped,
            threads=limits.threads,
        )
        try:
            training.start(assignment, partial(self.told, key, training), partial(self.ended, key, training))
        except OSError:  # the machine has no memory or no files left for it
            training.state = "failed"

    def make_room(self) -> None:
        """Ends those that were stopped longest ago, where too many processes stand still; they are saved, and kept."""
        parked = [t for t in self.trainings.values() if t.is_parked]
        stopped = sorted((t for t in parked if t.state == "stopped"), key=lambda t: t.stopped)
        for training in stopped[: max(0, len(parked) - self.limits.most_parked)]:
            training.ending = True
            training.say("end")

    def told(self, key: str, training: Training, report: Report) -> None:
        """Its process has sent a report."""
        with self.held():
            training.add(report)
            if report.state == "finished" and key in self.waiting:
                self.waiting.remove(key)
            if key not in self.waiting:
                training.state = report.state
            if report.state == "stopped":
                training.stopped = self.clock()
            self.make_room()
            self.sweep()
            self.advance()

    def ended(self, key: str, training: Training, status: int) -> None:
        """Its process has gone."""
        with self.held():
            training.status = status
            if key in self.waiting:
                self.waiting.remove(key)
            if key not in self.trainings:
                shutil.rmtree(training.folder, ignore_errors=True)  # it may have been saving as it was killed
            if training.state != "finished":
                training.state = "failed"
            self.advance()
