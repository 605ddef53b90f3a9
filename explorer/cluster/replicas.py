"""Deploys replicas with Ray Serve, counts them, and forwards requests to them."""

# pyright: reportMissingImports=false
# Ray is an optional dependency.
import asyncio
import hashlib
import logging
import signal
from argparse import Namespace
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

from explorer.cluster.forwarding import ReplicasFull
from explorer.cluster.replica import Replica
from explorer.server.ask import AskRequest
from explorer.ui.fair_queue import MAX_JOBS
from explorer.ui.scheduler import MAX_BATCH_SIZE
from model.checkpoints import checkpoint
from model.checkpoints.integrity import sha256_of
from model.errors import UserError

NAMESPACE = "attention-explorer"
MAX_ATTEMPTS = 3  # per request, if replicas die
MAX_ONGOING_REQUESTS = 8 * MAX_BATCH_SIZE  # of a replica: large, because Ray hands on queued requests two at a time
OBJECT_STORE_BYTES = 200_000_000  # shared memory for long answers
STATUS_INTERVAL_SECONDS = 1.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReplicaLimits:
    """The minimum and maximum number of replicas; Ray scales between them with the length of the queue."""

    min_replicas: int
    max_replicas: int

    def __post_init__(self):
        if not 1 <= self.min_replicas <= self.max_replicas:
            raise UserError(
                f"--replicas must be at least 1, and --up-to at least that: {self.min_replicas} and {self.max_replicas}"
            )

    def __str__(self) -> str:
        return (
            f"{self.min_replicas} replicas"
            if self.min_replicas == self.max_replicas
            else f"{self.min_replicas} to {self.max_replicas} replicas"
        )

    @property
    def ray_options(self) -> dict[str, object]:
        """Options of Ray Serve. It aims at one batch of requests per replica."""
        if self.min_replicas == self.max_replicas:
            return {"num_replicas": self.min_replicas}
        scaling = {
            "min_replicas": self.min_replicas,
            "max_replicas": self.max_replicas,
            "target_ongoing_requests": MAX_BATCH_SIZE,
        }
        return {"autoscaling_config": {**scaling, "upscale_delay_s": 5, "downscale_delay_s": 300}}


@contextmanager
def connect_to_ray(address: str | None, limits: ReplicaLimits) -> Iterator[None]:
    """Connects to the cluster at the address, or starts a local one, until the block ends. Raises ConnectionError."""
    quiet = {"namespace": NAMESPACE, "logging_level": logging.WARNING, "log_to_driver": False}
    if address:
        ray.init(address, **quiet)
    else:  # one CPU per replica
        ray.init(
            "local",
            num_cpus=limits.max_replicas,
            object_store_memory=OBJECT_STORE_BYTES,
            include_dashboard=False,
            **quiet,
        )
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray's handler exits without cleaning up
        yield
    finally:
        ray.shutdown()


def make_application(options: Namespace, limits: ReplicaLimits, *, local: bool) -> serve.Application:
    """The Ray Serve application. A model folder must exist at the same path on every machine."""
    model = str(Path(options.model).resolve()) if Path(options.model).is_dir() else options.model
    environment = {"GRADIO_ANALYTICS_ENABLED": "False"}  # for replicas on other machines too
    return serve.deployment(
        name="Translator",
        max_ongoing_requests=MAX_ONGOING_REQUESTS,
        max_queued_requests=MAX_JOBS,  # per page process
        health_check_period_s=5,
        graceful_shutdown_timeout_s=20,
        ray_actor_options={"num_cpus": options.threads, "runtime_env": {"env_vars": environment}},
        **limits.ray_options,
    )(Replica).bind(model, options.device, options.threads, local=local)


@contextmanager
def run_replicas(options: Namespace, limits: ReplicaLimits, *, local: bool) -> Iterator[DeploymentHandle]:
    """Runs replicas with the options of the command until the block ends, and yields a handle to them.

    If another page process already runs replicas of the same checkpoint in the cluster, it yields those and leaves
    their end to that process.
    """
    serve.start(proxy_location="Disabled")  # the page is the only HTTP server
    name = application_name(options.model)
    if name in serve.status().applications:
        yield serve.get_app_handle(name)
        return
    try:
        yield serve.run(make_application(options, limits, local=local), name=name, route_prefix=None)
    finally:
        serve.delete(name)


def application_name(model: str) -> str:
    """The name of a checkpoint's application, from a hash of its files."""
    folder = checkpoint.locate(model)
    parts = (checkpoint.CONFIG, *checkpoint.tokenizer_files(folder), checkpoint.RECORD)
    files = sorted([*(folder / name for name in parts), *folder.glob("*.safetensors")])
    return f"{NAMESPACE}-{hashlib.sha256(''.join(map(sha256_of, files)).encode()).hexdigest()[:12]}"


def count_running(name: str) -> int:
    """The number of running replicas of an application."""
    application = serve.status().applications.get(name)
    deployments = application.deployments.values() if application else ()
    return sum(one.replica_states.get("RUNNING", 0) for one in deployments)


@contextmanager
def watch_replica_count(name: str) -> Iterator[dict[str, int]]:
    """Yields the number of running replicas, which a thread keeps up to date: asking Ray is slow."""
    status, stop = {"replicas": count_running(name)}, Event()

    def watch() -> None:
        while not stop.wait(STATUS_INTERVAL_SECONDS):
            status["replicas"] = count_running(name)

    watcher = Thread(target=watch, name="replicas", daemon=True)
    watcher.start()
    try:
        yield status
    finally:
        stop.set()
        watcher.join()


@dataclass(frozen=True)
class ReplicaClient:
    """Sends requests to replicas through a handle."""

    handle: DeploymentHandle

    async def answer(self, request: AskRequest) -> str:
        """Answers a request; tries another replica if one dies. Raises ReplicasFull, or RayActorError in the end."""
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return await self.send(request)
            except RayActorError as error:
                logger.warning("A replica died; its request goes to another: %s", type(error).__name__)
        return await self.send(request)

    async def send(self, request: AskRequest) -> str:
        response = self.handle.remote(request)
        try:
            return await response
        except BackPressureError as error:
            raise ReplicasFull from error
        except asyncio.CancelledError:
            response.cancel()  # the client has disconnected
            raise
