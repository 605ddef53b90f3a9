"""Which of the server's addresses are open: those that the page and programs need. Every other one is not there.

Gradio brings many more along: uploads, recordings, a proxy, deep links, an editor, monitoring. They take data that
nobody asked for, reach for other machines, or tell more than they should.
"""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.page.languages import below
from explorer.ui.language import LANGUAGES

MOST = 1_000_000  # bytes of a body: a sentence has 400 characters, an experiment some thousand
READ = (
    "",
    "health",
    "config",
    "theme.css",
    "robots.txt",
    "favicon.ico",
    "manifest.json",
    "pwa_icon",
    "(assets|static|svelte)/.+",
    "gradio_api/(info|openapi.json|startup-events|app_id|theme.css)",
    "gradio_api/heartbeat/[^/]+",
    "gradio_api/queue/data",
    "gradio_api/call/[^/]+/[^/]+",
    r"gradio_api/file=(?!\w{2,}:|[\\/]{2}).+",  # of this machine: no https:, which Gradio would fetch, no network share
)
SENT = (
    "ask",
    "toys",
    "gradio_api/queue/join",
    "gradio_api/call/(v2/)?[^/]+",
    "gradio_api/(cancel|reset)",
)
OPEN = {"GET": READ, "HEAD": READ, "POST": SENT}
PATTERNS = {method: re.compile("|".join(f"(?:{path})" for path in paths)) for method, paths in OPEN.items()}


@dataclass(frozen=True)
class Doors:
    """ASGI middleware that answers what is not open, and what is too large, before anything of it is read."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A refusal closes the connection: whoever is sending has no reason to go on."""
        refusal = refused(scope) if scope["type"] == "http" else None
        if refusal is None:
            return await self.app(scope, receive, send)
        status, text = refusal
        return await PlainTextResponse(f"{text}\n", status, {"Connection": "close"})(scope, receive, send)


def refused(scope: Scope) -> tuple[int, str] | None:
    """Status and sentence for a request that goes no further, else None."""
    path = below(scope).strip("/")
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
    if not re.fullmatch(r"\d{1,18}", length) or int(length) > MOST:
        return 413, f"This is too much: at most {MOST // 1000} kB."
    return None
