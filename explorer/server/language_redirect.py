"""Redirects visitors to the page in their language: the first at /, each other one at a path of its own, such as /de.

The language is that of ?lang=, or the one chosen before (a cookie), or that of the --language option, or the browser's.

A proxy may serve all of this below a path of its own, such as /x, which Gradio learns by GRADIO_ROOT_PATH.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from babel import negotiate_locale
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.ui.language import FIRST, LANGUAGES

COOKIE = "language"
PARAMETER = "lang"
NAMED = f"{PARAMETER}="
RANGE = re.compile(r"\s*(?P<code>[A-Za-z]{1,8})(-[A-Za-z0-9-]+)?\s*(;\s*[qQ]=(?P<weight>[01](\.\d{0,3})?))?\s*")


@dataclass(frozen=True)
class LanguageRedirect:
    """ASGI middleware that redirects to the page in the visitor's language; `preferred` is that of --language."""

    app: ASGIApp
    preferred: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Other requests pass unchanged. The first language has no path of its own: its name leads to the page, too."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        is_named_first = is_get and names_first(scope)
        language = FIRST if is_named_first else page_language(scope) if is_get else None
        if language is None:
            return await self.app(scope, receive, send)
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(PARAMETER)
        wanted = (
            asked
            if asked in LANGUAGES
            else visitor_language(Headers(scope=scope), self.preferred)
            if language == FIRST and not is_named_first
            else language
        )
        if wanted == language and not has_trailing_slash(scope) and not is_named_first:
            return await self.app(scope, receive, send)
        return await RedirectResponse(page_url(wanted, scope), status_code=307)(scope, receive, send)


def visitor_language(headers: Headers, preferred: str | None = None) -> str:
    """The language of a visitor without ?lang=; `preferred` is that of --language."""
    remembered = cookie_parser(headers.get("cookie", "")).get(COOKIE)
    if remembered in LANGUAGES:
        return remembered
    accepted = accepted_languages(headers.get("accept-language", ""))
    return preferred or negotiate_locale(accepted, [*LANGUAGES]) or FIRST


def page_language(scope: Scope) -> str | None:
    """The language of the page that is requested; None for anything else."""
    path = path_below_proxy(scope).strip("/")
    return path if path in LANGUAGES and path != FIRST else FIRST if path == "" else None


def names_first(scope: Scope) -> bool:
    """Whether the path is the name of the first language."""
    return path_below_proxy(scope).strip("/") == FIRST


def path_below_proxy(scope: Scope) -> str:
    """The path of a request without that of a proxy, whether or not the proxy has stripped it."""
    root, path = scope.get("root_path", "").rstrip("/"), scope["path"]
    return path.removeprefix(root) if path == root or path.startswith(f"{root}/") else path


def has_trailing_slash(scope: Scope) -> bool:
    """Whether the path of a language ends with a slash: relative URLs of the page would be resolved below it."""
    return path_below_proxy(scope) != "/" and scope["path"].endswith("/")


def page_url(language: str, scope: Scope) -> str:
    """The URL of the page in a language, relative to the requested one, with its query.

    The path names the language, except for the first one, which stays in the query. An unknown language stays in the
    query too, and the page says so. Behind a proxy with a path the URL begins with that path: whether the visitor came
    to /x or to /x/ cannot be seen from here.
    """
    parts = scope["query_string"].decode("latin-1").split("&") if scope["query_string"] else []  # as they are
    asked = [part.removeprefix(NAMED) for part in parts if part.startswith(NAMED)]
    if names_first(scope) and language == FIRST and not asked:
        parts.append(f"{NAMED}{FIRST}")  # a browser of another language would be led to that otherwise
    removed = set() if language == FIRST else {f"{NAMED}{code}" for code in LANGUAGES}
    query = "&".join(part for part in parts if part not in removed)
    path = proxy_path(scope)
    root = f"{path}/" if path else "../" if has_trailing_slash(scope) else "./"
    return root + ("" if language == FIRST else language) + (f"?{query}" if query else "")


def proxy_path(scope: Scope) -> str:
    """The path below which a proxy serves the page, from GRADIO_ROOT_PATH: "/x", or "" for none."""
    return urlsplit(scope.get("root_path", "")).path.rstrip("/")  # it may be a whole URL


def accepted_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header, preferred first, without scripts and regions (RFC 9110, 12.5.4).

    Malformed parts and those with the weight 0 are left out.
    """
    matches = [match for part in header.split(",") if (match := RANGE.fullmatch(part))]
    weighed = [(float(match["weight"] or 1), match["code"].lower()) for match in matches]
    return [code for weight, code in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]
