"""The replicas: how many there are, where they run, and how a question finds one that answers."""

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

from explorer.cluster.front import Crowded
from explorer.cluster.replica import Replica
from explorer.server.desk import Asked
from explorer.ui.queue import MOST, TOGETHER
from model.checkpoints import checkpoint
from model.checkpoints.integrity import sha256_of

NAME = "attention-explorer"
TRIES = 3  # replicas that a question is put to, where they die over it; more than two die rarely within one answer
ONGOING = 8 * TOGETHER  # questions that a replica has at once: Ray hands on what waits for a place by twos, no batches
STORE = 200_000_000  # bytes of memory through which processes on one machine pass long answers
WATCH = 1.0  # seconds from one look at the replicas to the next

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Size:
    """Between `least` and `most` replicas, as the queue demands."""

    least: int
    most: int

    def __post_init__(self):
        if not 1 <= self.least <= self.most:
            raise ValueError(f"--replicas must be at least 1, and --up-to at least that: {self.least} and {self.most}")

    def __str__(self) -> str:
        return f"{self.least} replicas" if self.least == self.most else f"{self.least} to {self.most} replicas"

    @property
    def options(self) -> dict[str, object]:
        """What Ray Serve calls it. A replica should have one batch's questions on average."""
        if self.least == self.most:
            return {"num_replicas": self.least}
        grown = {"min_replicas": self.least, "max_replicas": self.most, "target_ongoing_requests": TOGETHER}
        return {"autoscaling_config": {**grown, "upscale_delay_s": 5, "downscale_delay_s": 300}}


@contextmanager
def joined(address: str | None, size: Size) -> Iterator[None]:
    """In its block this process is part of a cluster: of the one at the address, or of one that is started here.

    The one that is started has no dashboard, and ends with the block. Raises ConnectionError.
    """
    quiet = {"namespace": NAME, "logging_level": logging.WARNING, "log_to_driver": False}
    if address:
        ray.init(address, **quiet)
    else:  # as many processors as replicas, so that all of them find a place
        ray.init("local", num_cpus=size.most, object_store_memory=STORE, include_dashboard=False, **quiet)
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray's own would end the program without an end
        yield
    finally:
        ray.shutdown()


def deployment(model: str, device: str, size: Size, *, local: bool) -> serve.Application:
    """What Ray Serve is to run; a folder has to be there, under the same name, on every machine."""
    model = str(Path(model).resolve()) if Path(model).is_dir() else model
    environment = {"GRADIO_ANALYTICS_ENABLED": "False"}  # also where the replica runs on another machine
    return serve.deployment(
        name="Translator",
        max_ongoing_requests=ONGOING,
        max_queued_requests=MOST,  # of every page in front
        health_check_period_s=5,
        graceful_shutdown_timeout_s=20,
        ray_actor_options={"num_cpus": 1, "runtime_env": {"env_vars": environment}},
        **size.options,
    )(Replica).bind(model, device, local=local)


@contextmanager
def replicas(model: str, device: str, size: Size, *, local: bool) -> Iterator[DeploymentHandle]:
    """Replicas that are ready to answer, through this handle, until the block ends.

    Where another page of the same checkpoint has started them in the same cluster, they are that page's: it chose their
    number, and ends them.
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
    """What replicas of a checkpoint are called in a cluster: those of another one have another name."""
    folder = checkpoint.locate(model)
    parts = (checkpoint.CONFIG, *checkpoint.tokenizer_files(folder), checkpoint.RECORD)
    files = sorted([*(folder / name for name in parts), *folder.glob("*.safetensors")])
    return f"{NAME}-{hashlib.sha256(''.join(map(sha256_of, files)).encode()).hexdigest()[:12]}"


def running(name: str) -> int:
    """How many replicas of an application answer at this moment."""
    application = serve.status().applications.get(name)
    deployments = application.deployments.values() if application else ()
    return sum(one.replica_states.get("RUNNING", 0) for one in deployments)


@contextmanager
def watched(name: str) -> Iterator[dict[str, int]]:
    """A record of how many replicas answer, which a thread keeps up to date: to ask Ray takes a while."""
    about, ended = {"replicas": running(name)}, Event()

    def watch() -> None:
        while not ended.wait(WATCH):
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
    """Whoever answers, behind a handle."""

    handle: DeploymentHandle

    async def answer(self, asked: Asked) -> str:
        """Another replica is asked where one dies. Raises Crowded, or RayActorError where all of them die."""
        for _ in range(TRIES - 1):
            try:
                return await self.once(asked)
            except RayActorError as error:
                logger.warning("A replica died over a question, which is put to another: %s", type(error).__name__)
        return await self.once(asked)

    async def once(self, asked: Asked) -> str:
        response = self.handle.remote(asked)
        try:
            return await response
        except BackPressureError as error:
            raise Crowded from error
        except asyncio.CancelledError:
            response.cancel()  # nobody waits for it any more
            raise
