"""The route by which the page asks what needs the model, and the one that says how the server is.

POST /ask takes {"question": ..., "given": [...], "language": "en", "visitor": ...} and answers with lines of JSON:
every line but the last is {"ahead": 3}, sent now and then to whoever waits; the last is the answer (weights alone are
letters), or {"error": a sentence}. Closing the connection withdraws the question. Another site's page is not answered.
"""

import json
import re
import zlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, Protocol, runtime_checkable
from urllib.parse import urlsplit

from anyio import fail_after, to_thread
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from explorer.serving import words
from explorer.serving.desk import Asked
from explorer.shared.faults import first_fault, shortened
from explorer.shared.language import Voice, speaking
from explorer.shared.queue import Full
from explorer.shared.queued import full_line

LARGEST = 100_000  # bytes of a question: the notes of a report may have 20,000 characters of four bytes each
SLOWEST = 10  # seconds that a question may take to come in
BY_THREAD = 50_000  # characters from which on compressing takes longer than going to a thread for it
LEVEL = 4  # of 9; more takes longer than it saves


@runtime_checkable
class Answering(Protocol):
    """Whoever answers: the desk of this process, or one that hands questions on."""

    def lines(self, asked: Asked) -> AsyncGenerator[str, None]:
        """Lines of JSON, the last of them the answer.

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
            asked = await question_of(request)
            with speaking(Voice(asked.language)):
                lines = answering.lines(asked)
                first = await begun(lines)
        except Refused as refusal:
            headers = {**FRESH, **refusal.headers}
            return JSONResponse({"error": shortened(str(refusal))}, status_code=refusal.status, headers=headers)
        headers = {"Content-Encoding": "gzip"} if takes_gzip(request.headers) else {}
        sent = compressed(whole(first, lines)) if headers else whole(first, lines)
        return StreamingResponse(sent, media_type="application/x-ndjson", headers={**headers, **FRESH})

    async def health(request: Request) -> Response:
        return JSONResponse(answering.health(), headers=FRESH)

    return [Route("/ask", ask, methods=["POST"]), Route("/health", health, methods=["GET"])]


HANG_UP = {"Connection": "close"}  # whoever is still sending has no reason to go on
FRESH = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second: a proxy hands the lines on as they come


async def question_of(request: Request) -> Asked:
    """The question in a request. Raises Refused where it is none."""
    if foreign(request.headers):
        raise Refused(403, words.REFUSALS["foreign"])
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused(400, words.REFUSALS["json"])  # a form of another site's page could send anything else
    body = await body_of(request)
    try:
        return Asked.model_validate(json.loads(body, parse_constant=number_refused))
    except ValidationError as error:
        raise Refused(400, words.REFUSALS["malformed"].format(fault=first_fault(error))) from error
    except (ValueError, RecursionError) as error:  # json.loads: no JSON, no UTF-8, or too deep
        raise Refused(400, words.REFUSALS["json"]) from error


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
    return "origin" in headers and urlsplit(headers["origin"]).netloc not in hosts - {""}


def takes_gzip(headers: Headers) -> bool:
    """Whether the answer may be compressed so (RFC 9110, section 12.5.3); a weight of 0 says that it may not."""
    weights = {}
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = not re.fullmatch(r"q=0(\.0{0,3})?", weight.replace(" ", ""))
    return weights.get("gzip", weights.get("*", False))


def number_refused(name: str) -> Any:
    raise ValueError(name)  # NaN and infinities, which JSON has not


async def begun(lines: AsyncGenerator[str, None]) -> str:
    """The first line. Raises Refused where the question is not taken."""
    try:
        return await anext(lines)
    except Full as full:
        raise Refused(503, full_line(full), {"Retry-After": f"{full.seconds:.0f}"}) from full
    except ValueError as reason:
        raise Refused(400, str(reason)) from reason


async def whole(first: str, lines: AsyncGenerator[str, None]) -> AsyncGenerator[bytes, None]:
    """The lines as bytes; whoever stops reading has withdrawn his question."""
    yield first.encode() + b"\n"
    async with aclosing(lines) as others:
        async for line in others:
            yield line.encode() + b"\n"


async def compressed(lines: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """As gzip, every line so that it can be read at once."""
    packer = zlib.compressobj(LEVEL, wbits=31)

    def packed(line: bytes) -> bytes:
        return packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH)

    async with aclosing(lines) as others:
        async for line in others:
            yield await to_thread.run_sync(packed, line) if len(line) > BY_THREAD else packed(line)
    yield packer.flush()
