"""Serves the page locally, without telemetry, history or server-side rendering."""

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.brotli_middleware import BrotliMiddleware
from gradio.route_utils import CustomCORSMiddleware
from gradio.utils import LRUCache
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from explorer.server.allowlist import RouteAllowlist
from explorer.server.ask import AnswerService, routes
from explorer.server.documents import DOCUMENTS
from explorer.server.file_limit import raise_file_limit
from explorer.server.gradio_calls import GradioCalls
from explorer.server.head_script import HeadScript
from explorer.server.http import accepts_gzip
from explorer.server.language_redirect import LanguageRedirect
from explorer.server.previews import preview_routes
from explorer.server.security_headers import SecurityHeaders
from explorer.server.trusted_hosts import TrustedHosts, TrustedSites, trusted_sites
from explorer.ui.palette import page_theme
from explorer.ui.proxies import without_proxies

GZIP_LEVEL = 6  # of 9; more takes longer than it saves
BROTLI_QUALITY = 6  # of 11, likewise
ICON = Path(__file__).parent.parent / "page" / "icon.svg"
# Whose last values Gradio keeps, 0.8 MB each; it drops none by itself. A visitor who returns later finds the values all
# the same: the browser sends them.
MAX_SESSIONS = 32
MAX_PENDING_SESSIONS = 64  # with answers that wait to be read
MAX_GRADIO_EVENTS = 100  # Gradio's own, in its queue
GRADIO_POLL_SECONDS = 0.05  # else its empty queue is looked at a thousand times a second, by 3 to 5 % of a processor


class PendingMessages(LRUCache[str, Any]):
    """Gradio's pending messages per session; drops the session that was idle longest, not the oldest."""

    def __getitem__(self, session: str) -> Any:
        self.move_to_end(session)
        return super().__getitem__(session)


class PageGZip(GZipMiddleware):
    """Compresses the page and Gradio's JSON; Gradio itself compresses files, and only those."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Paths that look like files are left to Gradio."""
        is_ours = scope["type"] == "http" and "." not in scope["path"] and accepts_gzip(Headers(scope=scope))
        await (super().__call__(scope, receive, send) if is_ours else self.app(scope, receive, send))


def page_options() -> dict[str, Any]:
    """Options of Gradio: its theme, and features switched off."""
    return {
        "theme": page_theme(),
        "run_history": False,  # would keep sentences in the browser, and slow down every event
        "favicon_path": ICON,
        "pwa": True,
        "max_file_size": 0,  # no uploads (allowlist.py)
        "ssr_mode": False,
        "footer_links": ["api"],  # hidden; our own footer presses its button (explorer/page/toolbar)
    }


def routes_and_middleware(
    page: gr.Blocks,
    service: AnswerService | None,
    sites: TrustedSites,
    language: str | None = None,
    *,
    more: Sequence[Route] = (),
    middleware: Sequence[Middleware] = (),
) -> dict[str, Any]:
    """Routes and middleware of the page as options of Gradio; `middleware` comes before the allowlist."""
    cors = Middleware(CORSMiddleware, allow_origins=sites.origins, allow_methods=["POST"], allow_headers=["*"])
    return {
        "routes": [*([*routes(service), *preview_routes(service)] if service else []), *more, *DOCUMENTS],
        "middleware": [
            Middleware(SecurityHeaders),
            Middleware(TrustedHosts, sites=sites),
            cors,
            *middleware,
            Middleware(RouteAllowlist),
            Middleware(GradioCalls),
            Middleware(LanguageRedirect, preferred=language),
            Middleware(PageGZip, compresslevel=GZIP_LEVEL),
            Middleware(HeadScript),
        ],
        "lifespan": adjust_gradio,
    }


@asynccontextmanager
async def adjust_gradio(app: FastAPI) -> AsyncGenerator[None, None]:
    """Changes two of Gradio's middleware before the first request, which have no options for this.

    That for CORS goes: it lets every site send requests and see the responses unless Host is localhost. The one that
    compresses files gets a quality that makes them a tenth smaller in the same time.
    """
    app.user_middleware = [one for one in app.user_middleware if one.cls is not CustomCORSMiddleware]
    (compression,) = (one for one in app.user_middleware if one.cls is BrotliMiddleware)
    compression.kwargs["quality"] = BROTLI_QUALITY
    app.middleware_stack = app.build_middleware_stack()
    yield


def prepare(page: gr.Blocks) -> None:
    """Bounds what Gradio keeps of visitors, lets it sleep, and keeps it from requests to other machines."""
    page.queue(max_size=MAX_GRADIO_EVENTS)
    page._queue.sleep_when_free = page._queue.progress_update_sleep_when_free = GRADIO_POLL_SECONDS
    page._queue.pending_messages_per_session = PendingMessages(MAX_PENDING_SESSIONS)
    page.space_id = None  # on a Space Gradio would fetch a header: author, picture, font


def launch(page: gr.Blocks, service: AnswerService | None = None, **options: Any) -> tuple[Any, str, str | None]:
    """Serves the page; `service` answers its questions.

    `host` and `port` default to those of the environment, `language` to the browser's, `sites` to this machine's own
    names. `routes` are added to ours, and `middleware` comes before ours.
    """
    prepare(page)
    raise_file_limit()
    sites = options.pop("sites", None) or trusted_sites(os.environ)
    language, more, middleware = options.pop("language", None), options.pop("routes", ()), options.pop("middleware", ())
    with without_proxies(os.environ):
        return page.launch(
            server_name=options.pop("host", None),
            server_port=options.pop("port", None),
            state_session_capacity=MAX_SESSIONS,
            app_kwargs=routes_and_middleware(page, service, sites, language, more=more, middleware=middleware),
            **page_options(),
            **options,
        )
