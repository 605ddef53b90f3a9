"""Security headers of every response, among them the content security policy of the page."""

from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.server.language_redirect import page_language

# Of every response. URLs of the page hold sentences: other sites must not learn them as referrers.
ALWAYS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
# Of the page: it requests nothing of another machine. Gradio has inline scripts and evaluates texts as functions. Any
# site may show the page in a frame, as Spaces and learning platforms do.
PAGE_POLICY = "; ".join(
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
PLAIN_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class SecurityHeaders:
    """ASGI middleware that adds these headers to every response."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = {**ALWAYS, "Content-Security-Policy": PAGE_POLICY} if page_language(scope) else ALWAYS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        return await self.app(scope, receive, send_with_headers)
