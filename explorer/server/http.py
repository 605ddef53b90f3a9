"""What the routes share: reading and checking a request, errors as sentences, and responses that stream."""

import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from functools import wraps
from typing import Annotated, Any, TypeVar

from anyio import fail_after
from pydantic import AfterValidator, BaseModel, ValidationError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Message, Send

from explorer.server import words
from explorer.server.language_redirect import visitor_language
from explorer.server.log import log_bug
from explorer.ui.language import LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import first_fault, shorten
from model.errors import UserError

Model = TypeVar("Model", bound=BaseModel)
Handler = Callable[[Request], Awaitable[Response]]
MAX_REQUEST_BYTES = 100_000  # the notes of a report may have 20,000 characters of four bytes each
READ_TIMEOUT_SECONDS = 10  # for a whole request
SEND_TIMEOUT_SECONDS = 60  # for a chunk of a response
MAX_JSON_DEPTH = 30
CLOSE_CONNECTION = {"Connection": "close"}  # a client that is still sending has no reason to go on
UNCACHED = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the second: a proxy passes lines on at once


def validate_language(language: str) -> str:
    """Raises ValueError for a language that the page does not have."""
    if language not in LANGUAGES:
        raise ValueError(words.REFUSALS["language"].format(languages=", ".join(LANGUAGES)))
    return language


LanguageCode = Annotated[str, AfterValidator(validate_language)]  # of a request


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


def error_response(status: int, reason: str, headers: Mapping[str, str]) -> JSONResponse:
    return JSONResponse({"error": shorten(reason)}, status, {**UNCACHED, **headers})


class StreamedResponse(StreamingResponse):
    """Closes the connection when the client stops reading, and its generator at the latest then.

    Until then such a client holds one chunk, and what uvicorn and the system buffer of it.
    """

    def __init__(self, content: AsyncGenerator[bytes, None], headers: Mapping[str, str], media_type: str):
        super().__init__(content, headers=headers, media_type=media_type)
        self.content = content

    async def stream_response(self, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            with fail_after(SEND_TIMEOUT_SECONDS):
                await send(message)

        async with aclosing(self.content):
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
