"""Who comes next: the address that has used least of the model's time, and at it the visitor who has.

A name costs nothing, so names alone share nothing out. Visitors who have been served before have a turn each; all
newcomers of an address have one together. Whoever comes under ever new names so has a newcomer's turn, at an address
of its own or beside others.
"""

import itertools
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache

BACKGROUND_VISITOR = "background"  # of what pages ask without being told to: its turn comes after all others'
NEWCOMERS = None  # the member of an address that stands for all of them; no visitor's name
MAX_REGULARS = 10_000  # visitors that are remembered
MAX_TIMES = 3000  # addresses and their newcomers whose use is remembered
MIN_SECONDS = 0.005  # a job counts as at least so much work; one with less makes nobody a regular
REGULARS_SECONDS = 10.0  # after the last regular was served, in which another may come
NEWCOMERS_BESIDE = 2  # of an address in a batch while regulars may come, who would wait for the whole batch

Path = tuple[Hashable, ...]
numbers = itertools.count()


@dataclass(eq=False)
class Job:
    """Work that a visitor waits for; `sentence` is to be translated first, where that is most of the work."""

    visitor: str
    work: Callable[[], Any]
    sentence: str | None = None
    address: str = ""
    context: Context = field(default_factory=copy_context)
    done: Future[Any] = field(default_factory=Future)
    number: int = field(default_factory=numbers.__next__)
    path: Path = ()  # address and visitor, with NEWCOMERS between them
    rivals: tuple[int, ...] = ()  # members of each group on the path that waited as it began, itself included
    expected: float = 0.0  # seconds of work with which it was charged then

    def run(self) -> None:
        """Sets the result or the exception of the work."""
        if self.done.done() or not self.done.set_running_or_notify_cancel():
            return  # it failed with its batch, or was cancelled
        try:
            self.done.set_result(self.context.run(self.work))
        except BaseException as error:
            self.done.set_exception(error)

    def fail(self, error: BaseException) -> None:
        """Sets the exception, unless it is done or was cancelled."""
        if not self.done.done() and self.done.set_running_or_notify_cancel():
            self.done.set_exception(error)


class FairTime:
    """Fair queueing between the members of one group, in seconds of work (Demers, Keshav and Shenker, 1989).

    The present goes on by the share of each member that waits. Who was idle begins at the present: nobody saves up
    turns, and nobody waits for what others have asked for before.
    """

    def __init__(self):
        self.now = 0.0
        self.used: dict[Hashable, float] = {}  # by those who are ahead of the present

    def start(self, member: Hashable) -> float:
        """When the next job of a member begins; the least comes first."""
        return max(self.now, self.used.get(member, 0.0))

    def charge(self, member: Hashable, seconds: float) -> None:
        self.used[member] = self.start(member) + seconds

    def advance(self, seconds: float) -> None:
        """Moves the present on, and forgets who is not ahead of it any more."""
        self.now += seconds
        self.used = {one: used for one, used in self.used.items() if used > self.now}


class FairQueue:
    """Waiting jobs in the order of their turns. Jobs in the background wait until there are no others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.jobs: dict[Job, None] = {}  # as they came
        self.seconds = 0.05  # of work for a job, a running mean
        self.times: LRUCache[Path, FairTime] = LRUCache(MAX_TIMES)
        self.regulars: LRUCache[tuple[str, str], None] = LRUCache(MAX_REGULARS)
        self.regular_served = -REGULARS_SECONDS  # by the clock
        self.ordered: list[Job] | None = []

    def __len__(self) -> int:
        return len(self.jobs)

    def __contains__(self, job: Job) -> bool:
        return job in self.jobs

    def count(self, address: str, visitor: str | None = None) -> int:
        """Jobs of an address that wait, or of one of its visitors."""
        return sum(job.address == address and visitor in (None, job.visitor) for job in self.jobs)

    def is_regular(self, address: str, visitor: str) -> bool:
        return (address, visitor) in self.regulars

    def add(self, job: Job) -> None:
        self.jobs[job], self.ordered = None, None

    def remove(self, job: Job) -> None:
        """Withdraws a job if it still waits."""
        if job in self.jobs:
            del self.jobs[job]
            self.ordered = None

    def order(self) -> list[Job]:
        """All jobs in the order of their turns."""
        if self.ordered is None:
            for job in self.jobs:
                newcomer = () if self.is_regular(job.address, job.visitor) else (NEWCOMERS,)
                job.path = (job.address, *newcomer, job.visitor)
            background = [job for job in self.jobs if job.visitor == BACKGROUND_VISITOR]
            others = [job for job in self.jobs if job.visitor != BACKGROUND_VISITOR]
            self.ordered = self.ranked(others) + self.ranked(background)
        return self.ordered

    def ranked(self, jobs: Iterable[Job], group: Path = ()) -> list[Job]:
        """The jobs of a group in order, as if each took the mean time."""
        members: dict[Hashable, list[Job]] = {}
        for job in jobs:
            members.setdefault(job.path[len(group)], []).append(job)
        ranks: list[tuple[float, int, Job]] = []
        for member, theirs in members.items():
            path, start = (*group, member), self.time_of(group).start(member)
            theirs = theirs if path == theirs[0].path else self.ranked(theirs, path)
            ranks += [(start + place * self.seconds, job.number, job) for place, job in enumerate(theirs)]
        return [job for *_, job in sorted(ranks, key=lambda rank: rank[:2])]

    def time_of(self, group: Path) -> FairTime:
        if group not in self.times:
            self.times[group] = FairTime()
        return self.times[group]

    def ahead(self, job: Job) -> int:
        """Jobs that come before one that waits."""
        return self.order().index(job)

    def pop_batch(self, max_size: int) -> list[Job]:
        """The next jobs: a single one, or those of several visitors that have a sentence each."""
        batch: list[Job] = []
        for job in self.order():
            if batch and not self.fits(job, batch):
                continue
            batch.append(job)
            if job.sentence is None or len(batch) == max_size:
                break
        members = self.count_members()
        for job in batch:
            self.remove(job)
            job.expected = self.seconds
            job.rivals = tuple(members[job.path[:depth]] for depth in range(len(job.path)))
            for depth, member in enumerate(job.path):
                self.time_of(job.path[:depth]).charge(member, self.seconds)
        return batch

    def count_members(self) -> Counter[Path]:
        """How many members of each group have waiting jobs."""
        paths = {job.path[: depth + 1] for job in self.jobs for depth in range(len(job.path))}
        return Counter(path[:-1] for path in paths)

    def fits(self, job: Job, batch: list[Job]) -> bool:
        """Whether a job may be done with those of a batch: no visitor has two, and newcomers leave it short."""
        if job.sentence is None or job.path in [other.path for other in batch]:
            return False
        group, expects = job.path[:-1], self.clock() - self.regular_served < REGULARS_SECONDS
        is_newcomer = NEWCOMERS in group
        return not (expects and is_newcomer) or Counter(one.path[:-1] for one in batch)[group] < NEWCOMERS_BESIDE

    def settle(self, job: Job, seconds: float) -> None:
        """Charges what a job has really taken. Its visitor is a regular from now on."""
        used = max(seconds, MIN_SECONDS)
        for depth, member in enumerate(job.path):
            share = self.time_of(job.path[:depth])
            share.charge(member, used - job.expected)
            share.advance(used / job.rivals[depth])
        self.seconds += (seconds - self.seconds) / 10
        self.ordered = None
        if NEWCOMERS not in job.path:
            self.regular_served = self.clock()
        elif seconds >= MIN_SECONDS:
            share = self.time_of((job.address,))
            share.used[job.visitor] = share.start(NEWCOMERS) + seconds  # those who still are newcomers come first
        else:
            return
        self.regulars[job.address, job.visitor] = None
