"""Pages at a local address: a gr.Blocks, the whole page around a translator, and a reverse proxy before it."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from model.decoding import Translator

PATIENCE = 60  # seconds; generous, because a busy machine must not fail a test
request, get, post = (
    partial(call, timeout=PATIENCE, trust_env=False) for call in (httpx.request, httpx.get, httpx.post)
)


def free_port() -> int:
    """A port of this process: each worker of pytest-xdist has its own, and each run begins elsewhere among them."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    for step in range(1_000):
        port = 20_000 + 1_000 * worker + (os.getpid() + step) % 1_000
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


def launched(page: Any, answering: Any = None, **options: Any) -> Iterator[str]:
    """Serves a gr.Blocks, and what its components ask."""
    from explorer.server.launch import launch

    port = options.pop("port", None) or free_port()
    _, address, _ = launch(page, answering, port=port, prevent_thread_lock=True, quiet=True, **options)
    yield address
    page.close()


def served(translator: Translator, folder: Path | None = None, max_trainings: int = 0, **options: Any) -> Iterator[str]:
    """The page around a translator, with its checkpoint's folder, and classes; so many toys may be trained at once."""
    from explorer.page.ui import create_ui
    from explorer.recording.app_context import AppContext
    from explorer.recording.recordings import Recordings
    from explorer.server.ask import AnswerService
    from explorer.server.class_routes import class_routes
    from explorer.server.class_state import Classrooms
    from explorer.server.start import more_routes

    app = AppContext(Recordings(translator), folder, max_trainings=max_trainings)
    routes = class_routes(Classrooms())
    yield from launched(create_ui(app), AnswerService(app), **more_routes(app, routes), **options)


HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"}  # RFC 9110, section 7.6.1


@dataclass(eq=False)
class Proxy:
    """Hands on what is below `path` to a server, streams as they come; everything else is not found, and noted."""

    server: str
    path: str
    strip: bool  # takes its path away
    outside: list[str] = field(default_factory=list)
    client: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=None, trust_env=False))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            answer = await self.answer(Request(scope, receive))
            await answer(scope, receive, send)
            return
        assert scope["type"] == "lifespan"
        for moment in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{moment}"
            if moment == "shutdown":
                await self.client.aclose()
            await send({"type": f"lifespan.{moment}.complete"})

    async def answer(self, request: Request) -> Response:
        path = request.scope["raw_path"].decode()
        if path != self.path and not path.startswith(f"{self.path}/"):
            self.outside.append(path)
            return PlainTextResponse("not mine", 404)
        path = path.removeprefix(self.path) or "/" if self.strip else path
        url = httpx.URL(self.server, raw_path=f"{path}?{request.url.query}".rstrip("?").encode())
        body = request.stream() if "content-length" in request.headers else None
        asked = self.client.build_request(request.method, url, headers=request.headers.raw, content=body)
        found = await self.client.send(asked, stream=True)
        answer = StreamingResponse(found.aiter_raw(), found.status_code, background=BackgroundTask(found.aclose))
        answer.raw_headers = [(name, text) for name, text in found.headers.raw if name.decode().lower() not in HOP]
        return answer


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def proxied(proxy: Proxy) -> Iterator[str]:
    """The proxy at an address of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = uvicorn.Server(uvicorn.Config(proxy, log_level="warning", lifespan="on", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, args=([place],))
        thread.start()
        yield f"http://127.0.0.1:{place.getsockname()[1]}{proxy.path}"
        server.should_exit = True
        thread.join()
