"""Which host names the server answers to, and which other sites may ask: a middleware refuses all others.

A page of another site reaches a server in its reader's network through the reader's browser. Either it asks from its
own origin, which the browser tells (Origin, Sec-Fetch-Site); or its name is made to lead to the server (DNS rebinding),
so that the browser takes both for one site, and only Host tells them apart.
"""

import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from explorer.server import words
from explorer.server.http import error_response
from explorer.server.language_redirect import visitor_language
from explorer.ui.language import LanguageContext, use_language

LOCAL_NAMES = ("localhost", "*.localhost")  # which browsers resolve by themselves (RFC 6761)
SPACE_HOST = "SPACE_HOST"  # on a Hugging Face Space: its names, separated by commas
ROOT_PATH = "GRADIO_ROOT_PATH"  # may be a whole URL
READING = ("GET", "HEAD")


@dataclass(frozen=True)
class TrustedSites:
    """Host names of the server, where * stands for any characters, and origins of other sites that may ask."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()

    def has_trusted_host(self, headers: Headers) -> bool:
        """Whether Host is ours. An IP address always is: nobody can make it lead elsewhere, and it has no other pages.

        Without Host no browser asks.
        """
        host = headers.get("host", "")
        name = host_name(f"//{host}")
        return not host or is_ip_address(name) or any(fnmatchcase(name, pattern) for pattern in self.hosts)

    def may_ask(self, headers: Headers) -> bool:
        """Whether a program, our own page or that of a trusted origin asks.

        X-Forwarded-Host does not count: a page can send it too. Sec-Fetch-Site no page can; browsers leave it out where
        the server is neither encrypted nor on their own machine.
        """
        origin = headers.get("origin")
        if origin in self.origins:
            return True
        if "sec-fetch-site" in headers:
            return headers["sec-fetch-site"] in ("same-origin", "none")
        return origin is None or origin.partition("://")[2] == headers.get("host")


def trusted_sites(
    environment: Mapping[str, str], hosts: Iterable[str] = (), origins: Iterable[str] = ()
) -> TrustedSites:
    """These hosts and origins, besides the names of this machine, and those of a URL in GRADIO_ROOT_PATH.

    On a Space every host is answered. Its proxy passes on only what is addressed to the Space, by whichever name, and
    what is open to everybody gives a page of another site nothing to gain.
    """
    space_hosts = [name.strip().lower() for name in environment.get(SPACE_HOST, "").split(",") if name.strip()]
    proxy = urlsplit(environment.get(ROOT_PATH, ""))  # a path has neither host nor origin
    named = [*LOCAL_NAMES, *machine_names(), host_name(proxy.geturl()), *(host.strip("[]").lower() for host in hosts)]
    space_origins = [f"https://{name}" for name in space_hosts]
    if proxy.netloc:
        space_origins.append(f"{proxy.scheme}://{proxy.netloc}")
    return TrustedSites(
        ("*",) if space_hosts else tuple(dict.fromkeys(name for name in named if name)),
        tuple(dict.fromkeys([*origins, *space_origins])),
    )


def machine_names() -> list[str]:
    """The name of this machine, and the one by which its neighbours find it (mDNS)."""
    name = socket.gethostname().lower()
    first = name.partition(".")[0]
    return [name, first, f"{first}.local"] if first else []


def host_name(url: str) -> str:
    """The host of a URL in lower case, without brackets and a final dot; "" where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # brackets that hold no address
        return ""


def is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class TrustedHosts:
    """ASGI middleware that refuses requests under other names, and what pages of other sites ask."""

    app: ASGIApp
    sites: TrustedSites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self.refusal(scope) if scope["type"] in ("http", "websocket") else None
        await (refusal or self.app)(scope, receive, send)

    def refusal(self, scope: Scope) -> Response | None:
        """The response to a request that is refused, in the visitor's language."""
        headers, reads = Headers(scope=scope), scope.get("method") in READING
        asks = not reads or "origin" in headers  # which browsers add to what a script reads from another site
        if not self.sites.has_trusted_host(headers):
            status, reason = 421, "host"
        elif asks and not self.sites.may_ask(headers):
            status, reason = 403, "foreign"
        else:
            return None
        with use_language(LanguageContext(visitor_language(headers))):
            text = words.REFUSALS[reason].format(port=scope["server"][1])
        return PlainTextResponse(f"{text}\n", status) if reads else error_response(status, text, {})
