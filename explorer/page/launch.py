"""How the page is served: locally, without telemetry, history or server-side rendering."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.routes import App
from gradio.utils import LRUCache
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from explorer.page.doors import Doors
from explorer.page.early import Early
from explorer.page.headers import Told
from explorer.page.installed import MANIFEST
from explorer.page.languages import Leading
from explorer.server.http import Answering, routes, takes_gzip
from explorer.ui.bundle import bundle
from explorer.ui.component import FORMULA, url
from explorer.ui.theme import page_theme

FOLDER = Path(__file__).parent
STYLES = (FOLDER / "look.css", FOLDER / "print.css", FOLDER / "save" / "picture" / "picture.css")
# As they stand: Gradio rewrites selectors, and breaks these.
LOOK = "".join(path.read_text(encoding="utf-8") for path in STYLES)
LEVEL = 6  # of 9; more takes longer than it saves
ICON = FOLDER / "icon.svg"
# Visits whose last values Gradio keeps, 0.8 MB each; it never lets go of one by itself. Whoever comes back later finds
# his values all the same: the browser sends them along.
VISITS = 32
UNREAD = 64  # calls whose answers it keeps until they are read, and pages whose events it knows
WAITING = 100  # of Gradio's own events; whoever comes then is told that the queue is full


class Unread(LRUCache[str, Any]):
    """What Gradio has to say to each session. It forgets the oldest of them; here, the one that was idle longest."""

    def __getitem__(self, session: str) -> Any:
        self.move_to_end(session)
        return super().__getitem__(session)


class Zipped(GZipMiddleware):
    """Compresses the page and what components ask for; Gradio itself compresses files, and those only."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever looks like a file is left to Gradio."""
        ours = scope["type"] == "http" and "." not in scope["path"] and takes_gzip(Headers(scope=scope))
        await (super().__call__(scope, receive, send) if ours else self.app(scope, receive, send))


def font_face() -> str:
    """CSS of the font that formulas are set in; a browser fetches it once a formula is shown."""
    return f'@font-face {{ font-family: Formula; src: url("{url(FORMULA)}") format("woff2"); font-display: swap; }}\n'


def look() -> dict[str, Any]:
    """How the page looks, and what of Gradio's it does without, as Gradio takes it."""
    return {
        "theme": page_theme(),
        "css_paths": [FOLDER / "page.css"],
        "run_history": False,  # it would keep visitors' sentences in their browser, and slow every event down
        "favicon_path": ICON,
        "pwa": True,
        "max_file_size": 0,  # nothing is uploaded (doors.py)
        "ssr_mode": False,
        "footer_links": ["api"],
        "head": f'<style>{font_face()}{LOOK}</style><link rel="modulepreload" href="{url(bundle())}">',
    }


def ways(
    answering: Answering | None,
    language: str | None = None,
    *,
    more: Sequence[Route] = (),
    doors: Sequence[Middleware] = (),
) -> dict[str, Any]:
    """Routes and middleware of the page, as Gradio takes them; `doors` lead elsewhere before ours are asked."""
    return {
        "routes": [*(routes(answering) if answering else []), *more, MANIFEST],
        "middleware": [
            Middleware(Told),
            *doors,
            Middleware(Doors),
            Middleware(Leading, preferred=language),
            Middleware(Zipped, compresslevel=LEVEL),
            Middleware(Early),
        ],
    }


def prepare(page: gr.Blocks) -> None:
    """Bounds what Gradio keeps of visitors, and has it ask nothing of others."""
    page.queue(max_size=WAITING)
    page._queue.pending_messages_per_session = Unread(UNREAD)
    page.space_id = None  # on a Space the browser would ask others for a header: its author, his picture, a font


def mounted(page: gr.Blocks, answering: Answering, path: str) -> App:
    """The page as an app that is served with another one, below a path that whoever calls it takes away."""
    prepare(page)
    page.state_session_capacity = VISITS
    # Gradio warns that a page of several languages cannot be rendered on the server, which nobody asks of it.
    page._resolve_ssr_mode = lambda ssr_mode, disable_when_multi_page=True: False
    whole = gr.mount_gradio_app(
        FastAPI(), page, path="/", root_path=path, show_error=False, app_kwargs=ways(answering), **look()
    )
    return next(route.app for route in whole.routes if isinstance(route, Mount) and isinstance(route.app, App))


def launch(page: gr.Blocks, answering: Answering | None = None, **options: Any) -> tuple[Any, str, str | None]:
    """Serves the page, whose questions `answering` answers.

    `host` and `port` default to what the environment says, `language` to the browser's. `routes` stand beside ours,
    and `doors` are middleware that leads elsewhere.
    """
    prepare(page)
    language, more, doors = options.pop("language", None), options.pop("routes", ()), options.pop("doors", ())
    return page.launch(
        server_name=options.pop("host", None),
        server_port=options.pop("port", None),
        state_session_capacity=VISITS,
        app_kwargs=ways(answering, language, more=more, doors=doors),
        **look(),
        **options,
    )
