"""The route by which the page asks what needs the model, and the one that says how the server is.

POST /ask takes {"question": ..., "given": [...], "language": "en", "visitor": ...} and answers with lines of JSON:
every line but the last is {"ahead": 3}, sent now and then to whoever waits; the last is the answer (weights alone are
letters), or {"error": a sentence}. Closing the connection withdraws the question. Another site's page is not answered.
"""

import json
import re
import zlib
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing, suppress
from typing import Any, Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from anyio import fail_after
from anyio.lowlevel import checkpoint
from pydantic import BaseModel, ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Send

from explorer.server import words
from explorer.server.desk import Asked
from explorer.server.packed import GZIP, LEVEL, Packed
from explorer.ui.faults import first_fault, shortened
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.queue import Full
from explorer.ui.queued import full_line

Model = TypeVar("Model", bound=BaseModel)
LARGEST = 100_000  # bytes of a question: the notes of a report may have 20,000 characters of four bytes each
SLOWEST = 10  # seconds that a question may take to come in
TAKEN = 60  # seconds within which whoever asked takes a slice of the answer
DEEPEST = 30  # lists within lists that a question may have


@runtime_checkable
class Answering(Protocol):
    """Whoever answers: the desk of this process, or one that hands questions on."""

    def lines(self, asked: Asked) -> AsyncGenerator[str | Packed, None]:
        """Lines of JSON, the last of them, and that alone packed, the answer.

        Before the first it raises ValueError, with a sentence, where there is no such question, and Full.
        """
        ...

    def health(self) -> dict[str, Any]:
        """What it says about itself, as JSON."""
        ...


class Refused(Exception):
    """A question that is not taken; the message is a sentence for whoever asked."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None):
        super().__init__(message)
        self.status, self.headers = status, headers or {}


def routes(answering: Answering) -> list[Route]:
    """What is to be put before Gradio's own routes."""

    async def ask(request: Request) -> Response:
        try:
            asked = await read_as(Asked, request)
            with use_language(LanguageContext(asked.language)):
                lines = answering.lines(asked)
                first = await begun(lines)
        except Refused as refusal:
            headers = {**FRESH, **refusal.headers}
            return JSONResponse({"error": shortened(str(refusal))}, status_code=refusal.status, headers=headers)
        headers = {"Content-Encoding": "gzip"} if takes_gzip(request.headers) else {}
        sent = compressed(first, lines) if headers else whole(first, lines)
        return Sent(sent, media_type="application/x-ndjson", headers={**headers, **FRESH})

    async def health(request: Request) -> Response:
        return JSONResponse(answering.health(), headers=FRESH)

    return [Route("/ask", ask, methods=["POST"]), Route("/health", health, methods=["GET"])]


class Sent(StreamingResponse):
    """Whose connection is ended where nobody takes what is sent.

    Until then such a reader holds a slice, and what uvicorn and the system buffer of it; these let go of it when the
    system finds that nobody is there.
    """

    async def stream_response(self, send: Send) -> None:
        async def taken(message: Message) -> None:
            with fail_after(TAKEN):
                await send(message)

        with suppress(TimeoutError):  # uvicorn hangs up where an answer has no end, and writes that down
            await super().stream_response(taken)


HANG_UP = {"Connection": "close"}  # whoever is still sending has no reason to go on
FRESH = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second: a proxy hands the lines on as they come


async def read_as(kind: type[Model], request: Request) -> Model:
    """The question in a request. Raises Refused where it is none of this kind."""
    if foreign(request.headers):
        raise Refused(403, words.REFUSALS["foreign"])
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused(400, words.REFUSALS["json"])  # a form of another site's page could send anything else
    body = await body_of(request)
    try:
        return kind.model_validate(shallow(json.loads(body, parse_constant=number_refused)))
    except ValidationError as error:
        raise Refused(400, words.REFUSALS["malformed"].format(fault=first_fault(error))) from error
    except (ValueError, RecursionError) as error:  # json.loads: no JSON, no UTF-8, or too deep
        raise Refused(400, words.REFUSALS["json"]) from error


def shallow(sent: Any) -> Any:
    """The same. Raises ValueError where it is deeper than whoever is to write it down again can go."""
    level = [sent]
    for _ in range(DEEPEST):
        nested = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [part for one in nested for part in one]
        if not level:
            return sent
    raise ValueError("too deep")


async def body_of(request: Request) -> bytes:
    """What was sent. Raises Refused where it is too much, comes too slowly, or ends too early."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LARGEST:
        raise too_large()
    body = bytearray()
    try:
        with fail_after(SLOWEST):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST:
                    raise too_large()
    except TimeoutError as late:
        raise Refused(408, words.REFUSALS["slow"].format(seconds=SLOWEST), HANG_UP) from late
    except ClientDisconnect as gone:
        raise Refused(400, words.REFUSALS["json"], HANG_UP) from gone  # nobody reads it
    return bytes(body)


def too_large() -> Refused:
    return Refused(413, words.REFUSALS["large"].format(bytes=LARGEST), HANG_UP)


def foreign(headers: Headers) -> bool:
    """Whether the page of another site asks, as a browser says it. Gradio lets other sites read what answers say."""
    if "sec-fetch-site" in headers:  # not where the page is neither encrypted nor of the same machine
        return headers["sec-fetch-site"] not in ("same-origin", "none")
    hosts = {headers.get("host"), *headers.get("x-forwarded-host", "").replace(" ", "").split(",")}
    try:
        return "origin" in headers and urlsplit(headers["origin"]).netloc not in hosts - {""}
    except ValueError:  # it is no address
        return True


def takes_gzip(headers: Headers) -> bool:
    """Whether the answer may be compressed so (RFC 9110, section 12.5.3); a weight of 0 says that it may not."""
    weights = {}
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = not re.fullmatch(r"q=0(\.0{0,3})?", weight.replace(" ", ""))
    return weights.get("gzip", weights.get("*", False))


def number_refused(name: str) -> Any:
    raise ValueError(name)  # NaN and infinities, which JSON has not


async def begun(lines: AsyncGenerator[str | Packed, None]) -> str | Packed:
    """The first line. Raises Refused where the question is not taken.

    Whoever leaves before it, which takes at most explorer.ui.queue.PATIENCE, is found to be gone only then.
    """
    try:
        return await anext(lines)
    except Full as full:
        raise Refused(503, full_line(full), {"Retry-After": f"{full.seconds:.0f}"}) from full
    except ValueError as reason:
        raise Refused(400, str(reason)) from reason


async def whole(first: str | Packed, lines: AsyncGenerator[str | Packed, None]) -> AsyncGenerator[bytes, None]:
    """The lines as bytes, long ones in slices; whoever stops reading has withdrawn his question."""
    async with aclosing(lines):
        for part in parts(first):
            yield part
        async for line in lines:
            for part in parts(line):
                yield part


def parts(line: str | Packed) -> Iterable[bytes]:
    return line.plain() if isinstance(line, Packed) else [line.encode() + b"\n"]


async def compressed(first: str | Packed, lines: AsyncGenerator[str | Packed, None]) -> AsyncGenerator[bytes, None]:
    """As gzip, every line so that it can be read at once.

    An answer that comes at once is sent as it is kept. Browsers do not read on behind the end of what is packed, so
    that one for which somebody waited has to be packed again, together with the lines before it.
    """
    if isinstance(first, Packed):
        async with aclosing(lines):
            for part in first.slices():
                yield part
        return
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    async with aclosing(whole(first, lines)) as plain:
        async for part in plain:
            yield packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)
            await checkpoint()  # others have their turn: a slice takes 2 ms
    yield packer.flush()
