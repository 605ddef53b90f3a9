"""Routes /toy/KEY/ to the page of that model; nothing lists the keys."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.page import words
from explorer.server.language_redirect import LanguageRedirect, path_below_proxy, proxy_path
from explorer.server.security_headers import PLAIN_POLICY
from explorer.server.toy_pages.pages import ToyPages
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language

ADDRESS = re.compile(r"/toy/(?P<key>[^/]*)(?P<rest>/.*)?", re.S)
GONE_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font: 17px/1.5 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em">
<h1 style="font-size: 1.3em">{title}</h1><p>{text}</p><p><a href="{address}">{back}</a></p></body></html>
"""


@dataclass(frozen=True)
class ToyPageMiddleware:
    """ASGI middleware that passes requests below a key to its page, as a proxy that strips the path.

    That page has an allowlist of its own (allowlist.py).
    """

    app: ASGIApp
    pages: ToyPages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = ADDRESS.fullmatch(path_below_proxy(scope)) if scope["type"] == "http" else None
        if match is None:
            return await self.app(scope, receive, send)
        key, rest = match["key"], match["rest"] or "/"
        if key and not match["rest"] and scope["method"] in ("GET", "HEAD"):
            return await add_slash(scope, key)(scope, receive, send)
        page = await self.pages.page(key, f"{scope.get('root_path', '').rstrip('/')}/toy/{key}")
        if page is None:
            return await not_found(scope, rest)(scope, receive, send)
        return await page({**scope, "path": rest, "raw_path": rest.encode(), "root_path": ""}, receive, send)


def add_slash(scope: Scope, key: str) -> Response:
    """Redirects to the URL with a slash behind the key: the page's URLs are relative to it."""
    query = scope["query_string"].decode("latin-1")
    return RedirectResponse(f"./{quote(key, safe='')}/{query and '?'}{query}", status_code=307)


def not_found(scope: Scope, rest: str) -> Response:
    """Says that the model does not exist any more: as a page, or as the answer to a question of one."""
    path = rest.strip("/")
    language = path if path in LANGUAGES else LanguageRedirect(PlainTextResponse("")).language_for(Headers(scope=scope))
    headers = {"Cache-Control": "no-store", "Connection": "close"}
    with use_language(LanguageContext(language)):
        if path == "ask":
            return JSONResponse({"error": words.GONE["text"]}, 404, headers)
        if scope["method"] not in ("GET", "HEAD") or path not in ("", *LANGUAGES):
            return PlainTextResponse(f"{words.GONE['title']}\n", 404, headers)
        address = f"{proxy_path(scope)}/{'' if language == FIRST else language}"
        texts = {name: escape(text) for name, text in {**words.GONE, "address": address}.items()}
        headers["Content-Security-Policy"] = PLAIN_POLICY
        return HTMLResponse(GONE_PAGE.format(language=language, **texts), 404, headers)
