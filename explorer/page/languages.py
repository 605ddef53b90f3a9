"""Which language a visitor finds the page in: the first at /, each other one at a path of its own, such as /de.

Whoever asks by ?lang= gets that language, whoever chose one on the page gets it again (a cookie), and whoever comes to
/ otherwise gets the one that the server was started with, or else that of his browser.

A proxy may serve all of this below a path of its own, such as /x, which Gradio is told by GRADIO_ROOT_PATH.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from babel import negotiate_locale
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.ui.language import FIRST, LANGUAGES

COOKIE = "language"
PARAMETER = "lang"
RANGE = re.compile(r"\s*(?P<code>[A-Za-z]{1,8})(-[A-Za-z0-9-]+)?\s*(;\s*[qQ]=(?P<weight>[01](\.\d{0,3})?))?\s*")


@dataclass(frozen=True)
class Leading:
    """ASGI middleware that leads to the page in the visitor's language; `preferred` is what the server was told."""

    app: ASGIApp
    preferred: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Everything but the page itself goes on as it is."""
        language = language_of(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if language is None:
            return await self.app(scope, receive, send)
        asked = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(PARAMETER)
        wanted = asked if asked in LANGUAGES else self.chosen(Headers(scope=scope)) if language == FIRST else language
        if wanted == language and not astray(scope):
            return await self.app(scope, receive, send)
        return await RedirectResponse(place(wanted, scope), status_code=307)(scope, receive, send)

    def chosen(self, headers: Headers) -> str:
        """The language of a visitor who did not say one in the address."""
        remembered = cookie_parser(headers.get("cookie", "")).get(COOKIE)
        if remembered in LANGUAGES:
            return remembered
        return self.preferred or negotiate_locale(accepted(headers.get("accept-language", "")), [*LANGUAGES]) or FIRST


def language_of(scope: Scope) -> str | None:
    """The language of the page that a request asks for; None where it asks for anything else."""
    path = below(scope).strip("/")
    return path if path in LANGUAGES and path != FIRST else FIRST if path == "" else None


def below(scope: Scope) -> str:
    """The path of a request without that of a proxy, whether the proxy has taken it away or not."""
    root, path = scope.get("root_path", "").rstrip("/"), scope["path"]
    return path.removeprefix(root) if path == root or path.startswith(f"{root}/") else path


def astray(scope: Scope) -> bool:
    """Whether the path of a language ends with a slash: what the page asks for would be sought below it."""
    return below(scope) != "/" and scope["path"].endswith("/")


def place(language: str, scope: Scope) -> str:
    """The page in a language, from any other; the query goes with it.

    The path says the language, but for the first one, which the query goes on to ask for. A language that there is not
    stays in the query, for the page to say so. Below a path of a proxy the address says that path: whether the visitor
    came to /x or to /x/ is not to be seen from here.
    """
    parts = [(name, text) for name, text in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)]
    query = urlencode(
        [(name, text) for name, text in parts if name != PARAMETER or language == FIRST or text not in LANGUAGES]
    )
    path = path_of_proxy(scope)
    root = f"{path}/" if path else "../" if astray(scope) else "./"
    return root + ("" if language == FIRST else language) + (f"?{query}" if query else "")


def path_of_proxy(scope: Scope) -> str:
    """The path that a proxy serves the page below, as Gradio was told it: "/x", or "" where there is none."""
    return urlsplit(scope.get("root_path", "")).path.rstrip("/")  # Gradio takes a whole address, too


def accepted(header: str) -> list[str]:
    """The languages that a browser accepts, the most wanted first, without their regions (RFC 9110, section 12.5.4).

    What is not written as it should be, and what has the weight 0, is not among them.
    """
    found = [match for part in header.split(",") if (match := RANGE.fullmatch(part))]
    weighed = [(float(match["weight"] or 1), match["code"].lower()) for match in found]
    return [code for weight, code in sorted(weighed, key=lambda pair: -pair[0]) if weight > 0]
