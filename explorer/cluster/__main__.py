"""Starts the page with the translator on several processes or machines: python -m explorer.cluster --help."""

import argparse
import os
import signal
import threading
from pathlib import Path

from explorer.shared.language import LANGUAGES
from model import checkpoint, command

NAME = "python -m explorer.cluster"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="The page, and replicas of the translator that answer it.")
    command.add_model(parser)
    command.add_device(parser)
    parser.add_argument("--replicas", type=int, default=2, help="processes that translate, each with one thread")
    parser.add_argument("--up-to", type=int, help="as many as that, when many wait (default: no more than --replicas)")
    parser.add_argument("--address", help="of a Ray cluster to join, as 10.0.0.5:6379 (default: one on this machine)")
    parser.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME or 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default: GRADIO_SERVER_PORT or from 7860)")
    parser.add_argument("--language", choices=[*LANGUAGES], help="of the page (default: the browser's)")
    parser.add_argument("--examples", type=Path, metavar="FILE", help="sentences to click, as in assets/examples.json")
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="lessons NAME.yaml")
    return parser.parse_args()


def settle(*, alone: bool) -> None:
    """What Gradio and Ray read in the environment as they are imported: nothing leaves the machine unasked."""
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A replica that computes is slow to say how many questions it has; that is no reason to doubt it.
    os.environ.setdefault("RAY_SERVE_QUEUE_LENGTH_RESPONSE_DEADLINE_S", "1")
    if alone:
        # All of Ray listens on 127.0.0.1 then, as it always does on macOS and Windows; ray.init has no option for it.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")


def serve(options: argparse.Namespace) -> None:
    """Until Ctrl-C, or until it is asked to end."""
    try:
        from explorer.cluster.replicas import Replicas, Size, joined, replicas, watched
    except ModuleNotFoundError as error:
        raise ValueError(f'{error.name} is missing: python -m pip install -e ".[serve]"') from error
    from explorer.cluster.front import Front
    from explorer.page.launch import launch
    from explorer.page.ui import create_ui
    from explorer.recording.opened import Opened
    from explorer.recording.recordings import Recordings

    size = Size(options.replicas, options.up_to or options.replicas)
    folder = checkpoint.locate(options.model)
    opened = Opened(
        Recordings(checkpoint.load(folder)), folder, examples=options.examples, lessons=options.lessons
    )
    page = create_ui(opened)
    model = str(folder.resolve()) if Path(options.model).is_dir() else options.model
    print(f"Starting {size} of {options.model}, {place(options.address)} ...", flush=True)
    with joined(options.address, size), replicas(model, options.device, size) as handle, watched() as about:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray has put its own there
        front = Front(opened, hand_on=Replicas(handle).answer, about=about)
        chosen = {"host": options.host, "port": options.port, "language": options.language}
        launch(page, front, prevent_thread_lock=True, quiet=False, **chosen)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("Ending the replicas ...", flush=True)
        finally:
            page.close(verbose=False)


def place(address: str | None) -> str:
    return f"in the cluster at {address}" if address else "on this machine, for this machine only"


def main() -> None:
    options = parse()
    settle(alone=options.address is None)
    with command.refusing(NAME, ConnectionError):
        serve(options)


if __name__ == "__main__":
    main()
