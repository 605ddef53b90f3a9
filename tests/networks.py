"""Networks between a page and its class that hold back, delay or lose what the server sends."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from serving import Proxy
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse


async def nothing() -> AsyncIterator[bytes]:
    """The body of a response that never comes."""
    await asyncio.Event().wait()
    yield b""


@dataclass(eq=False)
class Network(Proxy):
    """A proxy that treats the responses of classes as `mode` says; all others pass.

    "whole": like a filter that scans, hands on a response once it is complete. "headers": hands on the headers alone.
    "late": after `delay` seconds.
    """

    path: str = ""
    strip: bool = False
    mode: str = ""
    delay: float = 4.0
    lost: set[int] = field(default_factory=set)  # numbers of requests whose connection has died
    under_way: set[int] = field(default_factory=set)

    def lose_connections(self) -> None:
        """What is under way is never answered, and nobody is told: as after a phone's sleep."""
        self.lost |= self.under_way

    async def answer(self, request: Request) -> Response:
        if not request.url.path.startswith("/class/"):
            return await super().answer(request)
        number = id(request)
        self.under_way.add(number)
        answer = await super().answer(request)
        if self.mode == "whole" and isinstance(answer, StreamingResponse):
            whole = b"".join([bytes(chunk) async for chunk in answer.body_iterator])
            headers = dict(answer.headers)
            answer = Response(whole, answer.status_code, headers)
        if self.mode == "late":
            await asyncio.sleep(self.delay)
        self.under_way.remove(number)
        if number in self.lost or self.mode == "headers":
            answer = StreamingResponse(nothing(), headers={"content-type": "application/json"})
        return answer
