"""The command line options of the page."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from explorer.ui.language import LANGUAGES
from model import command

MAX_TRAININGS = 8  # trained at once


def add_toys(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--toys",
        type=int,
        choices=range(MAX_TRAININGS + 1),
        metavar="N",
        help=f"small models that visitors may train at once, 0 to {MAX_TRAININGS} (default: 1, and 0 on a Space)",
    )


def max_trainings(wanted: int | None, environment: Mapping[str, str]) -> int:
    """As many as requested; by default one, and none on a Space, where processors are paid for."""
    return wanted if wanted is not None else 0 if "SPACE_ID" in environment else 1


def host_pattern(text: str) -> str:
    """The value of --allow-host. Raises ArgumentTypeError for a URL, and for a name with a port."""
    if not re.fullmatch(r"[\w.*-]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no name such as page.example.org, without http:// and port")
    return text.lower()


def origin(text: str) -> str:
    """The value of --allow-origin, as browsers send it. Raises ArgumentTypeError for anything but an origin."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or (parts.path + parts.query).strip("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no origin such as https://page.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def is_for_lan(options: argparse.Namespace) -> bool:
    """Whether everybody in this network may open the page."""
    return options.lan or options.begins_class


def add_options(parser: argparse.ArgumentParser) -> None:
    command.add_model(parser)
    command.add_device(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME or 127.0.0.1)")
    where.add_argument("--lan", action="store_true", help="let everybody in this network open the page")
    where.add_argument(
        "--class", dest="begins_class", action="store_true", help="like --lan, with a class whose pages follow yours"
    )
    parser.add_argument(
        "--port", type=int, help="port to listen on (default: GRADIO_SERVER_PORT or the first free from 7860)"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        type=host_pattern,
        metavar="NAME",
        help="a name under which the page is reached, besides this machine's own, such as *.example.org; repeatable",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        type=origin,
        metavar="URL",
        help="a site whose pages may ask the model, such as https://www.example.org; repeatable",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser once it is ready")
    parser.add_argument(
        "--language",
        choices=[*LANGUAGES],
        help="of the page, unless a visitor chooses one (default: the browser's)",
    )
    parser.add_argument("--examples", type=Path, metavar="FILE", help="sentences to click, as in assets/examples.json")
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", help="lessons NAME.yaml, checked at the start")
    parser.add_argument("--log-json", action="store_true", help="write the log as JSON, a line for each translation")
