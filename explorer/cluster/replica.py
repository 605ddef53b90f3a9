"""A replica: a process that loads the checkpoint and answers requests of the page.

Ray Serve batches waiting sentences, as the queue of a single process does.
"""

# pyright: reportMissingImports=false
# Ray is an optional dependency.
import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from ray import serve
from ray.serve._private import replica as ray_replica

from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.ask import AskRequest
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.scheduler import MAX_BATCH_SIZE
from model.checkpoints import checkpoint
from model.hardware import pick_device

T = TypeVar("T")
BATCH_WAIT_SECONDS = 0.01  # how long a request waits for others of its batch
MAX_WORK_SECONDS = 120  # Ray replaces a replica that works longer on one request


def bind_grpc_to_localhost() -> None:
    """Makes Ray Serve's gRPC server in this process listen on 127.0.0.1 only.

    Ray 2.60 always binds it to "[::]", without authentication, and has no option for it. If a later version renames
    the patched function, the replica does not start and a test fails.
    """
    listen = ray_replica.add_port_to_grpc_server
    ray_replica.add_port_to_grpc_server = lambda server, address: listen(server, address.replace("[::]", "127.0.0.1"))


class Replica:
    """Answers requests; one thread does all work on the model, one request or batch after the other."""

    def __init__(self, model: str, device: str, threads: int = 1, *, local: bool = True):
        """Loads the checkpoint.

        `model`, `device` and `threads` are as on the command line; `local` means that the whole cluster is on this
        machine. Raises CheckpointError, or UserError for the device.
        """
        if local:
            bind_grpc_to_localhost()
        folder = checkpoint.locate(model)
        self.app = AppContext(Recordings(checkpoint.load(folder, pick_device(device), threads)), folder)
        create_ui(self.app)  # building the page registers the questions of its tabs
        self.worker = ThreadPoolExecutor(1, thread_name_prefix="model")
        self.work_started_at: float | None = None  # of the current work, monotonic

    async def __call__(self, request: AskRequest) -> str:
        if self.app.questions.sentence(request.question, request.arguments) is None:
            return await self.run_on_worker(partial(self.answer, request))
        batched: Any = self.answer_batch  # the decorator makes it take one request and return its answer
        return await batched(request)

    @serve.batch(max_batch_size=MAX_BATCH_SIZE, batch_wait_timeout_s=BATCH_WAIT_SECONDS)
    async def answer_batch(self, requests: list[AskRequest]) -> list[str]:
        return await self.run_on_worker(partial(self.answers, requests))

    def answers(self, requests: list[AskRequest]) -> list[str]:
        """Translates all sentences in one batch, then answers each request."""
        if len(requests) > 1:
            sentences = [self.app.questions.sentence(request.question, request.arguments) for request in requests]
            self.app.recordings.translate_batch([text for text in sentences if text is not None])
        return [self.answer(request) for request in requests]

    def answer(self, request: AskRequest) -> str:
        with use_language(LanguageContext(request.language, self.app.translator.languages)):
            return self.app.questions.answer(request.question, request.arguments)

    async def run_on_worker(self, work: Callable[[], T]) -> T:
        """Runs the work on the model thread and returns its result."""

        def run() -> T:
            self.work_started_at = time.monotonic()
            try:
                return work()
            finally:
                self.work_started_at = None

        return await asyncio.get_running_loop().run_in_executor(self.worker, run)

    def check_health(self) -> None:
        """Ray calls this regularly and replaces a replica that raises."""
        started_at = self.work_started_at
        if started_at is not None and time.monotonic() - started_at > MAX_WORK_SECONDS:
            raise RuntimeError(f"the same work for {time.monotonic() - started_at:.0f} s")
