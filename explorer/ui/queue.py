"""The one line in which all work on the model waits, so that many visitors at once cost time and not memory.

One thread works, while there is anything to do. Visitors take turns, however much one of them asks for, and what is to
be translated is translated together with what else is waiting to be.
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

from explorer.ui.visitor import visited_by

MOST = 400  # jobs that wait: a hall of visitors
EACH = 40  # of one visitor
TOGETHER = 16  # sentences that are translated in one batch: more gain little, and all of them wait for the longest
IDLE = 5.0  # seconds without work after which the thread ends; the next job starts another
PATIENCE = 0.5  # seconds until a visitor hears how many are ahead, and between two such remarks


class Full(Exception):
    """There is no room in the line; `seconds` says when there will be."""

    def __init__(self, seconds: float):
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(eq=False)
class Job:
    """Work that somebody waits for; `sentence` has to be translated first, where that is most of it."""

    visitor: str
    work: Callable[[], Any]
    sentence: str | None = None
    context: Context = field(init=False)
    done: Future[Any] = field(default_factory=Future)

    def __post_init__(self):
        with visited_by(self.visitor):
            self.context = copy_context()

    def run(self) -> None:
        """Gives what the work gives, or what it raises, to whoever waits."""
        if self.done.done() or not self.done.set_running_or_notify_cancel():
            return  # it failed with its batch, or nobody waits any more
        try:
            self.done.set_result(self.context.run(self.work))
        except BaseException as error:
            self.done.set_exception(error)


class Line:
    """Who waits, by visitor, in the order of their turns: the one who waited longest since his last turn is first."""

    def __init__(self):
        self.waiting: OrderedDict[str, deque[Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def __contains__(self, job: Job) -> bool:
        return job in self.waiting.get(job.visitor, ())

    def of(self, visitor: str) -> int:
        """How many jobs of a visitor wait."""
        return len(self.waiting.get(visitor, ()))

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.visitor, deque()).append(job)

    def remove(self, job: Job) -> None:
        """Withdraws a job, if it still waits."""
        jobs = self.waiting.get(job.visitor, deque())
        if job in jobs:
            jobs.remove(job)
        if job.visitor in self.waiting and not jobs:
            del self.waiting[job.visitor]

    def ahead(self, job: Job) -> int:
        """How many jobs come before one that waits."""
        before, place, passed = 0, self.waiting[job.visitor].index(job), False
        for visitor, jobs in self.waiting.items():
            passed = passed or visitor == job.visitor
            before += min(len(jobs), place if passed else place + 1)
        return before

    def next(self, most: int) -> list[Job]:
        """The jobs whose turn it is: one, or those of several visitors that have a sentence each."""
        found: list[Job] = []
        for visitor, jobs in [*self.waiting.items()]:
            if found and jobs[0].sentence is None:
                continue
            found.append(jobs.popleft())
            self.waiting.move_to_end(visitor)
            if not jobs:
                del self.waiting[visitor]
            if found[0].sentence is None or len(found) == most:
                break
        return found


class Queue:
    """`together` translates the sentences of several visitors in one batch, and remembers what comes of it."""

    def __init__(self, together: Callable[[Sequence[tuple[str, str]]], None], most: int = MOST, each: int = EACH):
        self.together, self.most, self.each = together, most, each
        self.line, self.lock = Line(), Condition()
        self.working = 0  # jobs that are being done
        self.seconds = 0.05  # that a job took lately
        self.closed = False
        self.worker: Thread | None = None  # waits for the lock's news, and is none once it has ended

    def put(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None) -> Job:
        """Gets into line. Raises Full where there is no room."""
        job = Job(visitor, work, sentence)
        with self.lock:
            if self.closed or len(self.line) >= self.most or self.line.of(visitor) >= self.each:
                raise Full(max(1.0, self.seconds * len(self.line)))
            self.line.add(job)
            self.lock.notify()
            if self.worker is None:
                self.worker = Thread(target=self.run, name="model", daemon=True)  # Ctrl-C waits for none of its jobs
                self.worker.start()
        return job

    def run(self) -> None:
        """Does what waits, until nothing has come for a while."""
        while jobs := self.taken():
            self.work(jobs)

    def taken(self) -> list[Job]:
        """The jobs whose turn it is, as soon as there are any; none where the thread is to end."""
        with self.lock:
            if not self.lock.wait_for(lambda: len(self.line) or self.closed, IDLE):
                self.worker = None
            jobs = self.line.next(TOGETHER)
            self.working = len(jobs)
            return jobs

    def work(self, jobs: list[Job]) -> None:
        began = time.perf_counter()
        self.translate(jobs)
        for job in jobs:
            job.run()
            with self.lock:
                self.working -= 1
        took = (time.perf_counter() - began) / len(jobs)
        self.seconds += (took - self.seconds) / 10

    def translate(self, jobs: list[Job]) -> None:
        """The sentences of several jobs that are still waited for, in one batch; where that fails, so do they all."""
        wanted = [job for job in jobs if job.sentence is not None and not job.done.cancelled()]
        if len(wanted) < 2:
            return
        try:
            self.together([(job.visitor, job.sentence) for job in wanted if job.sentence is not None])
        except BaseException as error:
            for job in wanted:
                if job.done.set_running_or_notify_cancel():
                    job.done.set_exception(error)

    def close(self) -> None:
        """Nobody is answered any more. The job in hand is finished: a thread cannot be left in the midst of torch."""
        with self.lock:
            self.closed, worker = True, self.worker
            while jobs := self.line.next(TOGETHER):
                for job in jobs:
                    job.done.cancel()
            self.lock.notify_all()
        if worker:
            worker.join()

    def ahead(self, job: Job) -> int:
        """How many jobs come before one that waits, those being done included; none where it is among these itself."""
        with self.lock:
            return self.line.ahead(job) + self.working if job in self.line else 0

    def __len__(self) -> int:
        with self.lock:
            return len(self.line) + self.working

    async def waits(self, job: Job) -> AsyncGenerator[int, None]:
        """How many are ahead, now and then, until the job is done; who stops listening has withdrawn it."""
        done = asyncio.wrap_future(job.done)
        try:
            while not (await asyncio.wait([done], timeout=PATIENCE))[0]:
                yield self.ahead(job)
            done.exception()  # so that asyncio does not miss somebody who looks at it
        finally:
            done.cancel()
            with self.lock:
                self.line.remove(job)

    async def ask(self, work: Callable[[], Any], visitor: str = "", sentence: str | None = None) -> Any:
        """What the work gives, when its turn has come. Raises Full, or what the work raises."""
        job = self.put(work, visitor, sentence)
        async for _ in self.waits(job):
            pass
        return job.done.result()
