"""Where questions come in: what was answered lately is answered at once, everything else gets into line."""

import hashlib
import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from explorer.files.described import described
from explorer.recording.opened import Opened
from explorer.recording.remembering import FairCache
from explorer.server import words
from explorer.server.log import translated
from explorer.server.packed import Packed, packed
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from explorer.ui.version import program_version
from explorer.ui.visitor import visited_by

ANSWERS = 64_000_000  # bytes of answers that are remembered, compressed; a translation of 16 pieces has 50,000


def spoken(language: str) -> str:
    """Raises ValueError where the page does not speak it."""
    if language not in LANGUAGES:
        raise ValueError(words.REFUSALS["language"].format(languages=", ".join(LANGUAGES)))
    return language


class Asked(BaseModel):
    """A question as it comes from the page."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    question: str = Field(max_length=60)
    given: list[Any] = Field(max_length=20)
    language: Annotated[str, AfterValidator(spoken)]
    visitor: str = Field("", max_length=60)

    @property
    def key(self) -> bytes:
        """The same for those who ask the same, and short whatever they ask."""
        return hashlib.blake2b(json.dumps([self.question, self.given, self.language]).encode(), digest_size=32).digest()


@dataclass(frozen=True, eq=False)
class Desk:
    """The desk of one opened checkpoint."""

    opened: Opened
    began: float = field(default_factory=time.time)
    answers: FairCache[bytes, Packed] = field(default_factory=lambda: FairCache(ANSWERS, getsizeof=len))
    lock: Lock = field(default_factory=Lock)  # of the answers, which the worker's thread reads too

    async def lines(self, asked: Asked) -> AsyncGenerator[str | Packed, None]:
        """How many are ahead, now and then, and last the answer; who stops listening has withdrawn the question.

        Before the first line it raises ValueError, with a sentence, where there is no such question, and Full.
        """
        began = time.perf_counter()
        sentence = self.opened.questions.sentence(asked.question, asked.given)
        with visited_by(asked.visitor):
            answer, waiting = self.remembered(asked), self.waiting()
        cached = answer is not None
        if not cached:
            async with aclosing(self.worked_out(asked, sentence)) as told:
                async for new in told:
                    if isinstance(new, Packed):
                        answer = new
                    else:
                        yield json.dumps({"ahead": new})
        assert answer is not None
        if sentence is not None and not answer.refusal:
            seconds, pieces = time.perf_counter() - began, self.pieces(sentence)
            translated(seconds=seconds, pieces=pieces, cached=cached, waiting=waiting)
        yield answer

    async def worked_out(self, asked: Asked, sentence: str | None) -> AsyncGenerator[int | Packed, None]:
        """How many are ahead, now and then, and last the answer. Raises Full before the first of them."""
        queue = self.opened.queue
        with use_language(LanguageContext(asked.language, self.opened.translator.languages)), visited_by(asked.visitor):
            job = queue.put(partial(self.answer, asked), asked.visitor, sentence)
        async with aclosing(queue.waits(job)) as waits:
            async for ahead in waits:
                yield ahead
        yield job.done.result()

    def waiting(self) -> int:
        """How many have asked and wait."""
        return len(self.opened.queue)

    def answer(self, asked: Asked) -> Packed:
        """The answer, worked out unless it is known by now."""
        answer = self.remembered(asked)
        if answer is None:
            answer = packed(self.opened.questions.answer(asked.question, asked.given))
            self.keep(asked, answer)
        return answer

    def pieces(self, sentence: str) -> int:
        """How many it has; none where it is refused, for it may hold what no tokenizer takes."""
        opened = self.opened
        return len(opened.translator.tokenizer.encode(sentence)) if opened.recordings.takes(sentence) else 0

    def remembered(self, asked: Asked) -> Packed | None:
        key = asked.key
        with self.lock:
            return self.answers.get(key)

    def keep(self, asked: Asked, answer: Packed) -> None:
        """Remembers it, unless it is a refusal: these take no time to work out, and there is no end of them."""
        key = asked.key
        if not answer.refusal:
            with self.lock:
                self.answers[key] = answer

    def health(self) -> dict[str, Any]:
        """That it is well, for how long, with which model, and how many wait."""
        return {
            "status": "ok",
            "version": program_version(),
            "model": described(self.opened.translator, self.opened.folder),
            "uptime_seconds": round(time.time() - self.began),
            "waiting": self.waiting(),
        }
