"""One of several processes that translate: it opens the checkpoint and answers what the page asks.

Sentences that wait are collected by Ray Serve and recorded in one batch, as the page alone does it.
"""

# pyright: reportMissingImports=false
# Ray is an extra.
import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import torch
from ray import serve
from ray.serve._private import replica as private

from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.server.desk import Asked
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.queue import TOGETHER
from explorer.ui.visitor import visited_by
from model.checkpoints import checkpoint
from model.hardware import pick_device

T = TypeVar("T")
GATHERING = 0.01  # seconds for which a question waits for others: they come one by one over the network
STUCK = 120  # seconds that no piece of work takes


def stay_local() -> None:
    """From now on Ray Serve's own server in this process, by which replicas could ask each other, is for this machine.

    Ray 2.60 has "[::]" written there, all machines, whatever else is chosen, and believes whoever comes. There is no
    option for it; where a later version calls it otherwise, a replica does not start, and a test says so.
    """
    listen = private.add_port_to_grpc_server
    private.add_port_to_grpc_server = lambda server, address: listen(server, address.replace("[::]", "127.0.0.1"))


class Replica:
    """All work on the model is done by one thread, which uses one core."""

    def __init__(self, model: str, device: str, *, local: bool = True):
        """`model` and `device` are what a command takes, `local` says that nobody is elsewhere.

        Raises CheckpointError, or ValueError for the device.
        """
        if local:
            stay_local()
        torch.set_num_threads(1)
        folder = checkpoint.locate(model)
        self.opened = Opened(Recordings(checkpoint.load(folder, pick_device(device))), folder)
        create_ui(self.opened)  # rooms say what they answer while the page is built
        self.worker = ThreadPoolExecutor(1, thread_name_prefix="model", initializer=partial(torch.set_num_threads, 1))
        self.begun: float | None = None  # when the work in hand began

    async def __call__(self, asked: Asked) -> str:
        if self.opened.questions.sentence(asked.question, asked.given) is None:
            return await self.done(partial(self.answer, asked))
        together: Any = self.together  # takes one question and gives its answer, once it is decorated
        return await together(asked)

    @serve.batch(max_batch_size=TOGETHER, batch_wait_timeout_s=GATHERING)  # while one is recorded, the next collects
    async def together(self, asked: list[Asked]) -> list[str]:
        return await self.done(partial(self.answers, asked))

    def answers(self, asked: list[Asked]) -> list[str]:
        """What each answers, their sentences translated in one batch first."""
        if len(asked) > 1:
            sentences = [(one.visitor, self.opened.questions.sentence(one.question, one.given)) for one in asked]
            self.opened.recordings.remember([(visitor, text) for visitor, text in sentences if text is not None])
        return [self.answer(one) for one in asked]

    def answer(self, asked: Asked) -> str:
        voice = LanguageContext(asked.language, self.opened.translator.languages)
        with use_language(voice), visited_by(asked.visitor):
            return self.opened.questions.answer(asked.question, asked.given)

    async def done(self, work: Callable[[], T]) -> T:
        """What the work gives, done by the one thread."""

        def timed() -> T:
            self.begun = time.monotonic()
            try:
                return work()
            finally:
                self.begun = None

        return await asyncio.get_running_loop().run_in_executor(self.worker, timed)

    def check_health(self) -> None:
        """Ray asks now and then, and replaces a replica that raises."""
        begun = self.begun
        if begun is not None and time.monotonic() - begun > STUCK:
            raise RuntimeError(f"the same piece of work for {time.monotonic() - begun:.0f} s")
