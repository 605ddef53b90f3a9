"""The route by which the page trains a toy model, POST /toys, and the pages of trained toys at /toy/KEY/.

A request is {"action": "begin", "config": {...}}, or another action with the "key" of a training, with "language" and
"visitor" as in /ask. The response is JSON at once, without waiting in the model's queue: the status of the training,
or {"error": a sentence}.

The page of a toy has its own /ask; nothing lists the keys. A toy is opened on the first request: its checkpoint is
loaded and its page written in every language, which takes 0.7 s of computing and 3 MB.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Literal
from urllib.parse import quote
from weakref import WeakSet

from anyio import to_thread
from cachetools import TTLCache
from pydantic import Field
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.page import words
from explorer.page.page import toy_document, toy_page
from explorer.page.ui import serve_files
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import MAX_BYTES, Recordings
from explorer.server.allowlist import RouteAllowlist
from explorer.server.ask import AnswerService, routes
from explorer.server.http import UNCACHED, LanguageCode, parse_request, with_error_responses
from explorer.server.language_redirect import LanguageRedirect, path_below_proxy, proxy_path, visitor_language
from explorer.server.launch import GZIP_LEVEL, PageGZip
from explorer.server.security_headers import PLAIN_POLICY, SecurityHeaders
from explorer.toys.progress import Report
from explorer.toys.recipe import ToyConfig, about
from explorer.toys.workshop import Limits, Workshop
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, tag_of, use_language
from explorer.ui.questions import StrictModel
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError
from model.errors import UserError

MAX_OPEN = 8  # toys at once; the one that was used longest ago is closed
IDLE_SECONDS = 30 * 60.0  # without a request, after which a toy is closed
SWEEP_SECONDS = 60.0  # between two searches for idle toys
MAX_TOY_BYTES = MAX_BYTES // 32  # of all that is kept about a toy; all open ones have a quarter of the page's own
ADDRESS = re.compile(r"/toy/(?P<key>[^/]*)(?P<rest>/.*)?", re.S)
GONE_PAGE = """<!doctype html><html lang="{tag}"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font: 17px/1.5 system-ui, sans-serif; max-width: 40em; margin: min(15vh, 6em) auto; padding: 0 1em">
<h1 style="font-size: 1.3em">{title}</h1><p>{text}</p><p><a href="{address}">{back}</a></p></body></html>
"""
ABSENT_TABS = ("lessons", "train")  # tabs that speak of the shipped model, or train another one
NO_REPORTS = 2**31  # no report has a greater number
CURVE_FIELDS = ("step", "seconds", "examples", "loss", "test_loss", "right")  # of every report


def toy_app(context: AppContext) -> ASGIApp:
    """The page in every language, and /ask; the same rules hold as for the main page."""

    def page_route(language: str) -> Route:
        with use_language(LanguageContext(language, context.translator.languages)):
            content = toy_page(context)
            serve_files(content.files)
            html = toy_document(content)

        async def page(request: Request) -> Response:
            return HTMLResponse(html)

        return Route(f"/{'' if language == FIRST else language}", page)

    service = AnswerService(context)
    app = Starlette(routes=[*routes(service), *map(page_route, LANGUAGES)])
    return SecurityHeaders(RouteAllowlist(LanguageRedirect(PageGZip(app, compresslevel=GZIP_LEVEL))))


@dataclass(frozen=True, eq=False)
class OpenToy:
    """The number of a toy's checkpoint, and what stands below its key as soon as it is opened."""

    version: int
    app: asyncio.Task[ASGIApp]


class OpenToys:
    """The toys that are in use, for one event loop.

    `version(key)` returns at once the number of a toy's checkpoint: None for an unknown key, 0 where there is none yet.
    `load(key)` loads it. A closed toy needs no end: the thread of its queue ends after the last job.
    """

    def __init__(
        self,
        version: Callable[[str], int | None],
        load: Callable[[str], AppContext],
        clock: Callable[[], float] = time.monotonic,
    ):
        self.version, self.load = version, load
        self.found: TTLCache[str, OpenToy] = TTLCache(MAX_OPEN, IDLE_SECONDS, clock)

    async def app(self, key: str) -> ASGIApp | None:
        """What stands below a key; None for an unknown one, and for a toy without a checkpoint yet."""
        version = await to_thread.run_sync(self.version, key)
        toy = self.found.pop(key, None)
        if version and (toy is None or toy.version < version):
            if not self.found:
                asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.sweep)
            toy = OpenToy(version, asyncio.create_task(to_thread.run_sync(lambda: toy_app(self.load(key)))))
        if version is None or toy is None:
            return None
        self.found[key] = toy  # once more: it is the last one to go, and its time begins anew
        try:
            return await asyncio.shield(toy.app)
        except (UserError, OSError, CheckpointError):  # removed or saved meanwhile
            self.found.pop(key, None)
            return None

    def sweep(self) -> None:
        """Closes idle toys now and then while any is open."""
        self.found.expire()
        if self.found:
            asyncio.get_running_loop().call_later(SWEEP_SECONDS, self.sweep)


@dataclass(frozen=True)
class ToyPages:
    """ASGI middleware that passes requests below a key to that toy, as a proxy that strips the path."""

    app: ASGIApp
    toys: OpenToys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = ADDRESS.fullmatch(path_below_proxy(scope)) if scope["type"] == "http" else None
        if match is None:
            return await self.app(scope, receive, send)
        key, rest = match["key"], match["rest"] or "/"
        if key and not match["rest"] and scope["method"] in ("GET", "HEAD"):
            return await add_slash(scope, key)(scope, receive, send)
        app = await self.toys.app(key) or not_found(scope, rest)
        return await app({**scope, "path": rest, "raw_path": rest.encode(), "root_path": ""}, receive, send)


def add_slash(scope: Scope, key: str) -> Response:
    """Redirects to the URL with a slash behind the key: the page's URLs are relative to it."""
    query = scope["query_string"].decode("latin-1")
    return RedirectResponse(f"./{quote(key, safe='')}/{query and '?'}{query}", status_code=307)


def not_found(scope: Scope, rest: str) -> Response:
    """Says that the toy does not exist any more: as a page, or as the answer to a question of one."""
    path = rest.strip("/")
    language = path if path in LANGUAGES else visitor_language(Headers(scope=scope))
    headers = {"Cache-Control": "no-store", "Connection": "close"}
    with use_language(LanguageContext(language)):
        if path == "ask":
            return JSONResponse({"error": words.GONE["text"]}, 404, headers)
        if scope["method"] not in ("GET", "HEAD") or path not in ("", *LANGUAGES):
            return PlainTextResponse(f"{words.GONE['title']}\n", 404, headers)
        address = f"{proxy_path(scope)}/{'' if language == FIRST else language}"
        texts = {name: escape(text) for name, text in {**words.GONE, "address": address}.items()}
        headers["Content-Security-Policy"] = PLAIN_POLICY
        return HTMLResponse(GONE_PAGE.format(tag=tag_of(language), **texts), 404, headers)


class ToyRequest(StrictModel):
    """What a visitor wants of a training."""

    action: Literal["begin", "status", "stop", "go on", "leave"]
    language: LanguageCode
    visitor: str = Field("", max_length=60)
    config: ToyConfig = ToyConfig()
    key: str = Field("", max_length=60)
    since: int = Field(0, ge=0, lt=2**31)  # the number of the last report that the page has


def carry_out(workshop: Workshop, request: ToyRequest) -> dict[str, Any]:
    """Carries out the action; returns the status of the training. Raises UserError to refuse."""
    key = request.key
    actions: dict[str, Callable[[str], None]] = {
        "stop": workshop.stop,
        "go on": workshop.resume,
        "leave": workshop.leave,
    }
    if request.action == "begin":
        key = workshop.begin(request.config, request.visitor, before=key)
    elif request.action in actions:
        actions[request.action](key)
    return {"left": True} if request.action == "leave" else training_status(workshop, key, request.since)


def training_status(workshop: Workshop, key: str, since: int) -> dict[str, Any]:
    """State, new points of the curves, and the example of the last report."""
    status = workshop.status(key, since)
    last: Report | None = status.reports[-1] if status.reports else None
    return {
        "key": key,
        "config": status.config.model_dump(),
        "about": about(status.config),
        "state": status.state,
        "sentence": status.sentence,
        "ahead": status.queue_position,
        "number": status.number,
        "saved": status.saved,
        "why": last.why if last else None,
        "points": [[getattr(report, name) for name in CURVE_FIELDS] for report in status.reports],
        "seen": last.seen.model_dump() if last and last.seen else None,
    }


def toy_routes(workshop: Workshop) -> list[Route]:
    """The route /toys, which comes before Gradio's own."""

    @with_error_responses
    async def toys(http_request: Request) -> Response:
        request = await parse_request(ToyRequest, http_request)
        return JSONResponse(await to_thread.run_sync(carry_out, workshop, request), headers=UNCACHED)

    return [Route("/toys", toys, methods=["POST"])]


def toys(app: AppContext) -> dict[str, Any]:
    """The options of `launch` with which visitors can train as many toys at once as the app may train."""
    # On busy processors, as in a class, two threads wait for each other: 6 times slower than one.
    workshop = Workshop(Limits(max_running=app.max_trainings, threads=1))
    opened = OpenToys(partial(version, workshop), partial(load_toy, workshop, app.toys))
    return {"routes": toy_routes(workshop), "middleware": [Middleware(ToyPages, toys=opened)]}


def version(workshop: Workshop, key: str) -> int | None:
    """The number of a toy's checkpoint; 0 where it has none yet, None for an unknown toy."""
    try:
        status = workshop.status(key, since=NO_REPORTS)
    except UserError:
        return None
    return status.number if status.saved else 0


def load_toy(workshop: Workshop, loaded: WeakSet[AppContext], key: str) -> AppContext:
    """The checkpoint of a toy, loaded, and added to those that are. Raises UserError for an unknown key."""
    folder, config = workshop.folder(key), workshop.status(key, since=NO_REPORTS).config
    recordings = Recordings(checkpoint.load(folder), max_bytes=MAX_TOY_BYTES)
    app = AppContext(recordings, folder, absent_tabs=ABSENT_TABS, about=partial(about, config))
    loaded.add(app)
    return app
