"""The route by which the page asks what needs the model, POST /ask, from the request to the last byte; and GET /health.

A request is {"question": ..., "arguments": [...], "language": "en", "visitor": ...}. A cached answer is sent at once;
everything else waits in the queue. The response is lines of JSON: every line but the last is {"queue_position": 3},
sent now and then to a waiting client; the last is the answer, or {"error": a sentence}. Closing the connection
withdraws the question.
"""

import hashlib
import json
import time
import zlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from threading import Lock
from typing import Any

from anyio.lowlevel import checkpoint
from cachetools import LRUCache
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.recording.app_context import AppContext
from explorer.server import words
from explorer.server.client_address import client_address
from explorer.server.health import health
from explorer.server.http import (
    UNCACHED,
    LanguageCode,
    RequestError,
    StreamedResponse,
    accepts_gzip,
    parse_request,
    with_error_responses,
)
from explorer.server.log import log_bug, log_translation
from explorer.ui.fair_queue import Unavailable
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import StrictModel, error_json, is_error

GZIP_LEVEL = 4  # of 9; more takes longer than it saves
GZIP_WBITS = 31  # zlib's name for the format of RFC 1952
CHUNK_BYTES = 65_536  # as many as uvicorn buffers for a connection before it waits
ENTRY_BYTES = 1000  # that an entry of the cache takes besides the answer


class AskRequest(StrictModel):
    """A question of the page."""

    question: str = Field(max_length=60)
    arguments: list[Any] = Field(max_length=20)
    language: LanguageCode
    visitor: str = Field("", max_length=60)

    @property
    def key(self) -> bytes:
        """The same for equal questions, and short. Answers have no words: one is right in every language."""
        return hashlib.blake2b(json.dumps([self.question, self.arguments]).encode(), digest_size=32).digest()


@dataclass(frozen=True)
class CompressedAnswer:
    """The last line of a response, its newline included; read in chunks, to limit memory."""

    data: bytes  # gzip
    is_error: bool

    def __len__(self) -> int:
        return len(self.data)

    def __str__(self) -> str:
        """The answer without the newline."""
        return b"".join(self.plain()).decode().removesuffix("\n")

    def chunks(self) -> Iterator[bytes]:
        """The gzip bytes."""
        return (self.data[start : start + CHUNK_BYTES] for start in range(0, len(self.data), CHUNK_BYTES))

    def plain(self) -> Iterator[bytes]:
        """The line itself, in chunks."""
        decompressor = zlib.decompressobj(GZIP_WBITS)
        for chunk in self.chunks():
            while chunk:
                yield decompressor.decompress(chunk, CHUNK_BYTES)
                chunk = decompressor.unconsumed_tail
        yield decompressor.flush()


def compress(answer: str) -> CompressedAnswer:
    """Takes 3 ms for 60 kB, 9 ms for 300 kB."""
    compressor = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WBITS)
    return CompressedAnswer(compressor.compress(answer.encode() + b"\n") + compressor.flush(), is_error(answer))


class AnswerCache:
    """The answers that were asked for last, by question; the model's thread uses it too."""

    def __init__(self, max_bytes: int):
        self.answers: LRUCache[bytes, CompressedAnswer] = LRUCache(max_bytes, lambda answer: len(answer) + ENTRY_BYTES)
        self.lock = Lock()

    def get(self, request: AskRequest) -> CompressedAnswer | None:
        with self.lock:
            return self.answers.get(request.key)

    def put(self, request: AskRequest, answer: CompressedAnswer) -> None:
        """Errors are not cached: they take no time to compute, and there is no end of them."""
        if not answer.is_error:
            with self.lock, suppress(ValueError):  # larger than the whole cache
                self.answers[request.key] = answer


@dataclass(frozen=True, eq=False)
class AnswerService:
    """Answers questions about one checkpoint."""

    app: AppContext
    started: float = field(default_factory=time.time)

    @cached_property
    def cache(self) -> AnswerCache:
        return AnswerCache(self.app.recordings.share("answers"))

    async def lines(self, request: AskRequest, address: str = "") -> AsyncGenerator[str | CompressedAnswer, None]:
        """Yields the queue position as JSON now and then, and last the answer; closing it withdraws the question.

        `address` is that of the client. Raises Unavailable; before the first line UserError for an unknown
        question.
        """
        started, waiting = time.perf_counter(), self.queue_length()
        sentence = self.app.questions.sentence(request.question, request.arguments)
        answer = self.cache.get(request)
        cached = answer is not None
        if answer is None:
            async with aclosing(self.compute(request, sentence, address)) as results:
                async for answer in results:
                    if isinstance(answer, int):
                        yield json.dumps({"queue_position": answer})
        assert isinstance(answer, CompressedAnswer)
        if sentence is not None and not answer.is_error:
            seconds = time.perf_counter() - started
            log_translation(seconds=seconds, pieces=self.count_pieces(sentence), cached=cached, waiting=waiting)
        yield answer

    async def compute(
        self, request: AskRequest, sentence: str | None, address: str
    ) -> AsyncGenerator[int | CompressedAnswer, None]:
        """Yields the queue position now and then, and last the answer. Raises Unavailable."""
        scheduler = self.app.scheduler
        with use_language(LanguageContext(request.language, self.app.translator.languages)):
            job = scheduler.put(partial(self.answer, request), request.visitor, sentence, address)
        async with aclosing(scheduler.positions(job)) as positions:
            async for position in positions:
                yield position
        yield job.done.result()

    def answer(self, request: AskRequest) -> CompressedAnswer:
        """The answer, from the cache if another job has put it there meanwhile."""
        answer = self.cache.get(request)
        if answer is None:
            answer = compress(self.app.questions.answer(request.question, request.arguments))
            self.cache.put(request, answer)
        return answer

    def count_pieces(self, sentence: str) -> int:
        """Source pieces; 0 for a refused sentence, which no tokenizer may take."""
        accepted = self.app.recordings.is_accepted(sentence)
        return len(self.app.translator.tokenizer.encode(sentence)) if accepted else 0

    def queue_length(self) -> int:
        return len(self.app.scheduler.queue)

    def health(self) -> dict[str, Any]:
        return health(self.app, self.started, self.queue_length())

    def close(self) -> None:
        """Ends waiting questions with a sentence, after the work in hand; takes no more."""
        self.app.close()


def routes(service: AnswerService) -> list[Route]:
    """The routes /ask and /health, which come before Gradio's own."""

    @with_error_responses
    async def ask(http_request: Request) -> Response:
        request = await parse_request(AskRequest, http_request)
        lines = service.lines(request, client_address(http_request))
        try:
            first = await anext(lines)  # who leaves before it, at most POSITION_SECONDS, is noticed only then
        except Unavailable as error:
            raise RequestError(503, str(error), {"Retry-After": f"{error.retry_after:.0f}"}) from error
        body, headers = plain_body, UNCACHED
        if accepts_gzip(http_request.headers):
            body, headers = gzip_body, {"Content-Encoding": "gzip", **UNCACHED}
        return StreamedResponse(
            body(first, lines, request.language), media_type="application/x-ndjson", headers=headers
        )

    async def get_health(http_request: Request) -> Response:
        return JSONResponse(service.health(), headers=UNCACHED)

    return [Route("/ask", ask, methods=["POST"]), Route("/health", get_health, methods=["GET"])]


async def plain_body(
    first: str | CompressedAnswer, lines: AsyncGenerator[str | CompressedAnswer, None], language: str
) -> AsyncGenerator[bytes, None]:
    """All lines as bytes, the answer in chunks; where it cannot be computed after all, an error in its place."""
    async with aclosing(lines):
        line = first
        try:
            while isinstance(line, str):
                yield line.encode() + b"\n"
                line = await anext(lines)
        except Unavailable as error:
            with use_language(LanguageContext(language)):
                line = compress(error_json(str(error)))
        except Exception:  # as in `with_error_responses`, which is done by now
            log_bug("/ask")
            with use_language(LanguageContext(language)):
                line = compress(error_json(words.REFUSALS["bug"]))
        for chunk in line.plain():
            yield chunk


async def gzip_body(
    first: str | CompressedAnswer, lines: AsyncGenerator[str | CompressedAnswer, None], language: str
) -> AsyncGenerator[bytes, None]:
    """All lines as one gzip stream, flushed after every line (Starlette's middleware would hold lines back).

    An answer that comes first is sent as it is. Browsers stop at the end of the first gzip member, so that an answer
    which comes after other lines is compressed again together with them.
    """
    if isinstance(first, CompressedAnswer):
        async with aclosing(lines):
            for chunk in first.chunks():
                yield chunk
        return
    compressor = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WBITS)
    async with aclosing(plain_body(first, lines, language)) as plain:
        async for chunk in plain:
            yield compressor.compress(chunk) + compressor.flush(zlib.Z_SYNC_FLUSH)
            await checkpoint()  # a chunk takes 2 ms: others have their turn
    yield compressor.flush()
