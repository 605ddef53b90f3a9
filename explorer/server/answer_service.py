"""Answers the page's requests: cached answers at once, everything else through the queue.

An answer is compressed once and read in chunks, to limit memory.
"""

import hashlib
import json
import time
import tomllib
import zlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from cachetools import LRUCache
from pydantic import AfterValidator, Field

from explorer.files.export_trace import describe_model
from explorer.recording.app_context import AppContext
from explorer.server import words
from explorer.server.log import log_translation
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import StrictModel, error_json, is_error
from explorer.ui.queue import Unavailable

GZIP_LEVEL = 4  # of 9; more takes longer than it saves
GZIP_WBITS = 31  # zlib's name for the format of RFC 1952
CHUNK_BYTES = 65_536  # as many as uvicorn buffers for a connection before it waits
PROGRAM = "attention-explorer"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
MAX_CACHE_BYTES = 64_000_000  # of compressed answers; a translation of 16 pieces has 50,000
ENTRY_BYTES = 1000  # that an entry of the cache takes besides the answer


@dataclass(frozen=True)
class CompressedAnswer:
    """The last line of a response, its newline included."""

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


def validate_language(language: str) -> str:
    """Raises ValueError for a language that the page does not have."""
    if language not in LANGUAGES:
        raise ValueError(words.REFUSALS["language"].format(languages=", ".join(LANGUAGES)))
    return language


class AskRequest(StrictModel):
    """A question of the page."""

    question: str = Field(max_length=60)
    given: list[Any] = Field(max_length=20)  # its arguments
    language: Annotated[str, AfterValidator(validate_language)]
    visitor: str = Field("", max_length=60)

    @property
    def key(self) -> bytes:
        """The same for equal questions, and short."""
        return hashlib.blake2b(json.dumps([self.question, self.given, self.language]).encode(), digest_size=32).digest()


def answer_cache(max_bytes: int = MAX_CACHE_BYTES) -> LRUCache[bytes, CompressedAnswer]:
    return LRUCache(max_bytes, lambda answer: len(answer) + ENTRY_BYTES)


@dataclass(frozen=True, eq=False)
class AnswerService:
    """Answers questions about one checkpoint."""

    app: AppContext
    started: float = field(default_factory=time.time)
    cache: LRUCache[bytes, CompressedAnswer] = field(default_factory=answer_cache)
    lock: Lock = field(default_factory=Lock)  # of the cache, which the model's thread uses too

    async def lines(self, request: AskRequest, address: str = "") -> AsyncGenerator[str | CompressedAnswer, None]:
        """Yields how many jobs are ahead, now and then, and last the answer; closing it withdraws the question.

        `address` is that of the client. Before the first line it raises Unavailable, and UserError, with a sentence,
        for an unknown question; after it Unavailable becomes an error answer.
        """
        started = time.perf_counter()
        sentence = self.app.questions.sentence(request.question, request.given)
        answer, waiting = self.cached_answer(request), self.queue_length()
        cached, has_waited = answer is not None, False
        if answer is None:
            try:
                async with aclosing(self.compute(request, sentence, address)) as results:
                    async for result in results:
                        if isinstance(result, CompressedAnswer):
                            answer = result
                        else:
                            yield json.dumps({"ahead": result})
                            has_waited = True
            except Unavailable as error:
                if not has_waited:
                    raise
                with use_language(LanguageContext(request.language)):
                    answer = compress(error_json(str(error)))
        assert answer is not None
        if sentence is not None and not answer.is_error:
            seconds = time.perf_counter() - started
            log_translation(seconds=seconds, pieces=self.count_pieces(sentence), cached=cached, waiting=waiting)
        yield answer

    async def compute(
        self, request: AskRequest, sentence: str | None, address: str
    ) -> AsyncGenerator[int | CompressedAnswer, None]:
        """Yields how many jobs are ahead, now and then, and last the answer. Raises Unavailable."""
        queue = self.app.queue
        with use_language(LanguageContext(request.language, self.app.translator.languages)):
            job = queue.put(partial(self.answer, request), request.visitor, sentence, address)
        async with aclosing(queue.positions(job)) as positions:
            async for ahead in positions:
                yield ahead
        yield job.done.result()

    def close(self) -> None:
        """Ends waiting questions with a sentence, after the work in hand; takes no more."""
        self.app.close()

    def queue_length(self) -> int:
        return len(self.app.queue)

    def answer(self, request: AskRequest) -> CompressedAnswer:
        """The answer, from the cache if another job has put it there meanwhile."""
        answer = self.cached_answer(request)
        if answer is None:
            answer = compress(self.app.questions.answer(request.question, request.given))
            self.cache_answer(request, answer)
        return answer

    def count_pieces(self, sentence: str) -> int:
        """Source pieces; 0 for a refused sentence, which no tokenizer may take."""
        accepted = self.app.recordings.is_accepted(sentence)
        return len(self.app.translator.tokenizer.encode(sentence)) if accepted else 0

    def cached_answer(self, request: AskRequest) -> CompressedAnswer | None:
        with self.lock:
            return self.cache.get(request.key)

    def cache_answer(self, request: AskRequest, answer: CompressedAnswer) -> None:
        """Errors are not cached: they take no time to compute, and there is no end of them."""
        if not answer.is_error:
            with self.lock, suppress(ValueError):  # larger than the whole cache
                self.cache[request.key] = answer

    def health(self) -> dict[str, Any]:
        """Status, version, model, uptime and queue length."""
        return {
            "status": "ok",
            "version": program_version(),
            "model": describe_model(self.app.translator, self.app.folder),
            "uptime_seconds": round(time.time() - self.started),
            "waiting": self.queue_length(),
        }


def program_version() -> str:
    """The installed version, or that of pyproject.toml if the program runs without installation, as on a Space."""
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
