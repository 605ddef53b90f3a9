"""What begins the page's HTML, before Gradio's own scripts: our first script, and the start of our page.

The page so is there as soon as its own files are; Gradio takes it in when it is ready itself (explorer/page/ui.py).
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.lessons.url_state import parse_query
from explorer.page.head import head_script, root_address, without_scripts
from explorer.page.link_preview import link_preview, picture_url, shows_change
from explorer.page.ui import ELEMENT, OPEN
from explorer.server.documents import GRADIO_LINK, RELATIVE_LINK
from explorer.server.language_redirect import page_language, proxy_path
from explorer.ui.bundle import bundle
from explorer.ui.component import PLOTLY_JS, url
from explorer.ui.language import FIRST, LanguageContext, use_language

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
GRADIO_PREVIEW = re.compile(rb'<meta\s+(property="og:|name="twitter:)[^>]*>\s*')  # of another page than ours
# The address has the same slash at its end. Beside a base Plotly names gradients by the whole address, under which they
# are not found any more once it has changed: colour bars would go blank.
BASE = b'<base href="./" />'
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
                whole = GRADIO_PREVIEW.sub(b"", bytes(body)).replace(
                    HEAD, HEAD + beginning(language, scope).encode(), 1
                )
                before, end, after = whole.rpartition(END)
                whole = before + without_scripts(language).encode() + end + after  # in <head> it would begin the body
                whole = whole.replace(GRADIO_LINK, RELATIVE_LINK, 1).replace(BASE, b"", 1)
                whole = whole.replace(ASSETS, b'"%s/assets/' % root(scope).encode())
                headers = MutableHeaders(raw=start["headers"])
                if "content-length" in headers and scope["method"] != "HEAD":
                    headers["content-length"] = str(len(whole))
                await send(start)
                await send({**message, "body": whole})

        return await self.app(scope, receive, collect)


def beginning(language: str, scope: Scope) -> str:
    """The first script, links to what the first picture needs, the page's start, the link's preview."""
    slash = ADD_SLASH if language == FIRST else ""
    modules, plotly = (f"{root(scope)}{url(path)[1:]}" for path in (bundle(), PLOTLY_JS))
    preloads = f'<link rel="modulepreload" href="{modules}"><link rel="preload" as="script" href="{plotly}">'
    query = parse_query(scope["query_string"].decode("latin-1"))
    with use_language(LanguageContext(language)):
        picture = public_address(scope) + picture_url(query)
        preview = link_preview(picture, query.get("sentence", ""), is_changed=shows_change(query))
    return f"{slash}<script>{head_script(language)}</script>{preloads}{START}{preview}"


def public_address(scope: Scope) -> str:
    """The address of the page in the first language, as visitors have it: that of the Space or of GRADIO_ROOT_PATH.

    Else it is that of the request, whose host has been checked (trusted_hosts.py), with the path of a proxy.
    """
    root, proxy = root_address(), urlsplit(scope.get("root_path", ""))
    if root:
        return root
    origin = f"{proxy.scheme}://{proxy.netloc}" if proxy.netloc else f"{scope['scheme']}://{host_of(scope)}"
    return f"{origin}{quote(proxy_path(scope), safe='/%')}/"


def host_of(scope: Scope) -> str:
    return Headers(scope=scope).get("host", "localhost")


def root(scope: Scope) -> str:
    """What URLs begin with that a browser may prefetch: the path of a proxy, or "." for none.

    A browser looks for them while it still runs ADD_SLASH: at /x it would look for relative ones beside x.
    """
    return quote(proxy_path(scope), safe="/%") or "."
