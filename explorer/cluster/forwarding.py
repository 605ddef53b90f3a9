"""The answer service of a page that forwards requests to replicas."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from anyio import to_thread

from explorer.server.answer_service import AnswerService, AskRequest, CompressedAnswer, compress
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import error_json
from explorer.ui.queue import MAX_JOBS_PER_VISITOR, POSITION_SECONDS, QueueFull


class ReplicasFull(Exception):
    """The replicas take no more requests."""


class AdmissionControl:
    """Limits how many requests of one visitor wait for a replica; Ray limits the total."""

    def __init__(self, max_per_visitor: int = MAX_JOBS_PER_VISITOR):
        self.max_per_visitor = max_per_visitor
        self.admitted: dict[object, str] = {}  # visitors by ticket, in order of arrival
        self.mean_seconds = 0.1  # per request, running mean

    def __len__(self) -> int:
        return len(self.admitted)

    @contextmanager
    def admit(self, visitor: str) -> Iterator[Callable[[], int]]:
        """Yields a function that returns the number of earlier requests still waiting. Raises QueueFull."""
        if Counter(self.admitted.values())[visitor] >= self.max_per_visitor:
            raise self.queue_full()
        ticket, started = object(), time.perf_counter()
        self.admitted[ticket] = visitor
        try:
            yield lambda: [*self.admitted].index(ticket)
        finally:
            del self.admitted[ticket]
            self.mean_seconds += (time.perf_counter() - started - self.mean_seconds) / 10

    def queue_full(self) -> QueueFull:
        return QueueFull(max(1.0, self.mean_seconds))


@dataclass(frozen=True, eq=False)
class ForwardingAnswerService(AnswerService):
    """Answers from its cache, else with `forward`, which may raise ReplicasFull."""

    forward: Callable[[AskRequest], Awaitable[str]] = field(kw_only=True)
    status: dict[str, Any] = field(kw_only=True, default_factory=dict)  # of the replicas, shown by /health
    admission: AdmissionControl = field(kw_only=True, default_factory=AdmissionControl)

    async def compute(self, request: AskRequest, sentence: str | None) -> AsyncGenerator[int | CompressedAnswer, None]:
        """Overrides AnswerService.compute. Once a line is sent, a full queue becomes an error answer."""
        with self.admission.admit(request.visitor) as ahead:
            pending_answer = asyncio.ensure_future(self.forward(request))
            has_yielded = False
            try:
                while not (await asyncio.wait([pending_answer], timeout=POSITION_SECONDS))[0]:
                    yield ahead()
                    has_yielded = True
                answer = await to_thread.run_sync(compress, pending_answer.result())
            except ReplicasFull as error:
                full = self.admission.queue_full()
                if not has_yielded:
                    raise full from error
                with use_language(LanguageContext(request.language)):
                    answer = compress(error_json(str(full)))
            finally:
                pending_answer.cancel()
        self.cache_answer(request, answer)
        yield answer

    def queue_length(self) -> int:
        return len(self.admission)

    def health(self) -> dict[str, Any]:
        return {**super().health(), **self.status}
