"""Classes: pages that show what the teacher's page shows, guesses that are counted, and sentences sent to the teacher.

A class is kept in memory alone, without names or addresses: pages are told apart by random numbers that they make up.
Everything here runs in the event loop of the server.
"""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from anyio import to_thread
from pydantic import Field, StringConstraints, model_validator

from explorer.server import words
from explorer.server.log import log_class
from explorer.ui.questions import StrictModel

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of codes: without I, O, 0 and 1
CODE_LENGTH = 6
KEY_BYTES = 16
MAX_CLASSES = 50
MAX_PAGES = 500  # of a class at once
MAX_QUESTIONS = 100
MAX_CHOICES, MAX_QUESTION_CHARACTERS = 200, 8000  # of one question, its choices included
MAX_SENTENCES = 100  # that wait for the teacher
MAX_SENTENCES_PER_PAGE = 3
MAX_PLACE_PARTS, MAX_PLACE_CHARACTERS = 100, 20_000
IDLE_SECONDS = 2 * 3600.0  # without a request, after which a class is over
SWEEP_SECONDS = 60.0  # between two searches for such classes
PING_SECONDS = 15.0  # between two signs of life to a page: a connection that is gone is noticed
GATHER_SECONDS = 0.2  # in which pages that come and guesses are told of at once

ShortText = Annotated[str, StringConstraints(min_length=1, max_length=600)]


class ClassNotFound(ValueError):
    """There is no class of this code."""

    status = 404  # of the response


class NotTheTeacher(ValueError):
    """The key is not that of the class."""

    status = 403


class Question(StrictModel):
    """A question with choices, and what the model says of each: its weight, or 1 for what it does and else 0.

    `lesson` is the lesson's step that asks it, as in an address; `word` the target word for which it asks where the
    model looks. Pages phrase these in their own language.
    """

    ask: ShortText
    choices: list[ShortText] = Field(min_length=2, max_length=MAX_CHOICES)
    model: list[Annotated[float, Field(ge=0, le=1.0001)]]
    lesson: str = Field("", max_length=100)
    word: str = Field("", max_length=200)

    @model_validator(mode="after")
    def require_bounds(self) -> "Question":
        if len(self.model) != len(self.choices):
            raise ValueError("model needs a number for each choice")
        if len(self.ask) + sum(map(len, self.choices)) > MAX_QUESTION_CHARACTERS:
            raise ValueError(f"question and choices have at most {MAX_QUESTION_CHARACTERS} characters")
        return self


@dataclass(eq=False)
class Poll:
    """A question put to the class, with the guess of each page."""

    number: int
    question: Question
    guesses: dict[str, int] = field(default_factory=dict)
    is_shown: bool = False

    @property
    def counts(self) -> list[int]:
        """The number of guesses for each choice."""
        counted = Counter(self.guesses.values())
        return [counted[choice] for choice in range(len(self.question.choices))]

    def to_json(self, *, for_teacher: bool = False) -> dict[str, Any]:
        """What pages may know: the counts and the model's numbers only once they are shown."""
        hidden = set() if self.is_shown or for_teacher else {"model"}
        return {
            "number": self.number,
            **self.question.model_dump(exclude=hidden),
            "answers": len(self.guesses),
            "shown": self.is_shown,
            "counts": self.counts if self.is_shown or for_teacher else None,
        }


@dataclass(frozen=True)
class SentSentence:
    """A sentence that a page sent to the teacher."""

    number: int
    text: str
    page: str


@dataclass(eq=False)
class Classroom:
    """One class; `place` holds the parts of the address of what the teacher's page shows."""

    code: str
    key: str
    clock: Callable[[], float] = time.monotonic
    place: dict[str, str] | None = None
    place_number: int = 0
    polls: list[Poll] = field(default_factory=list)
    is_asking: bool = False  # the last poll is on the screens
    may_send: bool = False  # sentences
    sentences: list[SentSentence] = field(default_factory=list)
    sentence_number: int = 0
    connections: dict[object, tuple[str, bool]] = field(default_factory=dict)  # page, and whether it follows
    most_pages: int = 0
    is_over: bool = False
    last_sign: float = field(init=False)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    gathering: asyncio.TimerHandle | None = None

    def __post_init__(self):
        self.last_sign = self.clock()

    # What the teacher does.

    def require_teacher(self, key: str) -> None:
        """Raises NotTheTeacher for another key."""
        if not hmac.compare_digest(self.key.encode(), key.encode()):
            raise NotTheTeacher(words.CLASS["teacher"])

    def show(self, place: dict[str, str]) -> None:
        if place != self.place:
            self.place, self.place_number = place, self.place_number + 1
            self.notify()

    def ask(self, question: Question) -> None:
        """Puts a question to the class, in place of the one before. Raises ValueError if there were too many."""
        if len(self.polls) >= MAX_QUESTIONS:
            raise ValueError(words.CLASS["questions"].format(count=MAX_QUESTIONS))
        self.polls.append(Poll(len(self.polls) + 1, question))
        self.is_asking = True
        self.notify()

    def reveal(self) -> None:
        """Shows the guesses and the model's numbers; later guesses are refused."""
        if self.is_asking:
            self.polls[-1].is_shown = True
            self.notify()

    def close_question(self) -> None:
        self.is_asking = False
        self.notify()

    def allow_sentences(self, allowed: bool) -> None:
        self.may_send = allowed
        self.notify()

    def drop_sentence(self, number: int) -> None:
        self.sentences = [sentence for sentence in self.sentences if sentence.number != number]
        self.notify()

    def teacher_json(self) -> dict[str, Any]:
        """What only the teacher's page is told."""
        sentences = [{"number": sentence.number, "text": sentence.text} for sentence in self.sentences]
        return {"sentences": sentences, "polls": [poll.to_json(for_teacher=True) for poll in self.polls]}

    # What the other pages do.

    def guess(self, page: str, number: int, choice: int) -> None:
        """Takes a page's guess, in place of its earlier one. Raises ValueError, with a sentence, to refuse it."""
        if page not in {connected for connected, _ in self.connections.values()}:
            raise ValueError(words.CLASS["unconnected"])  # or one client could guess for many pages
        poll = self.polls[-1] if self.is_asking else None
        if poll is None or poll.number != number or poll.is_shown or choice >= len(poll.question.choices):
            raise ValueError(words.CLASS["late"])
        poll.guesses[page] = choice
        self.notify_soon()

    def send_sentence(self, page: str, text: str) -> None:
        """Puts a sentence on the teacher's list. Raises ValueError, with a sentence, to refuse it."""
        if not self.may_send:
            raise ValueError(words.CLASS["unsent"])
        mine = sum(sentence.page == page for sentence in self.sentences)
        if mine >= MAX_SENTENCES_PER_PAGE or len(self.sentences) >= MAX_SENTENCES:
            raise ValueError(words.CLASS["sentences"])
        self.sentence_number += 1
        self.sentences.append(SentSentence(self.sentence_number, text, page))
        self.notify_soon()

    # What all pages are told.

    def state(self) -> dict[str, Any]:
        """What every page of the class may know."""
        return {
            "place": self.place,
            "place_number": self.place_number,
            "following": sum(follows for _, follows in self.connections.values()),
            "poll": self.polls[-1].to_json() if self.is_asking else None,
            "may_send": self.may_send,
            "waiting": len(self.sentences),
        }

    def require_room(self) -> None:
        """Raises ValueError if the class is full."""
        if len(self.connections) >= MAX_PAGES:
            raise ValueError(words.CLASS["pages"].format(count=MAX_PAGES))

    async def states(
        self, page: str, *, follows: bool, stopped: asyncio.Event | None = None
    ) -> AsyncGenerator[str | None, None]:
        """Yields the state as JSON, now and after every change, and None where nothing has changed for a while.

        Ends with the class, and with the server, which sets `stopped`. Changes that come while the page still reads are
        told of at once.
        """
        stopped = stopped or asyncio.Event()
        connection = object()
        self.connections[connection] = page, follows
        self.most_pages = max(self.most_pages, len(self.connections))
        self.notify_soon()
        try:
            while not self.is_over:
                changed = self.changed
                yield json.dumps(self.state())
                while not await is_one_set(changed, stopped, seconds=PING_SECONDS):
                    yield None
                if stopped.is_set():
                    return
            yield json.dumps({"over": True})
        finally:
            del self.connections[connection]
            self.notify_soon()

    def notify(self) -> None:
        """Wakes everybody who waits for a change."""
        if self.gathering:
            self.gathering.cancel()
            self.gathering = None
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def notify_soon(self) -> None:
        """Wakes everybody after a moment in which more may come."""
        if self.gathering is None and not self.is_over:
            self.gathering = asyncio.get_running_loop().call_later(GATHER_SECONDS, self.notify)

    def end(self) -> None:
        self.is_over = True
        self.notify()
        log_class(pages=self.most_pages, questions=len(self.polls), sentences=self.sentence_number)


async def is_one_set(*events: asyncio.Event, seconds: float) -> bool:
    """Whether one of the events is set within so many seconds."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        done, _ = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
    return bool(done)


def new_key() -> str:
    return secrets.token_hex(KEY_BYTES)


def code_of(key: str) -> str:
    """The code of the class with this key.

    After a restart only the teacher's page can open a class of the same code again: to find another key for a code
    takes a billion attempts of 10 ms each.
    """
    digest = hashlib.scrypt(key.encode(), salt=b"class", n=2**12, r=8, p=1, dklen=CODE_LENGTH)
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest)


class Classrooms:
    """The classes of a server, by their codes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.classrooms: dict[str, Classroom] = {}

    async def find_or_add(self, code: str, key: str) -> Classroom:
        """The class with this code and key, new or as it is. Raises ValueError, with a sentence, to refuse."""
        if code not in self.classrooms and code != await to_thread.run_sync(code_of, key):
            raise NotTheTeacher(words.CLASS["teacher"])
        if code not in self.classrooms:
            self.add(key)
        classroom = self.find(code)
        classroom.require_teacher(key)
        return classroom

    def add(self, key: str) -> Classroom:
        """Adds a class with this key. Raises ValueError if there are too many."""
        if len(self.classrooms) >= MAX_CLASSES:
            raise ValueError(words.CLASS["classes"].format(count=MAX_CLASSES))
        classroom = Classroom(code_of(key), key, self.clock)
        self.classrooms[classroom.code] = classroom
        return classroom

    def find(self, code: str) -> Classroom:
        """The class of a code, for a request, which is a sign of life. Raises ClassNotFound."""
        classroom = self.classrooms.get(code)
        if classroom is None:
            raise ClassNotFound(words.CLASS["none"])
        classroom.last_sign = self.clock()
        return classroom

    def end(self, code: str) -> None:
        self.classrooms.pop(code).end()

    def end_idle(self) -> None:
        """Ends the classes that nobody has used for long."""
        for code, classroom in list(self.classrooms.items()):
            if self.clock() - classroom.last_sign > IDLE_SECONDS:
                self.end(code)
