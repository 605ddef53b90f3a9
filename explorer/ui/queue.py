"""The queue for all work on the model, so that many simultaneous visitors cost time but not memory.

One thread works while there are jobs. Visitors take turns, however many jobs one of them has, and waiting
sentences of several visitors are translated in one batch.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from explorer.ui import words

MAX_JOBS = 400  # waiting; enough for a class
MAX_JOBS_PER_VISITOR = 40
MAX_BATCH = 16  # sentences translated together: more gain little, and all of them wait for the longest
IDLE_SECONDS = 5.0  # without work, after which the thread ends; the next job starts another
BACKGROUND_VISITOR = "background"  # of what pages ask without being told to: its turn comes after all others'
POSITION_SECONDS = 0.5  # between two reports of a job's position in the queue


class QueueFull(Exception):
    """The queue takes no more jobs; `seconds` estimates when it will."""

    def __init__(self, seconds: float):
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        """A sentence for the visitor, in the current language."""
        return words.REFUSALS["full"].format(seconds=round(self.seconds))


@dataclass(eq=False)
class Job:
    """Work that a visitor waits for; `sentence` is to be translated first, where that is most of the work."""

    visitor: str
    work: Callable[[], Any]
    sentence: str | None = None
    context: Context = field(default_factory=copy_context)
    done: Future[Any] = field(default_factory=Future)

    def run(self) -> None:
        """Sets the result or the exception of the work."""
        if self.done.done() or not self.done.set_running_or_notify_cancel():
            return  # it failed with its batch, or was cancelled
        try:
            self.done.set_result(self.context.run(self.work))
        except BaseException as error:
            self.done.set_exception(error)


class FairQueue:
    """Waiting jobs per visitor, in round-robin order: first the visitor whose last turn is longest ago.

    Jobs in the background wait until there are no others.
    """

    def __init__(self):
        self.waiting: OrderedDict[str, deque[Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def __contains__(self, job: Job) -> bool:
        return job in self.waiting.get(job.visitor, ())

    def count(self, visitor: str) -> int:
        """Jobs of a visitor that wait."""
        return len(self.waiting.get(visitor, ()))

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.visitor, deque()).append(job)

    def remove(self, job: Job) -> None:
        """Withdraws a job if it still waits."""
        jobs = self.waiting.get(job.visitor, deque())
        if job in jobs:
            jobs.remove(job)
        if job.visitor in self.waiting and not jobs:
            del self.waiting[job.visitor]

    def turns(self) -> list[tuple[str, deque[Job]]]:
        """All visitors with their jobs, in the order of their turns."""
        return sorted(self.waiting.items(), key=lambda entry: entry[0] == BACKGROUND_VISITOR)

    def ahead(self, job: Job) -> int:
        """Jobs that come before one that waits."""
        before, place, passed = 0, self.waiting[job.visitor].index(job), False
        if job.visitor == BACKGROUND_VISITOR:
            return len(self) - self.count(job.visitor) + place
        for visitor, jobs in self.turns():
            if visitor == BACKGROUND_VISITOR:
                break
            passed = passed or visitor == job.visitor
            before += min(len(jobs), place if passed else place + 1)
        return before

    def pop_batch(self, max_size: int) -> list[Job]:
        """The next jobs: a single one, or those of several visitors that have a sentence each."""
        batch: list[Job] = []
        for visitor, jobs in self.turns():
            if batch and jobs[0].sentence is None:
                continue
            batch.append(jobs.popleft())
            self.waiting.move_to_end(visitor)
            if not jobs:
                del self.waiting[visitor]
            if batch[0].sentence is None or len(batch) == max_size:
                break
        return batch


class Scheduler:
    """Runs jobs one after the other; `translate_batch` translates and caches the sentences of several jobs at once."""

    def __init__(
        self,
        translate_batch: Callable[[Sequence[str]], None],
        max_jobs: int = MAX_JOBS,
        max_jobs_per_visitor: int = MAX_JOBS_PER_VISITOR,
    ):
        self.translate_batch = translate_batch
        self.max_jobs, self.max_jobs_per_visitor = max_jobs, max_jobs_per_visitor
        self.waiting, self.lock = FairQueue(), Condition()
        self.running = 0  # jobs of the batch in hand
        self.seconds = 0.05  # per job, a running mean
        self.closed = False
        self.worker: Thread | None = None

    def put(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None) -> Job:
        """Adds a job. Raises QueueFull."""
        job = Job(visitor, work, sentence)
        with self.lock:
            is_full = len(self.waiting) >= self.max_jobs or self.waiting.count(visitor) >= self.max_jobs_per_visitor
            if self.closed or is_full:
                raise QueueFull(max(1.0, self.seconds * len(self.waiting)))
            self.waiting.add(job)
            self.lock.notify()
            if self.worker is None:
                self.worker = Thread(target=self.run, name="model", daemon=True)  # Ctrl-C does not wait for its jobs
                self.worker.start()
        return job

    def run(self) -> None:
        """Runs jobs until none has come for a while."""
        while jobs := self.next_batch():
            self.run_batch(jobs)

    def next_batch(self) -> list[Job]:
        """Waits for jobs; empty when the thread is to end."""
        with self.lock:
            if not self.lock.wait_for(lambda: len(self.waiting) or self.closed, IDLE_SECONDS):
                self.worker = None
            jobs = self.waiting.pop_batch(MAX_BATCH)
            self.running = len(jobs)
            return jobs

    def run_batch(self, jobs: list[Job]) -> None:
        started = time.perf_counter()
        self.translate(jobs)
        for job in jobs:
            job.run()
            with self.lock:
                self.running -= 1
        seconds = (time.perf_counter() - started) / len(jobs)
        self.seconds += (seconds - self.seconds) / 10

    def translate(self, jobs: list[Job]) -> None:
        """Translates the sentences of several jobs that still wait; where that fails, all of them fail."""
        wanted = [job for job in jobs if job.sentence is not None and not job.done.cancelled()]
        if len(wanted) < 2:
            return
        try:
            self.translate_batch([job.sentence for job in wanted if job.sentence is not None])
        except BaseException as error:
            for job in wanted:
                if job.done.set_running_or_notify_cancel():
                    job.done.set_exception(error)

    def close(self) -> None:
        """Cancels waiting jobs and finishes the batch in hand: a thread cannot be left in the middle of torch."""
        with self.lock:
            self.closed, worker = True, self.worker
            while jobs := self.waiting.pop_batch(MAX_BATCH):
                for job in jobs:
                    job.done.cancel()
            self.lock.notify_all()
        if worker:
            worker.join()

    def ahead(self, job: Job) -> int:
        """Jobs that come before one that waits, running ones included; 0 for a running job."""
        with self.lock:
            return self.waiting.ahead(job) + self.running if job in self.waiting else 0

    def __len__(self) -> int:
        with self.lock:
            return len(self.waiting) + self.running

    async def positions(self, job: Job) -> AsyncGenerator[int, None]:
        """Yields now and then how many jobs are ahead, until the job is done; closing it withdraws the job."""
        done = asyncio.wrap_future(job.done)
        try:
            while not (await asyncio.wait([done], timeout=POSITION_SECONDS))[0]:
                yield self.ahead(job)
            done.exception()  # retrieved, so that asyncio does not warn about it
        finally:
            done.cancel()
            with self.lock:
                self.waiting.remove(job)

    async def result_of(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None) -> Any:
        """The result of the work, when its turn has come. Raises QueueFull, or what the work raises."""
        job = self.put(work, visitor, sentence)
        async for _ in self.positions(job):
            pass
        return job.done.result()
