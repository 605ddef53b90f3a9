"""The page in front of replicas, which compute its answers."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from anyio import to_thread

from explorer.server.answer_service import AnswerService, AskRequest
from explorer.server.compressed_answer import CompressedAnswer, compress
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import error_json
from explorer.ui.queue import MAX_JOBS_PER_VISITOR, POSITION_SECONDS, QueueFull
from explorer.ui.queued import queue_full_message


class ReplicasFull(Exception):
    """The replicas take no more requests."""


class AdmissionControl:
    """Requests that wait for a replica: Ray bounds their number, this bounds how many of them are one visitor's."""

    def __init__(self, max_per_visitor: int = MAX_JOBS_PER_VISITOR):
        self.max_per_visitor = max_per_visitor
        self.admitted: dict[object, str] = {}  # visitors by ticket, in the order of arrival
        self.seconds = 0.1  # per request, a running mean

    def __len__(self) -> int:
        return len(self.admitted)

    @contextmanager
    def admit(self, visitor: str) -> Iterator[Callable[[], int]]:
        """Gives the block a function that returns how many earlier requests still wait. Raises QueueFull."""
        if Counter(self.admitted.values())[visitor] >= self.max_per_visitor:
            raise self.queue_full()
        ticket, started = object(), time.perf_counter()
        self.admitted[ticket] = visitor
        try:
            yield lambda: [*self.admitted].index(ticket)
        finally:
            del self.admitted[ticket]
            self.seconds += (time.perf_counter() - started - self.seconds) / 10

    def queue_full(self) -> QueueFull:
        return QueueFull(max(1.0, self.seconds))


@dataclass(frozen=True, eq=False)
class Front(AnswerService):
    """Answers from its cache, and otherwise by `forward`, which raises ReplicasFull."""

    forward: Callable[[AskRequest], Awaitable[str]] = field(kw_only=True)
    about: dict[str, Any] = field(kw_only=True, default_factory=dict)  # of the replicas, for /health
    admission: AdmissionControl = field(kw_only=True, default_factory=AdmissionControl)

    async def compute(self, request: AskRequest, sentence: str | None) -> AsyncGenerator[int | CompressedAnswer, None]:
        """As AnswerService's; after the first line a full queue is an answer."""
        with self.admission.admit(request.visitor) as ahead:
            answering = asyncio.ensure_future(self.forward(request))
            waited = False
            try:
                while not (await asyncio.wait([answering], timeout=POSITION_SECONDS))[0]:
                    yield ahead()
                    waited = True
                answer = await to_thread.run_sync(compress, answering.result())
            except ReplicasFull as error:
                full = self.admission.queue_full()
                if not waited:
                    raise full from error
                with use_language(LanguageContext(request.language)):
                    answer = compress(error_json(queue_full_message(full)))
            finally:
                answering.cancel()
        self.cache_answer(request, answer)
        yield answer

    def queue_length(self) -> int:
        return len(self.admission)

    def health(self) -> dict[str, Any]:
        return {**super().health(), **self.about}
