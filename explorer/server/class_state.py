"""Classes: pages that show what the teacher's page shows, guesses that are counted, and sentences sent to the teacher.

A class is kept in memory alone, and without names: pages are told apart by random numbers that they make up. What a
client could fill by making up more of them is shared between addresses (client_address.py), which are kept as long as
that lasts. Everything here runs in the event loop of the server.
"""

import asyncio
import hmac
import json
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from explorer.recording.sentence import check_characters
from explorer.server import words
from explorer.server.class_keys import CodeDerivations, code_of
from explorer.server.log import log_class
from explorer.server.polls import Guess, Poll, Question
from model.errors import UserError

MAX_CLASSES = 50
UNUSED_SECONDS = 300.0  # without a stream, after which a class may give way to a new one
MAX_CLASSES_PER_CLIENT = 10  # which a full server keeps
MAX_PAGES = 500  # of a class at once, besides the teacher's
MAX_STREAMS_PER_PAGE = 3  # of a client; a browser's duplicate of a window has the same name
MAX_TEACHER_PAGES = 4
MAX_QUESTIONS = 100
MAX_SENTENCES = 100  # that wait for the teacher
MAX_SENTENCES_PER_PAGE = 3
MAX_ADDRESS_PARTS, MAX_ADDRESS_CHARACTERS = 100, 20_000
IDLE_SECONDS = 2 * 3600.0  # without a request, after which a class is over
SWEEP_SECONDS = 60.0  # between two searches for such classes
PING_SECONDS = 15.0  # between two signs of life to a page: a connection that is gone is noticed
GATHER_SECONDS = 0.2  # in which pages that come and guesses are told of at once
WAKE_BATCH = 25  # streams that are told of a change before others have their turn


class ClassNotFound(UserError):
    """There is no class of this code."""

    status = 404  # of the response


class NotTheTeacher(UserError):
    """The key is not that of the class."""

    status = 403


@dataclass(frozen=True)
class SentSentence:
    """A sentence that a page sent to the teacher."""

    number: int
    text: str
    page: str
    client: str


@dataclass(eq=False)
class Stream:
    """A connection by which a page is told the states of its class."""

    page: str
    client: str
    follows: bool
    is_teacher: bool
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_displaced: bool = False


@dataclass(eq=False)
class Classroom:
    """One class; `parts` holds the parts of the address of what the teacher's page shows."""

    code: str
    key: str
    clock: Callable[[], float] = time.monotonic
    client: str = ""  # that began it
    parts: dict[str, str] | None = None
    parts_number: int = 0
    polls: list[Poll] = field(default_factory=list)
    is_asking: bool = False  # the last poll is on the screens
    may_send: bool = False  # sentences
    sentences: list[SentSentence] = field(default_factory=list)
    sentence_number: int = 0
    streams: list[Stream] = field(default_factory=list)  # the oldest first
    teacher_pages: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_TEACHER_PAGES))
    most_pages: int = 0
    is_over: bool = False
    is_stopped: bool = False  # with the server
    last_sign: float = field(init=False)
    last_stream: float = field(init=False)  # when the last one ended
    encoded_state: bytes | None = None  # until a change: it is the same for all pages
    gathering: asyncio.TimerHandle | None = None

    def __post_init__(self):
        self.last_sign = self.last_stream = self.clock()

    # What the teacher does.

    def require_teacher(self, key: str) -> None:
        """Raises NotTheTeacher for another key."""
        if not hmac.compare_digest(self.key.encode(), key.encode()):
            raise NotTheTeacher(words.CLASS["teacher"])

    def know_teacher(self, page: str) -> None:
        """Remembers a page that has shown the key: its stream is not counted."""
        if page and page not in self.teacher_pages:
            self.teacher_pages.append(page)

    def show(self, parts: dict[str, str]) -> None:
        if parts != self.parts:
            self.parts, self.parts_number = parts, self.parts_number + 1
            self.notify()

    def ask(self, question: Question) -> None:
        """Puts a question to the class, in place of the one before. Raises UserError if there were too many."""
        if len(self.polls) >= MAX_QUESTIONS:
            raise UserError(words.CLASS["questions"].format(count=MAX_QUESTIONS))
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

    def drop_sentences(self, last: int) -> None:
        """Removes all sentences up to this number: those that the teacher has seen."""
        self.sentences = [sentence for sentence in self.sentences if sentence.number > last]
        self.notify()

    def teacher_json(self) -> dict[str, Any]:
        """What only the teacher's page is told."""
        sentences = [{"number": sentence.number, "text": sentence.text} for sentence in self.sentences]
        return {"sentences": sentences, "polls": [poll.to_json(for_teacher=True) for poll in self.polls]}

    # What the other pages do.

    def require_stream(self, page: str) -> None:
        """Raises UserError for a page without a stream, or one client could speak for many pages at no cost."""
        if not any(stream.page == page for stream in self.streams):
            raise UserError(words.CLASS["unconnected"])

    def guess(self, page: str, number: int, choice: int, client: str = "") -> None:
        """Takes a page's guess, in place of its earlier one. Raises UserError to refuse it.

        Beyond one for each page that a class has room for, the oldest guess of the client that has most gives way.
        """
        self.require_stream(page)
        poll = self.polls[-1] if self.is_asking else None
        if poll is None or poll.number != number or poll.is_shown or choice >= len(poll.question.choices):
            raise UserError(words.CLASS["late"])
        if page not in poll.guesses and len(poll.guesses) >= MAX_PAGES:
            crowding = most_frequent([*(guess.client for guess in poll.guesses.values()), client], client)
            of_crowding = (name for name, guess in poll.guesses.items() if guess.client == crowding)
            del poll.guesses[next(of_crowding, next(iter(poll.guesses)))]
        poll.guesses[page] = Guess(choice, client)
        self.notify_soon()

    def send_sentence(self, page: str, text: str, client: str = "") -> None:
        """Puts a sentence on the teacher's list. Raises UserError to refuse it."""
        if not self.may_send:
            raise UserError(words.CLASS["unsent"])
        self.require_stream(page)
        check_characters(text)
        text = " ".join(text.split())  # one line
        if not any(character.isprintable() and character != " " for character in text):
            raise UserError(words.CLASS["empty"])
        if sum(sentence.page == page for sentence in self.sentences) >= MAX_SENTENCES_PER_PAGE:
            raise UserError(words.CLASS["sentences"])
        if len(self.sentences) >= MAX_SENTENCES:
            self.make_room_for_sentence(client)
        self.sentence_number += 1
        self.sentences.append(SentSentence(self.sentence_number, text, page, client))
        self.notify_soon()

    def make_room_for_sentence(self, client: str) -> None:
        """Removes the newest sentence of the client that has most. Raises UserError if that is this one."""
        crowding = most_frequent([sentence.client for sentence in self.sentences], client)
        if crowding == client:
            raise UserError(words.CLASS["full"])
        self.sentences.remove([sentence for sentence in self.sentences if sentence.client == crowding][-1])

    # What all pages are told.

    def state(self) -> dict[str, Any]:
        """What every page of the class may know."""
        return {
            "place": self.parts,
            "place_number": self.parts_number,
            "following": sum(stream.follows for stream in self.streams),
            "led": any(stream.is_teacher for stream in self.streams),
            "poll": self.polls[-1].to_json() if self.is_asking else None,
            "may_send": self.may_send,
            "waiting": len(self.sentences),
        }

    def require_room(self, page: str, client: str) -> None:
        """Raises UserError if the class is full, and no stream gives way to one more of this page."""
        if self.is_full and page not in self.teacher_pages and self.displaced_by(page, client) is None:
            raise UserError(words.CLASS["pages"].format(count=MAX_PAGES))

    @property
    def is_full(self) -> bool:
        return sum(not stream.is_teacher for stream in self.streams) >= MAX_PAGES

    def displaced_by(self, page: str, client: str) -> Stream | None:
        """The stream that gives way to one more of this page, if any.

        It is the oldest of the page, if that has too many; in a full class, the oldest of the client that has most.
        """
        own = [stream for stream in self.streams if (stream.page, stream.client) == (page, client)]
        if len(own) >= MAX_STREAMS_PER_PAGE:
            return own[0]
        if page in self.teacher_pages or not self.is_full:
            return None
        pages = [stream for stream in self.streams if not stream.is_teacher]
        crowding = most_frequent([*(stream.client for stream in pages), client], client)
        return next((stream for stream in pages if stream.client == crowding), None)

    def add_stream(self, page: str, client: str, *, follows: bool) -> Stream:
        displaced = self.displaced_by(page, client)
        if displaced:
            displaced.is_displaced = True
            displaced.news.set()
            self.remove_stream(displaced)
        stream = Stream(page, client, follows, is_teacher=page in self.teacher_pages)
        self.streams.append(stream)
        self.most_pages = max(self.most_pages, len(self.streams))
        self.notify_soon()
        return stream

    def remove_stream(self, stream: Stream) -> None:
        """Removes a stream that has ended, unless another has displaced it."""
        if stream in self.streams:
            self.streams.remove(stream)
            self.last_stream = self.clock()
            self.notify_soon()

    async def states(self, page: str, client: str = "", *, follows: bool) -> AsyncGenerator[bytes | None, None]:
        """Yields the state as JSON, now and after every change, and None where nothing has changed for a while.

        Ends with the class, with the server, and when another stream displaces this one. Changes that come while the
        page still reads are told of at once.
        """
        stream = self.add_stream(page, client, follows=follows)
        try:
            while not (self.is_over or self.is_stopped or stream.is_displaced):
                stream.news.clear()
                yield self.encode_state()
                while not await is_set(stream.news, seconds=PING_SECONDS):
                    yield None
            if self.is_over or stream.is_displaced:
                yield json.dumps({"over": True} if self.is_over else {"displaced": True}).encode()
        finally:
            self.remove_stream(stream)

    def encode_state(self) -> bytes:
        self.encoded_state = self.encoded_state or json.dumps(self.state()).encode()
        return self.encoded_state

    def notify(self) -> None:
        """Tells all pages of a change."""
        if self.gathering:
            self.gathering.cancel()
            self.gathering = None
        self.encoded_state = None
        wake(self.streams)

    def notify_soon(self) -> None:
        """Tells all pages of a change after a moment in which more may come."""
        if self.gathering is None and not self.is_over:
            self.gathering = asyncio.get_running_loop().call_later(GATHER_SECONDS, self.notify)

    def stop(self) -> None:
        """Ends the streams: the server ends. Pages come back to the next one."""
        self.is_stopped = True
        self.notify()

    def end(self) -> None:
        self.is_over = True
        self.notify()
        log_class(pages=self.most_pages, questions=len(self.polls), sentences=self.sentence_number)


async def is_set(event: asyncio.Event, *, seconds: float) -> bool:
    """Whether an event is set within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def wake(streams: Iterable[Stream]) -> None:
    """Tells streams that there is news, some at a time: others have their turn in between."""
    waiting = [*streams]
    for stream in waiting[:WAKE_BATCH]:
        stream.news.set()
    if waiting[WAKE_BATCH:]:
        asyncio.get_running_loop().call_soon(wake, waiting[WAKE_BATCH:])


def most_frequent(clients: list[str], favourite: str) -> str:
    """The client that comes most often; the favourite where it comes as often."""
    counted = Counter(clients)
    return max(counted, key=lambda client: (counted[client], client == favourite))


class Classrooms:
    """The classes of a server, by their codes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.derivations = CodeDerivations(clock)
        self.classrooms: dict[str, Classroom] = {}

    async def find_or_add(self, code: str, key: str, client: str) -> Classroom:
        """The class with this code and key, new or as it is. Raises UserError to refuse."""
        if code not in self.classrooms and code != await self.derivations.code_of(key, client):
            raise NotTheTeacher(words.CLASS["teacher"])
        if code not in self.classrooms:
            self.add(key, code, client)
        classroom = self.find(code)
        classroom.require_teacher(key)
        return classroom

    def add(self, key: str, code: str | None = None, client: str = "") -> Classroom:
        """Adds a class with this key, and the code of the key. Raises UserError if there are too many."""
        if len(self.classrooms) >= MAX_CLASSES:
            self.end(self.displaced_by(client).code)
        classroom = Classroom(code or code_of(key), key, self.clock, client)
        self.classrooms[classroom.code] = classroom
        return classroom

    def displaced_by(self, client: str) -> Classroom:
        """The class that gives way to a new one of this client. Raises UserError if none does.

        It is the one that was longest without a stream; or, of a client that has more classes than a full server keeps,
        the one with the fewest pages.
        """
        unused = [one for one in self.classrooms.values() if not one.streams]
        longest = min(unused, key=lambda one: one.last_stream, default=None)
        if longest and self.clock() - longest.last_stream > UNUSED_SECONDS:
            return longest
        crowding = most_frequent([*(one.client for one in self.classrooms.values()), client], client)
        crowd = [one for one in self.classrooms.values() if one.client == crowding]
        if crowding == client or len(crowd) <= MAX_CLASSES_PER_CLIENT:
            raise UserError(words.CLASS["classes"].format(count=MAX_CLASSES))
        return min(crowd, key=lambda one: len(one.streams))

    def find(self, code: str) -> Classroom:
        """The class of a code, for a request, which is a sign of life. Raises ClassNotFound."""
        classroom = self.classrooms.get(code)
        if classroom is None:
            raise ClassNotFound(words.CLASS["none"])
        classroom.last_sign = self.clock()
        return classroom

    def end(self, code: str) -> None:
        self.classrooms.pop(code).end()

    def stop(self) -> None:
        """Ends all streams: the server ends."""
        for classroom in self.classrooms.values():
            classroom.stop()

    def end_idle(self) -> None:
        """Ends the classes that nobody has used for long."""
        for code, classroom in list(self.classrooms.items()):
            if self.clock() - classroom.last_sign > IDLE_SECONDS:
                self.end(code)
