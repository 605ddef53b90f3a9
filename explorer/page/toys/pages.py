"""The pages of models that were trained here: built when somebody comes, and let go when nobody has for a while.

A page takes 2 to 3 seconds and about 10 MB. One that was let go is built again as long as its model is there.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

import gradio as gr
from anyio import CapacityLimiter, to_thread
from gradio.routes import App

from explorer.page.launch import mounted
from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.remembering import FairCache
from explorer.server.desk import Desk
from model.checkpoints.checkpoint import CheckpointError

MOST = 8  # pages that stand at once
IDLE = 30 * 60.0  # seconds without a request after which one goes
ANSWERS = 2_000_000  # bytes of answers that each remembers
SWEEP = 60.0  # seconds between two looks at who is idle


@dataclass(eq=False)
class Standing:
    """A page that stands, and when it was asked for something."""

    opened: Opened
    page: gr.Blocks
    app: App
    version: int  # of the model's checkpoint
    used: float

    def close(self) -> None:
        """Ends its queues; the model's thread finishes the job in hand, for which nobody waits here."""
        self.page._queue.close()
        self.page.is_running = False
        self.app.stop_event.set()
        Thread(target=self.opened.queue.close, daemon=True).start()


class ToyPages:
    """`version(key)` says at once which of a model's checkpoints is there, `found(key)` opens it, which takes a while.

    A version is None where there is no such model, and 0 where it learns and has none to open. For one event loop;
    pages are built beside it, one at a time, for Gradio knows only one page in the making.
    """

    def __init__(
        self,
        version: Callable[[str], int | None],
        found: Callable[[str], Opened],
        clock: Callable[[], float] = time.monotonic,
    ):
        self.version, self.found, self.clock = version, found, clock
        self.standing: dict[str, Standing] = {}
        self.building: dict[str, asyncio.Task[Standing]] = {}
        self.sweeping: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.one = CapacityLimiter(1)

    async def page(self, key: str, path: str) -> App | None:
        """The page of a key, to be served below a path; None where there is no such model, or none to open yet."""
        self.tidy()
        version = await to_thread.run_sync(self.version, key)
        standing = self.standing.get(key)
        if standing and version not in (0, standing.version):  # it has gone, or learnt more and stopped again
            self.close(key)
        if key not in self.standing:
            if not version:
                return None
            try:
                await asyncio.shield(self.begun(key, path, version))
            except (ValueError, OSError, CheckpointError):  # it went, or was saved, meanwhile
                return None
        found = self.standing.get(key)
        if found is None:
            return None
        found.used = self.clock()
        return found.app

    def begun(self, key: str, path: str, version: int) -> asyncio.Task[Standing]:
        """The building of a page, which goes on if whoever asked for it leaves: the next one asks again."""
        if key not in self.building:
            task = self.building[key] = asyncio.create_task(self.build(key, path, version))
            task.add_done_callback(lambda _: self.building.pop(key))
        return self.building[key]

    async def build(self, key: str, path: str, version: int) -> Standing:
        found = await to_thread.run_sync(self.built, key, path, version, limiter=self.one)
        found.page.run_startup_events()
        await found.page.run_extra_startup_events()
        found.app.startup_events_triggered = True
        self.loop = asyncio.get_running_loop()
        if await to_thread.run_sync(self.version, key) is None:  # before it stood, nobody could let it go
            found.close()
            raise ValueError("it has gone")
        self.standing[key] = found
        self.tidy()
        if self.sweeping is None:
            self.sweeping = asyncio.create_task(self.sweep())
        return found

    def built(self, key: str, path: str, version: int) -> Standing:
        opened = self.found(key)
        page = create_ui(opened)
        desk = Desk(opened, answers=FairCache(ANSWERS, getsizeof=len))
        return Standing(opened, page, mounted(page, desk, path), version, self.clock())

    def gone(self, key: str) -> None:
        """The model of a key is no longer there; any thread may say so."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.close, key)

    def close(self, key: str) -> None:
        if key in self.standing:
            self.standing.pop(key).close()

    def tidy(self) -> None:
        """Lets go of pages that are idle, and of the idlest where there are too many."""
        now = self.clock()
        for key in [key for key, page in self.standing.items() if now - page.used > IDLE]:
            self.close(key)
        while len(self.standing) > MOST:
            self.close(min(self.standing, key=lambda key: self.standing[key].used))

    async def sweep(self) -> None:
        """Tidies now and then, as long as a page stands."""
        while self.standing:
            await asyncio.sleep(SWEEP)
            self.tidy()
        self.sweeping = None
