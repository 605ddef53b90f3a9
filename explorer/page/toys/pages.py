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
from explorer.serving.desk import Desk

MOST = 8  # pages that stand at once
IDLE = 30 * 60.0  # seconds without a request after which one goes
SWEEP = 60.0  # seconds between two looks at who is idle


@dataclass(eq=False)
class Standing:
    """A page that stands, and when it was asked for something."""

    opened: Opened
    page: gr.Blocks
    app: App
    used: float

    def close(self) -> None:
        """Ends its queues; the model's thread finishes the job in hand, for which nobody waits here."""
        self.page._queue.close()
        self.page.is_running = False
        self.app.stop_event.set()
        Thread(target=self.opened.queue.close, daemon=True).start()


class ToyPages:
    """`there(key)` says at once whether a model is there, `found(key)` opens it, which may take a while.

    For one event loop; pages are built beside it, one at a time, for Gradio knows only one page in the making.
    """

    def __init__(
        self,
        there: Callable[[str], bool],
        found: Callable[[str], Opened | None],
        clock: Callable[[], float] = time.monotonic,
    ):
        self.there, self.found, self.clock = there, found, clock
        self.standing: dict[str, Standing] = {}
        self.building: dict[str, asyncio.Task[Standing | None]] = {}
        self.sweeping: asyncio.Task[None] | None = None
        self.one = CapacityLimiter(1)

    async def page(self, key: str, path: str) -> App | None:
        """The page of a key, to be served below a path; None where there is no such model, or no longer."""
        self.tidy()
        if not self.there(key):
            return None
        found = self.standing.get(key) or await asyncio.shield(self.begun(key, path))
        if found is None:
            return None
        found.used = self.clock()
        return found.app

    def begun(self, key: str, path: str) -> asyncio.Task[Standing | None]:
        """The building of a page, which goes on if whoever asked for it leaves: the next one asks again."""
        if key not in self.building:
            task = self.building[key] = asyncio.create_task(self.build(key, path))
            task.add_done_callback(lambda _: self.building.pop(key))
        return self.building[key]

    async def build(self, key: str, path: str) -> Standing | None:
        found = await to_thread.run_sync(self.built, key, path, limiter=self.one)
        if found is None:
            return None
        found.page.run_startup_events()
        await found.page.run_extra_startup_events()
        found.app.startup_events_triggered = True
        self.standing[key] = found
        self.tidy()
        if self.sweeping is None:
            self.sweeping = asyncio.create_task(self.sweep())
        return found

    def built(self, key: str, path: str) -> Standing | None:
        opened = self.found(key)
        if opened is None:
            return None
        page = create_ui(opened)
        return Standing(opened, page, mounted(page, Desk(opened), path), self.clock())

    def tidy(self) -> None:
        """Lets go of pages whose model has gone, of those that are idle, and of the idlest where there are too many."""
        now = self.clock()
        for key in [key for key, page in self.standing.items() if not self.there(key) or now - page.used > IDLE]:
            self.standing.pop(key).close()
        while len(self.standing) > MOST:
            self.standing.pop(min(self.standing, key=lambda key: self.standing[key].used)).close()

    async def sweep(self) -> None:
        """Tidies now and then, as long as a page stands."""
        while self.standing:
            await asyncio.sleep(SWEEP)
            self.tidy()
        self.sweeping = None
