"""A replica: a process that loads the checkpoint and answers the page's questions.

Ray Serve collects waiting sentences, which are translated in one batch, as in a single process.
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
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.answer_service import AskRequest
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.queue import MAX_BATCH
from model.checkpoints import checkpoint
from model.hardware import pick_device

T = TypeVar("T")
BATCH_WAIT_SECONDS = 0.01  # that a question waits for others: they come one by one over the network
MAX_WORK_SECONDS = 120  # a replica whose work takes longer is replaced


def stay_local() -> None:
    """Binds Ray Serve's gRPC server in this process, by which replicas could call each other, to this machine.

    Ray 2.60 binds it to "[::]", all machines, whatever else is configured, and without authentication. There is no
    option for it; where a later version renames the function, a replica does not start, and a test says so.
    """
    listen = private.add_port_to_grpc_server
    private.add_port_to_grpc_server = lambda server, address: listen(server, address.replace("[::]", "127.0.0.1"))


class Replica:
    """One thread does all work on the model, on one core."""

    def __init__(self, model: str, device: str, *, local: bool = True):
        """`model` and `device` as on the command line; `local`: the whole cluster is on this machine.

        Raises CheckpointError, or ValueError for the device.
        """
        if local:
            stay_local()
        torch.set_num_threads(1)
        folder = checkpoint.locate(model)
        self.app = AppContext(Recordings(checkpoint.load(folder, pick_device(device))), folder)
        create_ui(self.app)  # tabs add their questions while the page is built
        self.worker = ThreadPoolExecutor(1, thread_name_prefix="model", initializer=partial(torch.set_num_threads, 1))
        self.started: float | None = None  # of the work in hand

    async def __call__(self, request: AskRequest) -> str:
        if self.app.questions.sentence(request.question, request.given) is None:
            return await self.on_worker(partial(self.answer, request))
        batched: Any = self.answer_batch  # once decorated, it takes one request and returns its answer
        return await batched(request)

    @serve.batch(max_batch_size=MAX_BATCH, batch_wait_timeout_s=BATCH_WAIT_SECONDS)
    async def answer_batch(self, requests: list[AskRequest]) -> list[str]:
        return await self.on_worker(partial(self.answers, requests))

    def answers(self, requests: list[AskRequest]) -> list[str]:
        """The answers, after translating all sentences in one batch."""
        if len(requests) > 1:
            sentences = [self.app.questions.sentence(request.question, request.given) for request in requests]
            self.app.recordings.translate_batch([text for text in sentences if text is not None])
        return [self.answer(request) for request in requests]

    def answer(self, request: AskRequest) -> str:
        with use_language(LanguageContext(request.language, self.app.translator.languages)):
            return self.app.questions.answer(request.question, request.given)

    async def on_worker(self, work: Callable[[], T]) -> T:
        """The result of the work, done by the one thread."""

        def timed() -> T:
            self.started = time.monotonic()
            try:
                return work()
            finally:
                self.started = None

        return await asyncio.get_running_loop().run_in_executor(self.worker, timed)

    def check_health(self) -> None:
        """Ray calls this now and then, and replaces a replica that raises."""
        started = self.started
        if started is not None and time.monotonic() - started > MAX_WORK_SECONDS:
            raise RuntimeError(f"the same work for {time.monotonic() - started:.0f} s")
