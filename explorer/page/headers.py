"""What a browser is told beside every answer: what it may do with it."""

from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.page.languages import language_of

# Of every answer. Addresses of the page hold sentences: no other site learns them from a link that is followed.
ALWAYS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
# Of the page: it asks nothing of another machine. Gradio has scripts in the page, and makes functions of texts. Whoever
# wants may show the page in a frame, as Spaces and learning platforms do.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'none'",
    ]
)
# Of a page that is a few words and a link.
BARE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Told:
    """ASGI middleware that puts these headers on every answer."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        found = {**ALWAYS, "Content-Security-Policy": POLICY} if language_of(scope) else ALWAYS

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(found)
            await send(message)

        return await self.app(scope, receive, tell)
