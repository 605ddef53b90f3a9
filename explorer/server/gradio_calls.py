"""Keeps calls that Gradio's open endpoints cannot answer from ending in a traceback, which has 5 kB in the log."""

from dataclasses import dataclass

from gradio.route_utils import FnIndexInferError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.server import words
from explorer.server.http import error_response
from explorer.server.language_redirect import path_below_proxy

PREFIX = "gradio_api/"
# For an unknown name, number or argument, for text that UTF-8 does not have, and for a stream without events.
RAISED = (FnIndexInferError, KeyError, TypeError, UnicodeEncodeError, RuntimeError)


@dataclass(frozen=True)
class GradioCalls:
    """ASGI middleware that answers with a sentence where Gradio's routes raise; a stream has said why, and ends."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not path_below_proxy(scope).strip("/").startswith(PREFIX):
            return await self.app(scope, receive, send)
        has_started = False

        async def send_noted(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self.app(scope, receive, send_noted)
        except RAISED:
            if has_started:
                await send({"type": "http.response.body"})
            else:
                await error_response(400, words.REFUSALS["call"], {})(scope, receive, send)
