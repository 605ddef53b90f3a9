"""`attention-explorer`, `python -m explorer` and `python app.py`: starts the page; --help lists what can be chosen."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.page.place import ALL, place_for, provide_temporary_folder
from explorer.shared.language import LANGUAGES
from model import command

MODULE = "python -m explorer"


def parse(name: str, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(name, description="Look inside a Transformer while it translates.")
    command.add_model(parser)
    command.add_device(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME or 127.0.0.1)")
    where.add_argument("--lan", action="store_true", help="for a class: let everybody in this network open the page")
    parser.add_argument(
        "--port", type=int, help="port to listen on (default: GRADIO_SERVER_PORT or the first free from 7860)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser once it is ready")
    parser.add_argument(
        "--language",
        choices=[*LANGUAGES],
        help="of the page, where a visitor asks for none (default: his browser's)",
    )
    parser.add_argument("--examples", type=Path, metavar="FILE", help="sentences to click, as in assets/examples.json")
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="lessons NAME.yaml, checked at the start")
    parser.add_argument("--log-json", action="store_true", help="write the log as JSON, a line for each translation")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    called = Path(sys.argv[0]).name
    name = MODULE if called == Path(__file__).name else called
    options = parse(name, arguments)
    try:
        with command.refusing(name):
            place = place_for(ALL if options.lan else options.host, options.port, os.environ)
            provide_temporary_folder(os.environ)
        os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
        from explorer.page.start import start  # only now: Gradio reads the environment as it is imported

        start(options, place, name)
    except KeyboardInterrupt:
        sys.exit(130)  # as a shell says of what Ctrl-C has ended


if __name__ == "__main__":
    main()
