"""Runs the translator in several processes, with Ray Serve; the page stays one process that forwards requests.

python -m pip install -e ".[serve]"
python -m explorer.cluster --replicas 2
"""

import argparse
import os
import sys
from contextlib import ExitStack

from explorer.server.listen_address import ALL, listen_address, provide_temporary_folder
from explorer.server.options import add_options, is_for_lan
from explorer.ui.proxies import without_proxies
from model import command

NAME = "python -m explorer.cluster"


def set_environment(*, local: bool) -> None:
    """Sets environment variables that Gradio and Ray read on import: no telemetry, no open ports."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Seconds; a busy replica is slow to report the length of its queue.
    os.environ.setdefault("RAY_SERVE_QUEUE_LENGTH_RESPONSE_DEADLINE_S", "1")
    if local:
        # Makes Ray listen on 127.0.0.1 only, as it always does on macOS and Windows; ray.init has no option for it.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")


def run(options: argparse.Namespace) -> None:
    """Runs the page and its replicas until Ctrl-C or SIGTERM."""
    with command.exit_on_error(NAME):
        address = listen_address(ALL if is_for_lan(options) else options.host, options.port, os.environ)
        provide_temporary_folder(os.environ)
    local = options.address is None
    set_environment(local=local)
    try:
        import ray  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        sys.exit(f'{NAME}: Ray is missing. Install it with python -m pip install -e ".[serve]"')
    with without_proxies(os.environ):
        from explorer.cluster.forwarding import ForwardingAnswerService
        from explorer.cluster.replicas import (
            ReplicaClient,
            ReplicaLimits,
            application_name,
            connect_to_ray,
            run_replicas,
            watch_replica_count,
        )
        from explorer.server.start import start

    with command.exit_on_error(NAME):
        limits = ReplicaLimits(options.replicas, options.up_to or options.replicas)
        command.load(options)  # an error is reported here, not by every replica
    where = f"in the cluster at {options.address}" if options.address else "on this machine"
    print(f"Starting {limits} {where} ...", flush=True)
    with ExitStack() as stack:
        with command.exit_on_error(NAME, RuntimeError):  # Ray raises it if a replica cannot start
            stack.enter_context(connect_to_ray(options.address, limits))
            handle = stack.enter_context(run_replicas(options, limits, local=local))
        status = stack.enter_context(watch_replica_count(application_name(options.model)))
        forward = ReplicaClient(handle).answer
        start(options, address, NAME, lambda app: ForwardingAnswerService(app, forward=forward, status=status))
        print("Ending the replicas ...", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(NAME, description="Starts the page and replicas of the translator.")
    add_options(parser)
    parser.set_defaults(toys=0)  # behind a load balancer, only one page process would know a toy
    parser.add_argument(
        "--replicas", type=int, default=2, help="processes that translate, each with one thread (default 2)"
    )
    parser.add_argument("--up-to", type=int, help="maximum number when many requests wait (default: --replicas)")
    parser.add_argument("--address", help="of a Ray cluster to join, as 10.0.0.5:6379 (default: one on this machine)")
    options = parser.parse_args()
    command.interrupt_on_sigterm()
    try:
        run(options)
    except KeyboardInterrupt:
        sys.exit(130)  # the conventional status after Ctrl-C


if __name__ == "__main__":
    main()
