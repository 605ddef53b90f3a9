"""The queue for all work on the model, so that many simultaneous visitors cost time but not memory.

One thread works while there are jobs. Visitors take turns (fair_queue.py), and waiting sentences of several visitors
are translated in one batch.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from threading import Condition, Thread
from typing import Any

from explorer.ui import words
from explorer.ui.fair_queue import FairQueue, Job

MAX_JOBS = 1200  # waiting; of one address at most half of them, of its newcomers a third: enough for a class
MAX_JOBS_PER_VISITOR = 40
MAX_BATCH = 16  # sentences translated together: more gain little, and all of them wait for the longest
IDLE_SECONDS = 5.0  # without work, after which the thread ends; the next job starts another
POSITION_SECONDS = 0.5  # between two reports of a job's position in the queue
RESTART_SECONDS = 10.0  # after which a server that stops may be there again


class Unavailable(Exception):
    """A job is not done; `seconds` estimates when it is worth trying again.

    As text it is a sentence for the visitor, in the current language.
    """

    reason: str

    def __init__(self, seconds: float):
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return words.REFUSALS[self.reason].format(seconds=round(self.seconds))


class QueueFull(Unavailable):
    """The queue takes no more jobs."""

    reason = "full"


class QueueClosed(Unavailable):
    """The server stops."""

    reason = "stopping"

    def __init__(self):
        super().__init__(RESTART_SECONDS)


def require_room(waiting: FairQueue, address: str, visitor: str, max_jobs: int, max_jobs_per_visitor: int) -> None:
    """Raises QueueFull where a visitor has too many jobs, or an address as many as there are free places.

    So nobody fills the queue. Newcomers leave half of the places of their address to regulars.
    """
    free = max_jobs - len(waiting)
    room = free if waiting.is_regular(address, visitor) else free // 2
    if waiting.count(address) >= room or waiting.count(address, visitor) >= max_jobs_per_visitor:
        raise QueueFull(max(1.0, waiting.seconds * len(waiting)))


class Scheduler:
    """Runs jobs one after the other; `translate_batch` translates and caches the sentences of several jobs at once."""

    def __init__(
        self,
        translate_batch: Callable[[Sequence[str]], None],
        max_jobs: int = MAX_JOBS,
        max_jobs_per_visitor: int = MAX_JOBS_PER_VISITOR,
        clock: Callable[[], float] = time.perf_counter,
    ):
        self.translate_batch = translate_batch
        self.max_jobs, self.max_jobs_per_visitor = max_jobs, max_jobs_per_visitor
        self.waiting, self.lock, self.clock = FairQueue(clock), Condition(), clock
        self.running = 0  # jobs of the batch in hand
        self.closed = False
        self.worker: Thread | None = None

    def put(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None, address: str = "") -> Job:
        """Adds a job of a visitor at an address. Raises QueueFull or QueueClosed."""
        job = Job(visitor, work, sentence, address)
        with self.lock:
            if self.closed:
                raise QueueClosed
            require_room(self.waiting, address, visitor, self.max_jobs, self.max_jobs_per_visitor)
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
        started = self.clock()
        self.translate(jobs)
        for job in jobs:
            job.run()
            with self.lock:
                self.running -= 1
        seconds = (self.clock() - started) / len(jobs)
        with self.lock:
            for job in jobs:
                self.waiting.settle(job, seconds)

    def translate(self, jobs: list[Job]) -> None:
        """Translates the sentences of several jobs that still wait; where that fails, all of them fail."""
        wanted = [job for job in jobs if job.sentence is not None and not job.done.cancelled()]
        if len(wanted) < 2:
            return
        try:
            self.translate_batch([job.sentence for job in wanted if job.sentence is not None])
        except BaseException as error:
            for job in wanted:
                job.fail(error)

    def close(self) -> None:
        """Lets waiting jobs fail and finishes the batch in hand: a thread cannot be left in the middle of torch."""
        with self.lock:
            self.closed, worker = True, self.worker
            for job in self.waiting.order():
                self.waiting.remove(job)
                job.fail(QueueClosed())
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

    async def result_of(self, work: Callable[[], Any], visitor: str = "", address: str = "") -> Any:
        """The result of the work, when its turn has come. Raises Unavailable, or what the work raises."""
        job = self.put(work, visitor, address=address)
        async for _ in self.positions(job):
            pass
        return job.done.result()
