"""The answer service of a page that forwards requests to replicas."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from anyio import to_thread

from explorer.server.answer_service import AnswerService, AskRequest, CompressedAnswer, compress
from explorer.ui.fair_queue import FairQueue, Job
from explorer.ui.queue import (
    MAX_BATCH,
    MAX_JOBS,
    MAX_JOBS_PER_VISITOR,
    POSITION_SECONDS,
    QueueClosed,
    QueueFull,
    require_room,
)

FORWARDED_PER_REPLICA = 2 * MAX_BATCH  # at once: one batch in hand, and the next


class ReplicasFull(Exception):
    """The replicas take no more requests."""


class AdmissionControl:
    """Requests that wait for a replica, in the order of their turns (fair_queue.py): Ray's own queue knows no visitors.

    `count_replicas()` replicas get as many as they can begin soon.
    """

    def __init__(self, count_replicas: Callable[[], int], max_per_visitor: int = MAX_JOBS_PER_VISITOR):
        self.count_replicas, self.max_per_visitor = count_replicas, max_per_visitor
        self.waiting, self.lock = FairQueue(), Lock()  # `close` comes from another thread
        self.forwarded: dict[Job, float] = {}  # when, in order
        self.closed = False

    def __len__(self) -> int:
        return len(self.waiting) + len(self.forwarded)

    def admit(self, visitor: str, address: str) -> Job:
        """A job that is done when the request may be forwarded; `leave` must follow. Raises Unavailable."""
        job = Job(visitor, lambda: None, None, address)
        with self.lock:
            if self.closed:
                raise QueueClosed
            require_room(self.waiting, address, visitor, MAX_JOBS, self.max_per_visitor)
            self.waiting.add(job)
            self.advance()
        return job

    def advance(self) -> None:
        while self.waiting and len(self.forwarded) < FORWARDED_PER_REPLICA * max(1, self.count_replicas()):
            (job,) = self.waiting.pop_batch(1)
            self.forwarded[job] = time.perf_counter()
            job.run()

    def leave(self, job: Job) -> None:
        """The request is answered or withdrawn: the next one comes."""
        with self.lock:
            self.waiting.remove(job)
            if job in self.forwarded:
                self.waiting.settle(job, time.perf_counter() - self.forwarded.pop(job))
            self.advance()

    def ahead(self, job: Job) -> int:
        """Earlier requests that are not answered yet."""
        with self.lock:
            if job in self.forwarded:
                return [*self.forwarded].index(job)
            return len(self.forwarded) + self.waiting.ahead(job) if job in self.waiting else 0

    def close(self) -> None:
        """Lets waiting requests fail; forwarded ones are answered yet."""
        with self.lock:
            self.closed = True
            for job in self.waiting.order():
                self.waiting.remove(job)
                job.fail(QueueClosed())

    def queue_full(self) -> QueueFull:
        return QueueFull(max(1.0, self.waiting.seconds))


@dataclass(frozen=True, eq=False)
class ForwardingAnswerService(AnswerService):
    """Answers from its cache, else with `forward`, which may raise ReplicasFull."""

    forward: Callable[[AskRequest], Awaitable[str]] = field(kw_only=True)
    status: dict[str, Any] = field(kw_only=True, default_factory=dict)  # of the replicas, shown by /health
    admission: AdmissionControl = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "admission", AdmissionControl(lambda: self.status.get("replicas", 1)))

    async def compute(
        self, request: AskRequest, sentence: str | None, address: str
    ) -> AsyncGenerator[int | CompressedAnswer, None]:
        """Overrides AnswerService.compute."""
        job = self.admission.admit(request.visitor, address)
        pending_answer = asyncio.ensure_future(self.forward_in_turn(job, request))
        try:
            while not (await asyncio.wait([pending_answer], timeout=POSITION_SECONDS))[0]:
                yield self.admission.ahead(job)
            answer = await to_thread.run_sync(compress, pending_answer.result())
        except ReplicasFull as error:
            raise self.admission.queue_full() from error
        finally:
            pending_answer.cancel()
            self.admission.leave(job)
        self.cache_answer(request, answer)
        yield answer

    async def forward_in_turn(self, job: Job, request: AskRequest) -> str:
        await asyncio.wrap_future(job.done)
        return await self.forward(request)

    def close(self) -> None:
        super().close()
        self.admission.close()

    def queue_length(self) -> int:
        return len(self.admission)

    def health(self) -> dict[str, Any]:
        return {**super().health(), **self.status}
