"""The route by which the page asks what needs the model (POST /ask), and GET /health.

A request is {"question": ..., "given": [...], "language": "en", "visitor": ...}. The response is lines of JSON: every
line but the last is {"ahead": 3}, sent now and then to a waiting client; the last is the answer, or
{"error": a sentence}. Closing the connection withdraws the question.
"""

import json
import re
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from functools import wraps
from typing import Any, TypeVar

from anyio import fail_after
from anyio.lowlevel import checkpoint
from pydantic import BaseModel, ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Send

from explorer.server import words
from explorer.server.answer_service import GZIP_LEVEL, GZIP_WBITS, AnswerService, AskRequest, CompressedAnswer
from explorer.server.client_address import client_address
from explorer.server.language_redirect import visitor_language
from explorer.server.log import log_bug
from explorer.ui.language import LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import first_fault, shorten
from explorer.ui.queue import Unavailable
from model.errors import UserError

Model = TypeVar("Model", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]
MAX_REQUEST_BYTES = 100_000  # the notes of a report may have 20,000 characters of four bytes each
READ_TIMEOUT_SECONDS = 10  # for a whole request
SEND_TIMEOUT_SECONDS = 60  # for a chunk of a response
MAX_JSON_DEPTH = 30
CLOSE_CONNECTION = {"Connection": "close"}  # a client that is still sending has no reason to go on
UNCACHED = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second: a proxy passes lines on at once


class RequestError(Exception):
    """A request that is refused; the message is a sentence for the visitor."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None):
        super().__init__(message)
        self.status, self.headers = status, headers or {}


def with_error_responses(handler: Handler) -> Handler:
    """The handler of a route; its RequestError or UserError becomes the response {"error": a sentence}.

    Of any other error the visitor learns only that there was one; the log has its traceback. The sentence is in the
    language that the request names, or else in the browser's.
    """

    @wraps(handler)
    async def answer(request: Request) -> Response:
        with use_language(LanguageContext(visitor_language(request.headers))):
            try:
                return await handler(request)
            except RequestError as error:
                return error_response(error.status, str(error), error.headers)
            except UserError as reason:
                return error_response(getattr(reason, "status", 400), str(reason), {})
            except Exception:
                log_bug(request.url.path)
                return error_response(500, words.REFUSALS["bug"], {})

    return answer


def routes(service: AnswerService) -> list[Route]:
    """The routes /ask and /health, which come before Gradio's own."""

    @with_error_responses
    async def ask(http_request: Request) -> Response:
        request = await parse_request(AskRequest, http_request)
        with use_language(LanguageContext(request.language)):
            lines = service.lines(request, client_address(http_request))
            first = await first_line(lines)
        headers = {"Content-Encoding": "gzip"} if accepts_gzip(http_request.headers) else {}
        body = gzip_lines(first, lines) if headers else line_bytes(first, lines)
        return AnswerResponse(body, media_type="application/x-ndjson", headers={**headers, **UNCACHED})

    async def health(http_request: Request) -> Response:
        return JSONResponse(service.health(), headers=UNCACHED)

    return [Route("/ask", ask, methods=["POST"]), Route("/health", health, methods=["GET"])]


def error_response(status: int, reason: str, headers: Mapping[str, str]) -> JSONResponse:
    return JSONResponse({"error": shorten(reason)}, status, {**UNCACHED, **headers})


class AnswerResponse(StreamingResponse):
    """Closes the connection when the client stops reading.

    Until then such a client holds one chunk, and what uvicorn and the system buffer of it.
    """

    async def stream_response(self, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            with fail_after(SEND_TIMEOUT_SECONDS):
                await send(message)

        with suppress(TimeoutError):  # uvicorn closes a connection whose response is incomplete, and logs it
            await super().stream_response(send_in_time)


async def parse_request(kind: type[Model], request: Request) -> Model:
    """The body of a request as a model, in whose language the handler then speaks. Raises RequestError."""
    data, _ = await read_json(request)
    request_model = validated(kind, data)
    LANGUAGE_CONTEXT.set(LanguageContext(data["language"]))  # until `with_error_responses` is done
    return request_model


def validated(kind: type[Model], data: Any) -> Model:
    """Raises RequestError, in the language that the data name."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        named = data.get("language") if isinstance(data, dict) else None
        language = named if isinstance(named, str) and named in LANGUAGES else LANGUAGE_CONTEXT.get().language
        with use_language(LanguageContext(language)):
            raise RequestError(400, words.REFUSALS["malformed"].format(fault=first_fault(error))) from error


async def read_json(request: Request) -> tuple[Any, bytes]:
    """The body of a request, parsed and as it came. Raises RequestError."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError(400, words.REFUSALS["json"])  # a form of another site could send anything else
    body = await read_body(request)
    try:
        return require_shallow(json.loads(body, parse_constant=refuse_constant)), body
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, or too deep
        raise RequestError(400, words.REFUSALS["json"]) from error


def require_shallow(data: Any) -> Any:
    """The same data. Raises ValueError where it is nested deeper than json.dumps can follow."""
    level = [data]
    for _ in range(MAX_JSON_DEPTH):
        nested = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [part for one in nested for part in one]
        if not level:
            return data
    raise ValueError("too deep")


async def read_body(request: Request) -> bytes:
    """Raises RequestError for a body that is too large, comes too slowly, or is incomplete."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_REQUEST_BYTES:
        raise body_too_large()
    body = bytearray()
    try:
        with fail_after(READ_TIMEOUT_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_REQUEST_BYTES:
                    raise body_too_large()
    except TimeoutError as error:
        message = words.REFUSALS["slow"].format(seconds=READ_TIMEOUT_SECONDS)
        raise RequestError(408, message, CLOSE_CONNECTION) from error
    except ClientDisconnect as error:
        raise RequestError(400, words.REFUSALS["json"], CLOSE_CONNECTION) from error  # nobody reads it
    return bytes(body)


def body_too_large() -> RequestError:
    return RequestError(413, words.REFUSALS["large"].format(bytes=MAX_REQUEST_BYTES), CLOSE_CONNECTION)


def accepts_gzip(headers: Headers) -> bool:
    """Whether the response may be compressed with gzip (RFC 9110, section 12.5.3); a weight of 0 forbids it."""
    weights = {}
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = not re.fullmatch(r"q=0(\.0{0,3})?", weight.replace(" ", ""))
    return weights.get("gzip", weights.get("*", False))


def refuse_constant(name: str) -> Any:
    """Raises ValueError: NaN and infinities are no JSON."""
    raise ValueError(name)


async def first_line(lines: AsyncGenerator[str | CompressedAnswer, None]) -> str | CompressedAnswer:
    """The first line. Raises RequestError where the queue is full or closed, UserError for a refused question.

    A client that leaves before it, which takes at most POSITION_SECONDS, is noticed only then.
    """
    try:
        return await anext(lines)
    except Unavailable as error:
        raise RequestError(503, str(error), {"Retry-After": f"{error.seconds:.0f}"}) from error


async def line_bytes(
    first: str | CompressedAnswer, lines: AsyncGenerator[str | CompressedAnswer, None]
) -> AsyncGenerator[bytes, None]:
    """All lines as bytes, long ones in chunks."""
    async with aclosing(lines):
        for chunk in encoded_line(first):
            yield chunk
        async for line in lines:
            for chunk in encoded_line(line):
                yield chunk


def encoded_line(line: str | CompressedAnswer) -> Iterable[bytes]:
    return line.plain() if isinstance(line, CompressedAnswer) else [line.encode() + b"\n"]


async def gzip_lines(
    first: str | CompressedAnswer, lines: AsyncGenerator[str | CompressedAnswer, None]
) -> AsyncGenerator[bytes, None]:
    """All lines as one gzip stream, flushed after every line (Starlette's middleware would hold lines back).

    A cached answer is sent as it is. Browsers stop at the end of the first gzip member, so that an answer which comes
    after other lines is compressed again together with them.
    """
    if isinstance(first, CompressedAnswer):
        async with aclosing(lines):
            for chunk in first.chunks():
                yield chunk
        return
    compressor = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WBITS)
    async with aclosing(line_bytes(first, lines)) as plain:
        async for chunk in plain:
            yield compressor.compress(chunk) + compressor.flush(zlib.Z_SYNC_FLUSH)
            await checkpoint()  # a chunk takes 2 ms: others have their turn
    yield compressor.flush()
