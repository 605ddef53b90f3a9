"""The replicas under Ray Serve: their number, their deployment, and the call of one of them."""

# pyright: reportMissingImports=false
# Ray is an extra.
import asyncio
import hashlib
import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import ray
from ray import serve
from ray.exceptions import RayActorError
from ray.serve.exceptions import BackPressureError
from ray.serve.handle import DeploymentHandle

from explorer.cluster.front import ReplicasFull
from explorer.cluster.replica import Replica
from explorer.server.answer_service import AskRequest
from explorer.ui.queue import MAX_BATCH, MAX_JOBS
from model.checkpoints import checkpoint
from model.checkpoints.integrity import sha256_of

NAME = "attention-explorer"
TRIES = 3  # replicas that are tried with a request where they die; more than two rarely die within one answer
MAX_ONGOING = 8 * MAX_BATCH  # requests of a replica: Ray passes waiting ones on in twos, which makes no batches
OBJECT_STORE_BYTES = 200_000_000  # through which processes on one machine pass long answers
STATUS_SECONDS = 1.0  # between two looks at the replicas

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Size:
    """Between `least` and `most` replicas, scaled by the length of the queue."""

    least: int
    most: int

    def __post_init__(self):
        if not 1 <= self.least <= self.most:
            raise ValueError(f"--replicas must be at least 1, and --up-to at least that: {self.least} and {self.most}")

    def __str__(self) -> str:
        return f"{self.least} replicas" if self.least == self.most else f"{self.least} to {self.most} replicas"

    @property
    def options(self) -> dict[str, object]:
        """Options of Ray Serve. A replica should have the requests of one batch on average."""
        if self.least == self.most:
            return {"num_replicas": self.least}
        grown = {"min_replicas": self.least, "max_replicas": self.most, "target_ongoing_requests": MAX_BATCH}
        return {"autoscaling_config": {**grown, "upscale_delay_s": 5, "downscale_delay_s": 300}}


@contextmanager
def joined(address: str | None, size: Size) -> Iterator[None]:
    """Joins the cluster at the address, or starts one, until the block ends. Raises ConnectionError."""
    quiet = {"namespace": NAME, "logging_level": logging.WARNING, "log_to_driver": False}
    if address:
        ray.init(address, **quiet)
    else:  # one processor per replica
        ray.init("local", num_cpus=size.most, object_store_memory=OBJECT_STORE_BYTES, include_dashboard=False, **quiet)
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray's own exits without cleaning up
        yield
    finally:
        ray.shutdown()


def deployment(model: str, device: str, size: Size, *, local: bool) -> serve.Application:
    """The application for Ray Serve; a model folder must exist, under the same name, on every machine."""
    model = str(Path(model).resolve()) if Path(model).is_dir() else model
    environment = {"GRADIO_ANALYTICS_ENABLED": "False"}  # also where the replica runs on another machine
    return serve.deployment(
        name="Translator",
        max_ongoing_requests=MAX_ONGOING,
        max_queued_requests=MAX_JOBS,  # of every front
        health_check_period_s=5,
        graceful_shutdown_timeout_s=20,
        ray_actor_options={"num_cpus": 1, "runtime_env": {"env_vars": environment}},
        **size.options,
    )(Replica).bind(model, device, local=local)


@contextmanager
def replicas(model: str, device: str, size: Size, *, local: bool) -> Iterator[DeploymentHandle]:
    """A handle to running replicas, until the block ends.

    Where another front of the same checkpoint has started them in the same cluster, that one ends them.
    """
    serve.start(proxy_location="Disabled")  # the page is in front, and nothing else
    name = application_of(model)
    if name in serve.status().applications:
        yield serve.get_app_handle(name)
        return
    try:
        yield serve.run(deployment(model, device, size, local=local), name=name, route_prefix=None)
    finally:
        serve.delete(name)


def application_of(model: str) -> str:
    """The application name of a checkpoint's replicas in a cluster."""
    folder = checkpoint.locate(model)
    parts = (checkpoint.CONFIG, *checkpoint.tokenizer_files(folder), checkpoint.RECORD)
    files = sorted([*(folder / name for name in parts), *folder.glob("*.safetensors")])
    return f"{NAME}-{hashlib.sha256(''.join(map(sha256_of, files)).encode()).hexdigest()[:12]}"


def running(name: str) -> int:
    """The number of running replicas of an application."""
    application = serve.status().applications.get(name)
    deployments = application.deployments.values() if application else ()
    return sum(one.replica_states.get("RUNNING", 0) for one in deployments)


@contextmanager
def watched(name: str) -> Iterator[dict[str, int]]:
    """The number of running replicas, kept up to date by a thread: asking Ray takes a while."""
    about, ended = {"replicas": running(name)}, Event()

    def watch() -> None:
        while not ended.wait(STATUS_SECONDS):
            about["replicas"] = running(name)

    watcher = Thread(target=watch, name="replicas", daemon=True)
    watcher.start()
    try:
        yield about
    finally:
        ended.set()
        watcher.join()


@dataclass(frozen=True)
class Replicas:
    """Calls replicas through a handle."""

    handle: DeploymentHandle

    async def answer(self, request: AskRequest) -> str:
        """Tries another replica where one dies. Raises ReplicasFull, or RayActorError where all of them die."""
        for _ in range(TRIES - 1):
            try:
                return await self.try_once(request)
            except RayActorError as error:
                logger.warning("A replica died; its request goes to another: %s", type(error).__name__)
        return await self.try_once(request)

    async def try_once(self, request: AskRequest) -> str:
        response = self.handle.remote(request)
        try:
            return await response
        except BackPressureError as error:
            raise ReplicasFull from error
        except asyncio.CancelledError:
            response.cancel()  # the client is gone
            raise
