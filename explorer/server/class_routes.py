"""The routes of classes (class_state.py).

POST /class makes up a key and its code. POST /class/CODE carries out an action: {"action": "show", "key": ..., ...} of
the teacher's page or {"action": "guess", "page": ..., ...} of another; the response is JSON, or {"error": a sentence}.
GET /class/CODE/events?page=...&follows=1 is a stream of server-sent events. Each holds the state of the class as JSON;
the last is {"over": true}, or {"displaced": true} where another stream has taken its place. join.py has the routes by
which one joins.

A class lives in the process that got its first action. Several processes work as one where the proxy sends all requests
below /class/CODE to the same of them (explorer/cluster/nginx.conf).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit, urlunsplit

import segno
from pydantic import AfterValidator, Field, StringConstraints
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.recording import MAX_CHARACTERS
from explorer.server import words
from explorer.server.class_keys import new_key
from explorer.server.class_state import MAX_ADDRESS_CHARACTERS, MAX_ADDRESS_PARTS, SWEEP_SECONDS, Classroom, Classrooms
from explorer.server.client_address import client_address
from explorer.server.http import UNCACHED, LanguageCode, StreamedResponse, parse_request, with_error_responses
from explorer.server.join import join_routes
from explorer.server.polls import Question
from explorer.ui.questions import StrictModel
from model.errors import UserError

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MAX_PAGE_NAME = 60
PupilAction = Literal["find", "guess", "send", "link"]
TeacherAction = Literal["open", "status", "show", "ask", "reveal", "close", "allow", "drop", "clear", "end"]
RECONNECT_MS = 1000  # after which a browser comes back to a stream that broke off


def require_small(parts: dict[str, str]) -> dict[str, str]:
    """Raises ValueError for an address that no page has."""
    if (
        len(parts) > MAX_ADDRESS_PARTS
        or sum(len(name) + len(text) for name, text in parts.items()) > MAX_ADDRESS_CHARACTERS
    ):
        raise ValueError("too long")
    return parts


class BeginRequest(StrictModel):
    """What a page sends to begin a class."""

    language: LanguageCode


class ClassRequest(StrictModel):
    """What a page wants of its class; `key` is the teacher's.

    A page that "finds" a class may open a stream; "clear" removes the sentences up to `number`.
    """

    action: Literal[PupilAction, TeacherAction]
    language: LanguageCode
    key: str = Field("", max_length=60)
    page: str = Field("", max_length=MAX_PAGE_NAME)
    place: Annotated[dict[str, str], AfterValidator(require_small)] = Field({})
    question: Question | None = None
    allowed: bool = False
    number: int = Field(0, ge=0, lt=2**31)
    choice: int = Field(0, ge=0, lt=2**31)
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_CHARACTERS)] = ""
    address: str = Field("", max_length=500)  # of the page, as its browser has it


async def carry_out(
    classrooms: Classrooms, code: str, request: ClassRequest, client: str, hosts: Sequence[str]
) -> dict[str, Any]:
    """Carries out an action; returns the response. Raises UserError to refuse."""
    if request.action == "open":
        classroom = await classrooms.find_or_add(code, request.key, client)
        classroom.know_teacher(request.page)
        return classroom.teacher_json()
    classroom = classrooms.find(code)
    pupils: dict[str, Callable[[], None]] = {
        "find": lambda: classroom.require_room(request.page, client),
        "guess": lambda: classroom.guess(request.page, request.number, request.choice, client),
        "send": lambda: classroom.send_sentence(request.page, request.text, client),
    }
    if request.action in pupils:
        pupils[request.action]()
        return {}
    if request.action == "link":
        return class_link(code, request.address, hosts)
    classroom.require_teacher(request.key)
    teach(classroom, request)
    if request.action == "end":
        classrooms.end(code)
    return classroom.teacher_json()


def teach(classroom: Classroom, request: ClassRequest) -> None:
    """Carries out an action of the teacher's page; "status" and "end" change nothing in the class itself."""
    actions: dict[str, Callable[[], None]] = {
        "show": lambda: classroom.show(request.place),
        "reveal": classroom.reveal,
        "close": classroom.close_question,
        "allow": lambda: classroom.allow_sentences(request.allowed),
        "drop": lambda: classroom.drop_sentence(request.number),
        "clear": lambda: classroom.drop_sentences(request.number),
    }
    if request.action == "ask":
        if request.question is None:
            raise UserError(words.REFUSALS["malformed"].format(fault="question: field required."))
        classroom.ask(request.question)
    elif request.action in actions:
        actions[request.action]()


def class_link(code: str, address: str, hosts: Sequence[str]) -> dict[str, Any]:
    """What the poster of a class says: where one joins, the QR code of its link, and whether other machines reach it.

    `address` is that of the page; a name that only this machine understands is replaced by the first of `hosts`.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:  # which Python says in English
        raise UserError(words.CLASS["address"]) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(words.CLASS["address"])
    host = parts.netloc.removesuffix(f":{port}")
    is_local = host in LOCAL_HOSTS
    if is_local and hosts:
        parts = parts._replace(netloc=f"{hosts[0]}:{port}" if port else hosts[0])
    link = urlunsplit((parts.scheme, parts.netloc, parts.path, f"class={code}", ""))
    picture = segno.make(link, error="m", micro=False).svg_inline(scale=8, border=2, light="#fff", omitsize=True)
    join = f"{parts.netloc}{parts.path}join"
    return {"join": join, "qr": picture, "reachable": bool(hosts) or not is_local}


async def events(states: AsyncGenerator[bytes | None, None]) -> AsyncGenerator[bytes, None]:
    """The states of a class as server-sent events; a comment where there is nothing to say."""
    yield f"retry: {RECONNECT_MS}\n\n".encode()
    async with aclosing(states):
        async for state in states:
            yield b": still here\n\n" if state is None else b"data: " + state + b"\n\n"


class Caretaker:
    """Ends idle classes from time to time, as long as there are classes, and all streams with the server."""

    def __init__(self, classrooms: Classrooms):
        self.classrooms = classrooms
        self.timer: asyncio.TimerHandle | None = None
        self.waiting: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self.classrooms.classrooms and not self.timer:
            self.timer = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.sweep)

    def sweep(self) -> None:
        self.timer = None
        self.classrooms.end_idle()
        self.start()

    def wait_for(self, stopped: asyncio.Event | None) -> None:
        """Ends the streams when the event is set."""
        if stopped and not self.waiting:
            self.waiting = asyncio.create_task(self.stop_with(stopped))

    async def stop_with(self, stopped: asyncio.Event) -> None:
        await stopped.wait()
        self.classrooms.stop()


def class_routes(classrooms: Classrooms, hosts: Sequence[str] = (), preferred: str | None = None) -> list[Route]:
    """The routes, which come before Gradio's own; `hosts` are addresses of this machine that others reach.

    `preferred` is the language of --language.
    """
    caretaker = Caretaker(classrooms)

    @with_error_responses
    async def begin(http_request: Request) -> Response:
        await parse_request(BeginRequest, http_request)
        key = new_key()
        code = await classrooms.derivations.code_of(key, client_address(http_request))
        return JSONResponse({"key": key, "code": code}, headers=UNCACHED)

    @with_error_responses
    async def act(http_request: Request) -> Response:
        request = await parse_request(ClassRequest, http_request)
        code, client = http_request.path_params["code"], client_address(http_request)
        done = await carry_out(classrooms, code, request, client, hosts)
        caretaker.start()
        return JSONResponse(done, headers=UNCACHED)

    @with_error_responses
    async def stream(http_request: Request) -> Response:
        query, classroom = http_request.query_params, classrooms.find(http_request.path_params["code"])
        page, client = query.get("page", "")[:MAX_PAGE_NAME], client_address(http_request)
        classroom.require_room(page, client)
        caretaker.wait_for(getattr(http_request.app, "stop_event", None))  # Gradio's, when the server ends
        states = classroom.states(page, client, follows=query.get("follows") == "1")
        return StreamedResponse(events(states), media_type="text/event-stream", headers=UNCACHED)

    return [
        *join_routes(classrooms, preferred),
        Route("/class", begin, methods=["POST"]),
        Route("/class/{code}", act, methods=["POST"]),
        Route("/class/{code}/events", stream, methods=["GET"]),
    ]
