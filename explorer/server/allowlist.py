"""The allowlist of routes: those that the page and programs need. Every other one answers 404.

Gradio brings many more: uploads, recordings, a proxy, deep links, an editor, monitoring. They accept data that nobody
needs, connect to other machines, or reveal more than they should.
"""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.server.language_redirect import path_below_proxy
from explorer.ui.language import LANGUAGES

MAX_BODY_BYTES = 1_000_000  # a sentence has 400 characters, an experiment some thousand
GET_ROUTES = (
    "",
    "health",
    r"docs/[\w.-]+",
    "LICENSE",
    "source.zip",
    "config",
    "theme.css",
    "robots.txt",
    "favicon.ico",
    "manifest.json",
    "preview.png",
    "pwa_icon",
    "(assets|static|svelte)/.+",
    "gradio_api/(info|openapi.json|startup-events|app_id|theme.css)",
    "gradio_api/heartbeat/[^/]+",
    "join",
    "class/[^/]+",
    "gradio_api/queue/data",
    "gradio_api/call/[^/]+/[^/]+",
    r"gradio_api/file=(?!\w{2,}:|[\\/]{2}).+",  # of this machine: no https:, which Gradio would fetch, no network share
)
POST_ROUTES = (
    "ask",
    "toys",
    "class(/[^/]+)?",
    "gradio_api/queue/join",
    "gradio_api/call/(v2/)?[^/]+",
    "gradio_api/(cancel|reset)",
)
ALLOWED_ROUTES = {"GET": GET_ROUTES, "HEAD": GET_ROUTES, "POST": POST_ROUTES}
PATTERNS = {method: re.compile("|".join(f"(?:{path})" for path in paths)) for method, paths in ALLOWED_ROUTES.items()}


@dataclass(frozen=True)
class RouteAllowlist:
    """ASGI middleware that refuses other routes, and bodies that are too large, before reading any of them."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A refusal closes the connection: a client that is still sending has no reason to go on."""
        refusal = refusal_for(scope) if scope["type"] == "http" else None
        if refusal is None:
            return await self.app(scope, receive, send)
        status, text = refusal
        return await PlainTextResponse(f"{text}\n", status, {"Connection": "close"})(scope, receive, send)


def refusal_for(scope: Scope) -> tuple[int, str] | None:
    """Status and sentence for a request that is refused, else None."""
    path = path_below_proxy(scope).strip("/")
    pattern = PATTERNS.get(scope["method"])
    page = path in LANGUAGES and scope["method"] in ("GET", "HEAD")
    if not page and (pattern is None or not pattern.fullmatch(path)):
        if path == "ask":
            return 405, "Questions are sent by POST."
        return 404, "There is nothing at this address."
    headers = Headers(scope=scope)
    if "transfer-encoding" in headers:
        return 411, "Say how long this is (Content-Length)."
    length = headers.get("content-length", "0")
    if not re.fullmatch(r"\d{1,18}", length) or int(length) > MAX_BODY_BYTES:
        return 413, f"This is too much: at most {MAX_BODY_BYTES // 1000} kB."
    return None
