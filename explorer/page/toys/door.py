"""What stands below /toy/: the page of a model for whoever knows its key, and nothing that lists them."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.page import words
from explorer.page.headers import BARE
from explorer.page.languages import Leading, below, path_of_proxy
from explorer.page.toys.pages import ToyPages
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language

ADDRESS = re.compile(r"/toy/(?P<key>[^/]*)(?P<rest>/.*)?", re.S)
GONE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font: 17px/1.5 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em">
<h1 style="font-size: 1.3em">{title}</h1><p>{text}</p><p><a href="{address}">{back}</a></p></body></html>
"""


@dataclass(frozen=True)
class ToyDoor:
    """ASGI middleware that hands on what is below a key to its page, as if a proxy had taken the path away.

    What is open there is up to the doors of that page (doors.py).
    """

    app: ASGIApp
    pages: ToyPages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = ADDRESS.fullmatch(below(scope)) if scope["type"] == "http" else None
        if found is None:
            return await self.app(scope, receive, send)
        key, rest = found["key"], found["rest"] or "/"
        if key and not found["rest"] and scope["method"] in ("GET", "HEAD"):
            return await below_key(scope, key)(scope, receive, send)
        page = await self.pages.page(key, f"{scope.get('root_path', '').rstrip('/')}/toy/{key}")
        if page is None:
            return await gone(scope, rest)(scope, receive, send)
        return await page({**scope, "path": rest, "raw_path": rest.encode(), "root_path": ""}, receive, send)


def below_key(scope: Scope, key: str) -> Response:
    """Leads to the slash behind a key: what the page asks for, and where it leads back to, is sought from there."""
    query = scope["query_string"].decode("latin-1")
    return RedirectResponse(f"./{quote(key, safe='')}/{query and '?'}{query}", status_code=307)


def gone(scope: Scope, rest: str) -> Response:
    """That there is no such model, or no longer: to whoever looks as a page, to a room as its answer."""
    path = rest.strip("/")
    language = path if path in LANGUAGES else Leading(PlainTextResponse("")).chosen(Headers(scope=scope))
    headers = {"Cache-Control": "no-store", "Connection": "close"}
    with use_language(LanguageContext(language)):
        if path == "ask":
            return JSONResponse({"error": words.GONE["text"]}, 404, headers)
        if scope["method"] not in ("GET", "HEAD") or path not in ("", *LANGUAGES):
            return PlainTextResponse(f"{words.GONE['title']}\n", 404, headers)
        address = f"{path_of_proxy(scope)}/{'' if language == FIRST else language}"
        told = {name: escape(text) for name, text in {**words.GONE, "address": address}.items()}
        headers["Content-Security-Policy"] = BARE
        return HTMLResponse(GONE.format(language=language, **told), 404, headers)
