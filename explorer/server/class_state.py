"""Classes: pages that show what the teacher's page shows, guesses that are counted, and sentences sent to the teacher.

A class is kept in memory alone, and without names: pages are told apart by random numbers that they make up. What a
client could fill by making up more of them is shared between addresses (client_address.py), which are kept as long as
that lasts. Everything here runs in the event loop of the server.
"""

import asyncio
import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from explorer.recording.sentence import check_characters
from explorer.server import words
from explorer.server.class_keys import CodeDerivations, code_of
from explorer.server.class_pages import AGAIN_SECONDS, MAX_PAGES, Pages, Visit, most_frequent
from explorer.server.log import log_class
from explorer.server.polls import Guess, Poll, Question
from model.errors import UserError

MAX_CLASSES = 50
UNUSED_SECONDS = 300.0  # without a page, after which a class may give way to a new one
MAX_ENDED = 500  # codes of classes that are over, so that their pages learn it
MAX_CLASSES_PER_CLIENT = 10  # which a full server keeps
MAX_QUESTIONS = 100
MAX_SENTENCES = 100  # that wait for the teacher
MAX_SENTENCES_PER_BROWSER = 3
MAX_ADDRESS_PARTS, MAX_ADDRESS_CHARACTERS = 100, 20_000
IDLE_SECONDS = 2 * 3600.0  # without a request, after which a class is over
SWEEP_SECONDS = 60.0  # between two searches for such classes
ROUND_SECONDS = 1.0  # between two looks at which pages are still there
GATHER_SECONDS = 0.2  # in which pages that come and guesses are told of at once


class ClassNotFound(UserError):
    """There is no class of this code."""

    status = 404  # of the response


class ClassIsOver(UserError):
    """The class of this code was here, and is over."""

    status = 410


class NotTheTeacher(UserError):
    """The key is not that of the class."""

    status = 403


@dataclass(frozen=True)
class SentSentence:
    """A sentence that a browser sent to the teacher."""

    number: int
    text: str
    browser: str
    client: str


@dataclass(eq=False)
class Classroom:
    """One class; `parts` holds the parts of the address of what the teacher's page shows.

    States are numbered from anywhere, so that a class that is opened anew has none of the numbers that pages know.
    """

    code: str
    key: str
    clock: Callable[[], float] = time.monotonic
    client: str = ""  # that began it
    parts: dict[str, str] | None = None
    number: int = field(default_factory=lambda: secrets.randbelow(2**30))  # of the state
    parts_number: int = 0  # that of the state that first had them
    polls: list[Poll] = field(default_factory=list)
    is_asking: bool = False  # the last poll is on the screens
    may_send: bool = False  # sentences
    sentences: list[SentSentence] = field(default_factory=list)
    sentence_number: int = 0
    pages: Pages = field(init=False)
    most_pages: int = 0
    is_over: bool = False
    is_stopped: bool = False  # with the server
    last_sign: float = field(init=False)
    last_page: float = field(init=False)  # when there was one
    encoded_state: str | None = None  # until a change: it is the same for all pages
    gathering: asyncio.TimerHandle | None = None
    round: asyncio.TimerHandle | None = None
    told: tuple[int, bool] = (0, False)  # how many pages follow, and whether one leads

    def __post_init__(self):
        self.last_sign = self.last_page = self.clock()
        self.pages = Pages(self.clock)

    # What the teacher does.

    def require_teacher(self, key: str) -> None:
        """Raises NotTheTeacher for another key."""
        if not hmac.compare_digest(self.key.encode(), key.encode()):
            raise NotTheTeacher(words.CLASS["teacher"])

    def show(self, parts: dict[str, str]) -> None:
        if parts != self.parts:
            self.parts, self.parts_number = parts, self.number + 1
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

    def guess(self, browser: str, number: int, choice: int, client: str = "") -> None:
        """Takes a browser's guess, in place of its earlier one. Raises UserError to refuse it.

        Beyond one for each page that a class has room for, the oldest guess of the client that has most gives way.
        """
        self.pages.require(browser)
        poll = self.polls[-1] if self.is_asking else None
        if poll is None or poll.number != number or poll.is_shown or choice >= len(poll.question.choices):
            raise UserError(words.CLASS["late"])
        if browser not in poll.guesses and len(poll.guesses) >= MAX_PAGES:
            crowding = most_frequent([*(guess.client for guess in poll.guesses.values()), client], client)
            of_crowding = (name for name, guess in poll.guesses.items() if guess.client == crowding)
            del poll.guesses[next(of_crowding, next(iter(poll.guesses)))]
        poll.guesses[browser] = Guess(choice, client)
        self.notify_soon()

    def send_sentence(self, browser: str, text: str, client: str = "") -> None:
        """Puts a sentence on the teacher's list. Raises UserError to refuse it."""
        if not self.may_send:
            raise UserError(words.CLASS["unsent"])
        self.pages.require(browser)
        check_characters(text)
        text = " ".join(text.split())  # one line
        if not any(character.isprintable() and character != " " for character in text):
            raise UserError(words.CLASS["empty"])
        if sum(sentence.browser == browser for sentence in self.sentences) >= MAX_SENTENCES_PER_BROWSER:
            raise UserError(words.CLASS["sentences"])
        if len(self.sentences) >= MAX_SENTENCES:
            self.make_room_for_sentence(client)
        self.sentence_number += 1
        self.sentences.append(SentSentence(self.sentence_number, text, browser, client))
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
            "following": self.pages.following,
            "led": self.pages.is_led,
            "poll": self.polls[-1].to_json() if self.is_asking else None,
            "may_send": self.may_send,
            "waiting": len(self.sentences),
        }

    async def next_state(self, visit: Visit, is_gone: Callable[[], Awaitable[bool]]) -> str:
        """What a page is told, as JSON: at once if it lacks the state, else after a change, or a while without one.

        That is the state's `number`, the `state` itself where the page lacks it, the browser's own guess (`choice`),
        for how many seconds the request was `held`, and after how many the page asks `again`. Or that the class is
        `over`, or that the page was `displaced`. Raises UserError if the class is full. `is_gone` tells whether the
        client has hung up.
        """
        page = self.pages.meet(visit, self.number)
        self.most_pages = max(self.most_pages, len(self.pages))
        self.look_around()
        may_wait = self.pages.may_wait(page)
        asked = self.clock()
        if visit.number == self.number and may_wait and not self.is_stopped:
            await self.pages.wait(page, is_gone)
        if self.is_over or page.is_displaced:
            return json.dumps({"over": True} if self.is_over else {"displaced": True})
        for_browser = {"choice": self.choice_of(visit.browser), "held": self.clock() - asked, "again": 0.0}
        if not may_wait or self.is_stopped:
            for_browser["again"] = AGAIN_SECONDS
        state = f', "state": {self.encode_state()}' if visit.number != self.number else ""
        return f'{{"number": {self.number}{state}, {json.dumps(for_browser)[1:]}'

    def choice_of(self, browser: str) -> int | None:
        """A browser's guess at the question on the screens."""
        guess = self.polls[-1].guesses.get(browser) if self.is_asking else None
        return None if guess is None else guess.choice

    def look_around(self) -> None:
        """Tells all pages of those that have come or gone, now and from time to time as long as there is one."""
        if self.round:
            self.round.cancel()
            self.round = None
        if self.is_over:
            return
        self.pages.forget_silent()
        if self.pages:
            self.last_page = self.clock()
            self.round = asyncio.get_running_loop().call_later(ROUND_SECONDS, self.look_around)
        if (self.pages.following, self.pages.is_led) != self.told:
            self.told = (self.pages.following, self.pages.is_led)
            self.notify_soon()

    def encode_state(self) -> str:
        self.encoded_state = self.encoded_state or json.dumps(self.state())
        return self.encoded_state

    def notify(self) -> None:
        """Tells all pages of a change."""
        if self.gathering:
            self.gathering.cancel()
            self.gathering = None
        self.encoded_state = None
        self.number += 1
        self.pages.wake()

    def notify_soon(self) -> None:
        """Tells all pages of a change after a moment in which more may come."""
        if self.gathering is None and not self.is_over:
            self.gathering = asyncio.get_running_loop().call_later(GATHER_SECONDS, self.notify)

    def stop(self) -> None:
        """Answers all who wait: the server ends. Pages come back to the next one."""
        self.is_stopped = True
        self.notify()

    def end(self) -> None:
        self.is_over = True
        self.notify()
        log_class(pages=self.most_pages, questions=len(self.polls), sentences=self.sentence_number)


class Classrooms:
    """The classes of a server, by their codes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self.clock = clock
        self.derivations = CodeDerivations(clock)
        self.classrooms: dict[str, Classroom] = {}
        self.ended: deque[str] = deque(maxlen=MAX_ENDED)

    async def find_or_add(self, code: str, key: str, client: str) -> Classroom:
        """The class with this code and key, new or as it is. Raises UserError to refuse."""
        if code not in self.classrooms and code != await self.derivations.code_of(key, client):
            raise NotTheTeacher(words.CLASS["teacher"])
        if code not in self.classrooms:
            self.add(key, code, client)
        classroom = self.use(code)
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

        It is the one that was longest without a page; or, of a client that has more classes than a full server keeps,
        the one with the fewest pages.
        """
        unused = [one for one in self.classrooms.values() if not one.pages]
        longest = min(unused, key=lambda one: one.last_page, default=None)
        if longest and self.clock() - longest.last_page > UNUSED_SECONDS:
            return longest
        crowding = most_frequent([*(one.client for one in self.classrooms.values()), client], client)
        crowd = [one for one in self.classrooms.values() if one.client == crowding]
        if crowding == client or len(crowd) <= MAX_CLASSES_PER_CLIENT:
            raise UserError(words.CLASS["classes"].format(count=MAX_CLASSES))
        return min(crowd, key=lambda one: len(one.pages))

    def find(self, code: str) -> Classroom:
        """The class of a code. Raises ClassNotFound or ClassIsOver."""
        classroom = self.classrooms.get(code)
        if classroom is None:
            raise (ClassIsOver if code in self.ended else ClassNotFound)(words.CLASS["none"])
        return classroom

    def use(self, code: str) -> Classroom:
        """The class of a code, for a request that is a sign of life. Raises as `find` does."""
        classroom = self.find(code)
        classroom.last_sign = self.clock()
        return classroom

    def end(self, code: str) -> None:
        self.classrooms.pop(code).end()
        self.ended.append(code)

    def stop(self) -> None:
        """Answers all pages that wait: the server ends."""
        for classroom in self.classrooms.values():
            classroom.stop()

    def end_idle(self) -> None:
        """Ends the classes that nobody has used for long."""
        for code, classroom in list(self.classrooms.items()):
            if self.clock() - classroom.last_sign > IDLE_SECONDS:
                self.end(code)
