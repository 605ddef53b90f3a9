"""Does all work on the model in one thread, so that many simultaneous visitors cost time but not memory.

Jobs wait in a fair queue; waiting sentences of several visitors are translated in one batch.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from threading import Thread
from typing import Any

from explorer.ui.fair_queue import FairQueue, Job

MAX_BATCH_SIZE = 16  # sentences translated together: more gain little, and all of them wait for the longest
IDLE_SECONDS = 5.0  # without work, after which the thread ends; the next job starts another
POSITION_SECONDS = 0.5  # between two reports of a job's queue position


class Scheduler:
    """Runs jobs one after the other; `translate_batch` translates and caches the sentences of several jobs at once."""

    def __init__(self, translate_batch: Callable[[Sequence[str]], None], queue: FairQueue | None = None):
        self.translate_batch = translate_batch
        self.queue = FairQueue() if queue is None else queue
        self.worker: Thread | None = None

    def put(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None, address: str = "") -> Job:
        """Adds a job of a visitor at an address. Raises QueueFull or QueueClosed."""
        job = Job(visitor, work, sentence, address)
        with self.queue.lock:
            self.queue.put(job)
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
        with self.queue.lock:
            jobs = self.queue.get(MAX_BATCH_SIZE, IDLE_SECONDS)
            if not jobs:
                self.worker = None
            return jobs

    def run_batch(self, jobs: list[Job]) -> None:
        clock = self.queue.clock
        started = clock()
        self.translate(jobs)
        seconds_each = (clock() - started) / len(jobs)
        for job in jobs:
            started = clock()
            job.run()
            self.queue.task_done(job, seconds_each + clock() - started)

    def translate(self, jobs: list[Job]) -> None:
        """Translates the sentences of several jobs that still wait; where that fails, all of them fail."""
        sentences = {job: job.sentence for job in jobs if job.sentence is not None and not job.done.cancelled()}
        if len(sentences) < 2:
            return
        try:
            self.translate_batch([*sentences.values()])
        except BaseException as error:
            for job in sentences:
                job.fail(error)

    def close(self) -> None:
        """Lets waiting jobs fail and finishes the batch in hand: a thread cannot be left in the middle of torch."""
        worker = self.worker
        self.queue.close()
        if worker:
            worker.join()

    async def positions(self, job: Job) -> AsyncGenerator[int, None]:
        """Yields the queue position of a job now and then, until it is done; closing it withdraws the job."""
        done = asyncio.wrap_future(job.done)
        try:
            while not (await asyncio.wait([done], timeout=POSITION_SECONDS))[0]:
                yield self.queue.position(job)
            done.exception()  # retrieved, so that asyncio does not warn about it
        finally:
            done.cancel()
            self.queue.withdraw(job)

    async def result_of(self, work: Callable[[], Any], visitor: str = "", address: str = "") -> Any:
        """The result of the work, when its turn has come. Raises Unavailable, or what the work raises."""
        job = self.put(work, visitor, address=address)
        async for _ in self.positions(job):
            pass
        return job.done.result()
