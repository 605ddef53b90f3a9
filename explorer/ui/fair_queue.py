"""The bounded queue of all work on the model: the address that has used least of its time comes first, and at an
address the visitor who has.

A name costs nothing, so names alone share nothing out. Visitors who have been served before (regulars) have a turn
each; all newcomers of an address have one together. Whoever comes under ever new names so has a newcomer's turn, at an
address of its own or beside others.
"""

import itertools
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from threading import Condition
from typing import Any

from cachetools import LRUCache

from explorer.ui import words

BACKGROUND_VISITOR = "background"  # of what pages ask without being told to: its turn comes after all others'
MAX_JOBS = 1200  # waiting; of one address at most half of them, of its newcomers a third: enough for a class
MAX_JOBS_PER_VISITOR = 40
MAX_REGULARS = 10_000  # visitors that are remembered
MAX_GROUPS = 3000  # addresses and their newcomers whose use is remembered
NEWCOMERS = None  # the member of an address that stands for all of them; no visitor's name
NEWCOMERS_BESIDE = 2  # of an address in a batch while regulars may come, who would wait for the whole batch
REGULARS_SECONDS = 10.0  # after the last regular was served, in which another may come
MIN_SECONDS = 0.005  # a job counts as at least so much work; one with less makes nobody a regular
RESTART_SECONDS = 10.0  # after which a server that stops may be there again

Path = tuple[Hashable, ...]
numbers = itertools.count()


class Unavailable(Exception):
    """A job is not done; `retry_after` estimates the seconds after which it is worth trying again.

    As text it is a sentence for the visitor, in the current language.
    """

    reason: str

    def __init__(self, retry_after: float):
        super().__init__(retry_after)
        self.retry_after = retry_after

    def __str__(self) -> str:
        return words.REFUSALS[self.reason].format(seconds=round(self.retry_after))


class QueueFull(Unavailable):
    """The queue takes no more jobs."""

    reason = "full"


class QueueClosed(Unavailable):
    """The server stops."""

    reason = "stopping"

    def __init__(self):
        super().__init__(RESTART_SECONDS)


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
    expected: float = 0.0  # seconds of work with which it was charged as it began
    rivals: tuple[int, ...] = ()  # members of each group on the path that waited then, its own included

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


class VirtualTime:
    """Fair queueing between the members of one group, in seconds of work (Demers, Keshav and Shenker, 1989).

    The present goes on by the share of each member that waits. Whoever was idle begins at the present: nobody saves up
    turns, and nobody waits for what others have asked for before.
    """

    def __init__(self):
        self.now = 0.0
        self.members = 0  # that waited as the group was last put in order
        self.finish: dict[Hashable, float] = {}  # of those who are ahead of the present

    def start(self, member: Hashable) -> float:
        """When the next job of a member begins; the least comes first."""
        return max(self.now, self.finish.get(member, 0.0))

    def charge(self, member: Hashable, seconds: float) -> None:
        self.finish[member] = self.start(member) + seconds

    def advance(self, seconds: float) -> None:
        """Moves the present on, and forgets who is not ahead of it any more."""
        self.now += seconds
        self.finish = {member: finish for member, finish in self.finish.items() if finish > self.now}


class FairQueue:
    """Jobs that wait, in the order of their turns, and jobs that run. Its methods are those of queue.Queue."""

    def __init__(
        self,
        max_jobs: int = MAX_JOBS,
        max_jobs_per_visitor: int = MAX_JOBS_PER_VISITOR,
        clock: Callable[[], float] = time.perf_counter,
    ):
        self.max_jobs, self.max_jobs_per_visitor, self.clock = max_jobs, max_jobs_per_visitor, clock
        self.lock = Condition()  # reentrant; for users too
        self.closed = False
        self.waiting: dict[Job, None] = {}  # as they came
        self.running: dict[Job, float] = {}  # with the time at which they began
        self.ordered: list[Job] | None = []
        self.mean_seconds = 0.05  # of work for a job, lately
        self.times: LRUCache[Path, VirtualTime] = LRUCache(MAX_GROUPS)
        self.regulars: LRUCache[tuple[str, str], None] = LRUCache(MAX_REGULARS)
        self.regular_served = -REGULARS_SECONDS  # by the clock

    def __len__(self) -> int:
        """Jobs that wait or run."""
        with self.lock:
            return len(self.waiting) + len(self.running)

    def put(self, job: Job) -> None:
        """Raises QueueClosed, or QueueFull where a visitor has too many jobs, or an address as many as places are free.

        So nobody fills the queue. Newcomers leave half of the places of their address to regulars.
        """
        with self.lock:
            if self.closed:
                raise QueueClosed
            free = self.max_jobs - len(self.waiting)
            if not self.is_regular(job):
                free //= 2
            visitors = [other.visitor for other in self.waiting if other.address == job.address]
            if len(visitors) >= free or visitors.count(job.visitor) >= self.max_jobs_per_visitor:
                raise QueueFull(max(1.0, self.mean_seconds * len(self.waiting)))
            self.waiting[job], self.ordered = None, None
            self.lock.notify()

    def get(self, max_size: int, timeout: float = 0.0) -> list[Job]:
        """The next jobs: one without a sentence, or those of several visitors that have one each.

        Empty where no job comes within the seconds of `timeout`, or the queue is closed.
        """
        with self.lock:
            self.lock.wait_for(lambda: self.waiting or self.closed, timeout)
            batch: list[Job] = []
            for job in self.order():
                if batch and not self.fits(job, batch):
                    continue
                batch.append(job)
                if job.sentence is None or len(batch) == max_size:
                    break
            for job in batch:
                self.withdraw(job)
                self.running[job], job.expected = self.clock(), self.mean_seconds
                for group_time, member in self.groups_of(job):
                    job.rivals += (group_time.members,)
                    group_time.charge(member, job.expected)
            return batch

    def fits(self, job: Job, batch: list[Job]) -> bool:
        """Whether a job may be done with those of a batch: no visitor has two, and newcomers leave it short."""
        if job.sentence is None or job.path in [other.path for other in batch]:
            return False
        if NEWCOMERS not in job.path or self.clock() - self.regular_served >= REGULARS_SECONDS:
            return True
        return Counter(other.path[:-1] for other in batch)[job.path[:-1]] < NEWCOMERS_BESIDE

    def task_done(self, job: Job, seconds: float) -> None:
        """Charges a job that has run with the work that it took. Its visitor is a regular from now on."""
        used = max(seconds, MIN_SECONDS)
        with self.lock:
            del self.running[job]
            for (group_time, member), rivals in zip(self.groups_of(job), job.rivals, strict=True):
                group_time.charge(member, used - job.expected)
                group_time.advance(used / rivals)
            self.mean_seconds += (seconds - self.mean_seconds) / 10
            self.ordered = None
            if NEWCOMERS not in job.path:
                self.regular_served = self.clock()
            elif seconds >= MIN_SECONDS:  # those who still are newcomers come first
                address_time = self.time_of((job.address,))
                address_time.finish[job.visitor] = address_time.start(NEWCOMERS) + seconds
            else:
                return
            self.regulars[job.address, job.visitor] = None

    def withdraw(self, job: Job) -> None:
        """Removes a job if it still waits."""
        with self.lock:
            if job in self.waiting:
                del self.waiting[job]
                self.ordered = None

    def position(self, job: Job) -> int:
        """How many jobs come before one that waits or runs; 0 for one that is done."""
        with self.lock:
            jobs = [*self.running, *self.order()]
            return jobs.index(job) if job in jobs else 0

    def close(self) -> None:
        """Takes no more jobs, and lets those that wait fail."""
        with self.lock:
            self.closed = True
            for job in self.order():
                self.withdraw(job)
                job.fail(QueueClosed())
            self.lock.notify_all()

    def is_regular(self, job: Job) -> bool:
        return (job.address, job.visitor) in self.regulars

    def order(self) -> list[Job]:
        """All waiting jobs in the order of their turns."""
        if self.ordered is None:
            for job in self.waiting:
                job.path = (job.address, *(() if self.is_regular(job) else (NEWCOMERS,)), job.visitor)
            self.ordered = self.ranked(self.waiting)
        return self.ordered

    def ranked(self, jobs: Iterable[Job], group: Path = ()) -> list[Job]:
        """The jobs of a group in order, as if each took the mean time; those in the background come last."""
        members: dict[Hashable, list[Job]] = {}
        for job in jobs:
            members.setdefault(job.path[len(group)], []).append(job)
        group_time = self.time_of(group)
        group_time.members = len(members)
        ranks: list[tuple[bool, float, int, Job]] = []
        for member, theirs in members.items():
            path, start = (*group, member), group_time.start(member)
            theirs = theirs if path == theirs[0].path else self.ranked(theirs, path)
            for index, job in enumerate(theirs):
                ranks.append((job.visitor == BACKGROUND_VISITOR, start + index * self.mean_seconds, job.number, job))
        return [job for *_, job in sorted(ranks, key=lambda rank: rank[:3])]

    def groups_of(self, job: Job) -> list[tuple[VirtualTime, Hashable]]:
        """The time of each group on the path of a job, with the member of the group that it belongs to."""
        return [(self.time_of(job.path[:depth]), member) for depth, member in enumerate(job.path)]

    def time_of(self, group: Path) -> VirtualTime:
        if group not in self.times:
            self.times[group] = VirtualTime()
        return self.times[group]
