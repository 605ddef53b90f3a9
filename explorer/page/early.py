"""The script that runs before anything else on the page: Gradio's own `head` comes only after Gradio has begun."""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.page.installed import BELOW, LINK
from explorer.page.languages import language_of, path_of_proxy
from explorer.ui.language import FIRST

SCRIPT = (Path(__file__).parent / "early.js").read_text(encoding="utf-8")
# The page asks for all it needs from where it stands; a proxy may hand on /x as if it were /x/. Nothing comes before.
SLASH = """<script>
if (!location.pathname.endsWith("/")) {
  window.stop();
  location.replace(`${location.pathname}/${location.search}${location.hash}`);
}
</script>"""
HEAD = b"<head>"
ASSETS = b'"./assets/'  # as Gradio writes where its script and its style lie


@dataclass(frozen=True)
class Early:
    """ASGI middleware that puts the script at the beginning of the page's HTML, and mends what Gradio writes there."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Everything but the page itself goes on as it is."""
        language = language_of(scope) if scope["type"] == "http" else None
        if language is None:
            return await self.app(scope, receive, send)
        start: Message = {}
        body = bytearray()

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body"):
                first = (SLASH if language == FIRST else "") + script(language)
                whole = bytes(body).replace(HEAD, HEAD + first.encode(), 1).replace(LINK, BELOW, 1)
                whole = whole.replace(ASSETS, assets(scope))
                headers = MutableHeaders(raw=start["headers"])
                if "content-length" in headers and scope["method"] != "HEAD":
                    headers["content-length"] = str(len(whole))
                await send(start)
                await send({**message, "body": whole})

        return await self.app(scope, receive, collect)


def assets(scope: Scope) -> bytes:
    """The same, below the path of a proxy wherever the visitor stands.

    A browser looks for what it can fetch early while it still runs SLASH: at /x it would seek them beside x.
    """
    path = path_of_proxy(scope)
    return b'"%s/assets/' % quote(path, safe="/%").encode() if path else ASSETS


def script(language: str) -> str:
    """What runs on the page in a language; it cannot end inside, for it is ours."""
    return f"<script>{SCRIPT.replace('LANGUAGE', json.dumps(language), 1)}</script>"
