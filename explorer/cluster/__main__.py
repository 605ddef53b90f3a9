"""Starts the page with the translator on several processes or machines: python -m explorer.cluster --help."""

import argparse
import os
import sys
from contextlib import ExitStack

from explorer.server.listen_address import ALL, listen_address, provide_temporary_folder
from explorer.server.options import add_options
from model import command

NAME = "python -m explorer.cluster"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="The page, and replicas of the translator that answer it.")
    add_options(parser)
    parser.set_defaults(toys=0)  # several pages may stand behind one address, and a toy would be known to one of them
    parser.add_argument("--replicas", type=int, default=2, help="processes that translate, each with one thread")
    parser.add_argument("--up-to", type=int, help="as many as that, where many wait (default: no more than --replicas)")
    parser.add_argument("--address", help="of a Ray cluster to join, as 10.0.0.5:6379 (default: one on this machine)")
    return parser.parse_args()


def set_environment(*, local: bool) -> None:
    """Sets what Gradio and Ray read in the environment when imported: no telemetry, no open ports."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A busy replica is slow to report the length of its queue.
    os.environ.setdefault("RAY_SERVE_QUEUE_LENGTH_RESPONSE_DEADLINE_S", "1")
    if local:
        # All of Ray listens on 127.0.0.1 then, as it always does on macOS and Windows; ray.init has no option for it.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")


def run(options: argparse.Namespace) -> None:
    """Runs the page and its replicas until Ctrl-C or SIGTERM."""
    with command.exit_on_error(NAME):
        address = listen_address(ALL if options.lan else options.host, options.port, os.environ)
        provide_temporary_folder(os.environ)
    local = options.address is None
    set_environment(local=local)
    try:
        import ray  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        sys.exit(f'{NAME}: Ray is missing. Install it with python -m pip install -e ".[serve]"')
    from explorer.cluster.front import Front
    from explorer.cluster.replicas import Replicas, Size, application_of, joined, replicas, watched
    from explorer.server.start import start

    with command.exit_on_error(NAME):
        size = Size(options.replicas, options.up_to or options.replicas)
        command.load(options)  # an error is reported here, not by every replica
    where = f"in the cluster at {options.address}" if options.address else "on this machine"
    print(f"Starting {size} {where} ...", flush=True)
    with ExitStack() as ended:
        with command.exit_on_error(NAME, RuntimeError):  # by which Ray says that a replica cannot start
            ended.enter_context(joined(options.address, size))
            handle = ended.enter_context(replicas(options.model, options.device, size, local=local))
        about = ended.enter_context(watched(application_of(options.model)))
        start(options, address, NAME, lambda app: Front(app, forward=Replicas(handle).answer, about=about))
        print("Ending the replicas ...", flush=True)


def main() -> None:
    options = parse()
    try:
        run(options)
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell says of what Ctrl-C has ended


if __name__ == "__main__":
    main()
