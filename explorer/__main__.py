"""`attention-explorer`, `python -m explorer` and `python app.py`: starts the page; --help lists what can be chosen."""

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from explorer.server.listen_address import ALL, listen_address, provide_temporary_folder
from explorer.server.options import add_options, add_toys, is_for_lan
from explorer.ui.proxies import without_proxies
from model import command
from model.checkpoints import checkpoint
from model.hardware import return_freed_memory

MODULE = "python -m explorer"


def parse(name: str, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(name, description="Look inside a Transformer while it translates.")
    add_options(parser)
    add_toys(parser)
    return parser.parse_args(arguments)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Imports inside without looking for garbage, of which there is none; later searches leave out what is loaded.

    A quarter of the time of these imports went into such searches, and each of them would stop the page, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def main(arguments: Sequence[str] | None = None) -> None:
    called = Path(sys.argv[0]).name
    name = MODULE if called == Path(__file__).name else called
    options = parse(name, arguments)
    command.interrupt_on_sigterm()
    return_freed_memory()
    try:
        with command.exit_on_error(name):
            address = listen_address(ALL if is_for_lan(options) else options.host, options.port, os.environ)
            provide_temporary_folder(os.environ)
            options.model = str(checkpoint.locate(options.model))  # a wrong name is said before Gradio is imported
        os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
        if is_for_lan(options):
            print("Loading the model; the address follows in a few seconds.", flush=True)
        with without_garbage_collection(), without_proxies(os.environ):
            from explorer.server.start import start  # only now: Gradio reads the environment as it is imported

        start(options, address, name)
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell says of what Ctrl-C has ended


if __name__ == "__main__":
    main()
