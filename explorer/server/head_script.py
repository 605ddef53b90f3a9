"""What begins the page's HTML, before Gradio's own scripts: our first script, and the start of our page.

The page so is there as soon as its own files are; Gradio takes it in when it is ready itself (explorer/page/ui.py).
"""

from dataclasses import dataclass
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.page.head import head_script, without_scripts
from explorer.page.ui import ELEMENT, OPEN
from explorer.server.documents import GRADIO_LINK, RELATIVE_LINK
from explorer.server.language_redirect import page_language, proxy_path
from explorer.ui.bundle import bundle
from explorer.ui.component import PLOTLY_JS, url
from explorer.ui.language import FIRST

# All URLs of the page are relative; a proxy may pass on /x as if it were /x/. This comes before everything else.
ADD_SLASH = """<script>
if (!location.pathname.endsWith("/")) {
  window.stop();
  location.replace(`${location.pathname}/${location.search}${location.hash}`);
}
</script>"""
START = f"""<script type="module">
const component = gradio_config.components.find(({{ props }}) => props.elem_id === "{ELEMENT}");
if (component) {{
  await ({OPEN})(document.body, component.props.props);
  gradio_config.title = document.title; // Gradio would write that of the first language
}}
</script>"""
HEAD, END = b"<head>", b"</body>"
ASSETS = b'"./assets/'  # as Gradio writes the URLs of its script and style


@dataclass(frozen=True)
class HeadScript:
    """ASGI middleware that inserts these into the page's HTML, and corrects URLs that Gradio writes."""

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
                whole = bytes(body).replace(HEAD, HEAD + beginning(language, scope).encode(), 1)
                before, end, after = whole.rpartition(END)
                whole = before + without_scripts(language).encode() + end + after  # in <head> it would begin the body
                whole = whole.replace(GRADIO_LINK, RELATIVE_LINK, 1)
                whole = whole.replace(ASSETS, b'"%s/assets/' % root(scope).encode())
                headers = MutableHeaders(raw=start["headers"])
                if "content-length" in headers and scope["method"] != "HEAD":
                    headers["content-length"] = str(len(whole))
                await send(start)
                await send({**message, "body": whole})

        return await self.app(scope, receive, collect)


def beginning(language: str, scope: Scope) -> str:
    """The first script, links to what the first picture needs, and the start of the page."""
    slash = ADD_SLASH if language == FIRST else ""
    modules, plotly = (f"{root(scope)}{url(path)[1:]}" for path in (bundle(), PLOTLY_JS))
    preloads = f'<link rel="modulepreload" href="{modules}"><link rel="preload" as="script" href="{plotly}">'
    return f"{slash}<script>{head_script(language)}</script>{preloads}{START}"


def root(scope: Scope) -> str:
    """What URLs begin with that a browser may prefetch: the path of a proxy, or "." for none.

    A browser looks for them while it still runs ADD_SLASH: at /x it would look for relative ones beside x.
    """
    return quote(proxy_path(scope), safe="/%") or "."
