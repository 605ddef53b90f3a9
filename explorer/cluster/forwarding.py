"""The answer service of a page that forwards requests to replicas."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from anyio import to_thread

from explorer.server.ask import AnswerService, AskRequest, CompressedAnswer, compress
from explorer.ui.fair_queue import MAX_JOBS_PER_VISITOR, FairQueue, Job, QueueFull
from explorer.ui.scheduler import MAX_BATCH_SIZE, POSITION_SECONDS

FORWARDED_PER_REPLICA = 2 * MAX_BATCH_SIZE  # at once: one batch in hand, and the next


class ReplicasFull(Exception):
    """The replicas take no more requests."""


class AdmissionControl(FairQueue):
    """Requests that wait for a replica, because Ray's own queue knows no visitors; forwarded ones count as running.

    `count_replicas()` replicas get as many as they can begin soon.
    """

    def __init__(self, count_replicas: Callable[[], int], max_jobs_per_visitor: int = MAX_JOBS_PER_VISITOR):
        super().__init__(max_jobs_per_visitor=max_jobs_per_visitor)
        self.count_replicas = count_replicas

    def admit(self, visitor: str, address: str) -> Job:
        """A job that is done when the request may be forwarded; `leave` must follow. Raises Unavailable."""
        job = Job(visitor, lambda: None, None, address)
        with self.lock:
            self.put(job)
            self.advance()
        return job

    def advance(self) -> None:
        while self.waiting and len(self.running) < FORWARDED_PER_REPLICA * max(1, self.count_replicas()):
            (job,) = self.get(1)
            job.run()

    def leave(self, job: Job) -> None:
        """The request is answered or withdrawn: the next one comes."""
        with self.lock:
            self.withdraw(job)
            if job in self.running:
                self.task_done(job, self.clock() - self.running[job])
            self.advance()


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
                yield self.admission.position(job)
            answer = await to_thread.run_sync(compress, pending_answer.result())
        except ReplicasFull as error:
            raise QueueFull(max(1.0, self.admission.mean_seconds)) from error
        finally:
            pending_answer.cancel()
            self.admission.leave(job)
        self.cache.put(request, answer)
        yield answer

    async def forward_in_turn(self, job: Job, request: AskRequest) -> str:
        await asyncio.wrap_future(job.done)
        return await self.forward(request)

    def close(self) -> None:
        """Overrides AnswerService.close: forwarded requests are answered yet."""
        super().close()
        self.admission.close()

    def queue_length(self) -> int:
        return len(self.admission)

    def health(self) -> dict[str, Any]:
        return {**super().health(), **self.status}
