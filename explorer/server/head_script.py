"""The script that runs before anything else on the page: Gradio's own `head` comes after Gradio's scripts."""

from dataclasses import dataclass
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.page.head import head_script
from explorer.server.documents import GRADIO_LINK, RELATIVE_LINK
from explorer.server.language_redirect import page_language, proxy_path
from explorer.ui.language import FIRST

# All URLs of the page are relative; a proxy may pass on /x as if it were /x/. This comes before everything else.
ADD_SLASH = """<script>
if (!location.pathname.endsWith("/")) {
  window.stop();
  location.replace(`${location.pathname}/${location.search}${location.hash}`);
}
</script>"""
HEAD = b"<head>"
ASSETS = b'"./assets/'  # as Gradio writes the URLs of its script and style


@dataclass(frozen=True)
class HeadScript:
    """ASGI middleware that inserts the script into the page's HTML, and corrects URLs that Gradio writes."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Other responses pass unchanged."""
        language = page_language(scope) if scope["type"] == "http" else None
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
                first = f"{ADD_SLASH if language == FIRST else ''}<script>{head_script(language)}</script>"
                whole = bytes(body).replace(HEAD, HEAD + first.encode(), 1).replace(GRADIO_LINK, RELATIVE_LINK, 1)
                whole = whole.replace(ASSETS, assets(scope))
                headers = MutableHeaders(raw=start["headers"])
                if "content-length" in headers and scope["method"] != "HEAD":
                    headers["content-length"] = str(len(whole))
                await send(start)
                await send({**message, "body": whole})

        return await self.app(scope, receive, collect)


def assets(scope: Scope) -> bytes:
    """The same, below the path of a proxy.

    A browser looks for what it can prefetch while it still runs ADD_SLASH: at /x it would look for them beside x.
    """
    path = proxy_path(scope)
    return b'"%s/assets/' % quote(path, safe="/%").encode() if path else ASSETS
