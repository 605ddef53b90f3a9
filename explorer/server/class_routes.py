"""The routes of classes (class_state.py).

POST /class makes up a key and its code. POST /class/CODE carries out an action: {"action": "show", "key": ..., ...} of
the teacher's page or {"action": "guess", "browser": ..., ...} of another; the response is JSON, or {"error": a
sentence}. The action "state" asks for the state of the class. Its response comes when that has changed, or after some
seconds (`Classroom.next_state`): whole responses pass filters and proxies that hold back an open stream. join.py has
the routes by which one joins.

A class lives in the process that got its first action. Several processes work as one where the proxy sends all requests
below /class/CODE to the same of them (explorer/cluster/nginx.conf).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
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
from explorer.server.class_pages import Visit
from explorer.server.class_state import MAX_ADDRESS_CHARACTERS, MAX_ADDRESS_PARTS, SWEEP_SECONDS, Classroom, Classrooms
from explorer.server.client_address import client_address
from explorer.server.http import UNCACHED, LanguageCode, parse_request, with_error_responses
from explorer.server.join import join_routes
from explorer.server.polls import Question
from explorer.ui.questions import StrictModel
from model.errors import UserError

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MAX_PAGE_NAME = 60
MAX_WAIT_SECONDS = 20  # a proxy gives up after 30 seconds or more
PupilAction = Literal["state", "guess", "send", "link"]
TeacherAction = Literal["open", "status", "show", "ask", "reveal", "close", "allow", "drop", "clear", "end"]


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

    `page` and `browser` are random names. With "state", `known` is the number of the state that the page has, if any,
    and the response may wait some seconds for a change. "clear" removes the sentences up to `number`.
    """

    action: Literal[PupilAction, TeacherAction]
    language: LanguageCode
    key: str = Field("", max_length=60)
    page: str = Field("", max_length=MAX_PAGE_NAME)
    browser: str = Field("", max_length=MAX_PAGE_NAME)
    follows: bool = False
    wait_seconds: int = Field(0, ge=0, le=MAX_WAIT_SECONDS)
    place: Annotated[dict[str, str], AfterValidator(require_small)] = Field({})
    question: Question | None = None
    allowed: bool = False
    known: int | None = Field(None, ge=0, lt=2**31)
    number: int = Field(0, ge=0, lt=2**31)
    choice: int = Field(0, ge=0, lt=2**31)
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_CHARACTERS)] = ""
    address: str = Field("", max_length=500)  # of the page, as its browser has it


async def carry_out(
    classrooms: Classrooms, code: str, request: ClassRequest, client: str, hosts: Sequence[str]
) -> dict[str, Any]:
    """Carries out an action; returns the response. Raises UserError to refuse."""
    if request.action == "open":
        return (await classrooms.find_or_add(code, request.key, client)).teacher_json()
    classroom = classrooms.use(code)
    pupils: dict[str, Callable[[], None]] = {
        "guess": lambda: classroom.guess(request.browser, request.number, request.choice, client),
        "send": lambda: classroom.send_sentence(request.browser, request.text, client),
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


async def next_state(
    classrooms: Classrooms, code: str, request: ClassRequest, client: str, is_gone: Callable[[], Awaitable[bool]]
) -> str:
    """The response to a page that asks for the state, as JSON. Raises UserError to refuse.

    To join is a sign of life; a page that goes on asking may be a forgotten one.
    """
    classroom = classrooms.use(code) if request.known is None else classrooms.find(code)
    if request.key:
        classroom.require_teacher(request.key)
    visit = Visit(
        request.page,
        request.browser,
        client,
        follows=request.follows,
        is_teacher=bool(request.key),
        number=request.known,
        wait_seconds=request.wait_seconds,
    )
    return await classroom.next_state(visit, is_gone)


class Caretaker:
    """Ends idle classes from time to time, as long as there are classes, and all waiting with the server."""

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
        """Answers all pages that wait when the event is set."""
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
        caretaker.wait_for(getattr(http_request.app, "stop_event", None))  # Gradio's, when the server ends
        if request.action == "state":
            state = await next_state(classrooms, code, request, client, http_request.is_disconnected)
            return Response(state, headers=UNCACHED, media_type="application/json")
        done = await carry_out(classrooms, code, request, client, hosts)
        caretaker.start()
        return JSONResponse(done, headers=UNCACHED)

    return [
        *join_routes(classrooms, preferred),
        Route("/class", begin, methods=["POST"]),
        Route("/class/{code}", act, methods=["POST"]),
    ]
