"""Pages of models that were trained here, built on the first request and closed when idle.

A page takes 2 to 3 seconds and about 10 MB. A closed one is built again as long as its model exists.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

import gradio as gr
from anyio import CapacityLimiter, to_thread
from gradio.routes import App

from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.server.answer_service import AnswerService, answer_cache
from explorer.server.launch import mounted_app
from model.checkpoints.checkpoint import CheckpointError

MAX_PAGES = 8  # open at once
IDLE_SECONDS = 30 * 60.0  # without a request, after which a page is closed
MAX_CACHE_BYTES = 2_000_000  # of the answers that each page caches
SWEEP_SECONDS = 60.0  # between two searches for idle pages


@dataclass(eq=False)
class RunningPage:
    """An open page and the time of its last request."""

    context: AppContext
    page: gr.Blocks
    app: App
    version: int  # of the model's checkpoint
    used: float

    def close(self) -> None:
        """Ends its queues; the model's thread finishes the job in hand without blocking this one."""
        self.page._queue.close()
        self.page.is_running = False
        self.app.stop_event.set()
        Thread(target=self.context.queue.close, daemon=True).start()


class ToyPages:
    """`version(key)` returns at once the number of a model's checkpoint, `load(key)` loads it, which takes a while.

    A version is None for an unknown model, and 0 for one that has no checkpoint yet. For one event loop; pages are
    built in threads, one at a time, because Gradio builds only one page at a time.
    """

    def __init__(
        self,
        version: Callable[[str], int | None],
        load: Callable[[str], AppContext],
        clock: Callable[[], float] = time.monotonic,
    ):
        self.version, self.load, self.clock = version, load, clock
        self.running: dict[str, RunningPage] = {}
        self.building: dict[str, asyncio.Task[RunningPage]] = {}
        self.sweeping: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.one = CapacityLimiter(1)

    async def page(self, key: str, path: str) -> App | None:
        """The page of a key, to be served below a path; None for an unknown model, or one without a checkpoint yet."""
        self.tidy()
        version = await to_thread.run_sync(self.version, key)
        standing = self.running.get(key)
        if standing and version not in (0, standing.version):  # it is gone, or has a newer checkpoint
            self.close(key)
        if key not in self.running:
            if not version:
                return None
            try:
                await asyncio.shield(self.start_build(key, path, version))
            except (ValueError, OSError, CheckpointError):  # removed or saved meanwhile
                return None
        found = self.running.get(key)
        if found is None:
            return None
        found.used = self.clock()
        return found.app

    def start_build(self, key: str, path: str, version: int) -> asyncio.Task[RunningPage]:
        """The task that builds a page; it goes on when the client leaves, for the next one."""
        if key not in self.building:
            task = self.building[key] = asyncio.create_task(self.build(key, path, version))
            task.add_done_callback(lambda _: self.building.pop(key))
        return self.building[key]

    async def build(self, key: str, path: str, version: int) -> RunningPage:
        found = await to_thread.run_sync(self.create, key, path, version, limiter=self.one)
        found.page.run_startup_events()
        await found.page.run_extra_startup_events()
        found.app.startup_events_triggered = True
        self.loop = asyncio.get_running_loop()
        if await to_thread.run_sync(self.version, key) is None:  # `gone` closes only running pages
            found.close()
            raise ValueError("it is gone")
        self.running[key] = found
        self.tidy()
        if self.sweeping is None:
            self.sweeping = asyncio.create_task(self.sweep())
        return found

    def create(self, key: str, path: str, version: int) -> RunningPage:
        context = self.load(key)
        page = create_ui(context)
        service = AnswerService(context, cache=answer_cache(MAX_CACHE_BYTES))
        return RunningPage(context, page, mounted_app(page, service, path), version, self.clock())

    def gone(self, key: str) -> None:
        """To be called, from any thread, when the model of a key is removed."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.close, key)

    def close(self, key: str) -> None:
        if key in self.running:
            self.running.pop(key).close()

    def tidy(self) -> None:
        """Closes idle pages, and the idlest ones where there are too many."""
        now = self.clock()
        for key in [key for key, page in self.running.items() if now - page.used > IDLE_SECONDS]:
            self.close(key)
        while len(self.running) > MAX_PAGES:
            self.close(min(self.running, key=lambda key: self.running[key].used))

    async def sweep(self) -> None:
        """Tidies now and then while a page is open."""
        while self.running:
            await asyncio.sleep(SWEEP_SECONDS)
            self.tidy()
        self.sweeping = None
