"""What the commands share: the flags that choose a translator, reading and printing text, and ending with an error."""

import argparse
import codecs
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from model.checkpoints import checkpoint
from model.checkpoints.hub import error_reason
from model.decoding import Translator
from model.errors import UserError
from model.files import require_utf8
from model.hardware import pick_device


def add_model(parser: argparse._ActionsContainer) -> None:
    """Adds the flag `--model`."""
    parser.add_argument("--model", default=checkpoint.SHIPPED, help=checkpoint.NAME_HELP)


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Adds the flag `--beam`, at least 1."""
    parser.add_argument("--beam", type=positive_int, default=1, help="beam size; 1, the default, is greedy")


def gzip_path(text: str) -> Path:
    """The path of a file to write as gzip, by which it is read, too."""
    if not text.endswith(".gz"):
        raise argparse.ArgumentTypeError(f"it needs a name that ends with .gz, not {text}")
    return Path(text)


def positive_int(text: str) -> int:
    """A number from 1 on. Raises ArgumentTypeError for any other text."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return int(text)


def add_device(parser: argparse.ArgumentParser) -> None:
    """Adds the flags `--device` and `--threads`."""
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")
    parser.add_argument(
        "--threads",
        type=positive_int,
        default=1,
        help="threads of one computation on a CPU (default 1); more help only large batches, on a machine that is idle",
    )


def load(options: argparse.Namespace, folder: Path | None = None) -> Translator:
    """The translator that `--model`, `--device` and `--threads` choose; `folder` is what `locate` made of the name.

    Raises CheckpointError or UserError if it cannot load.
    """
    return checkpoint.load(folder or options.model, pick_device(options.device), options.threads)


def require_folder(name: str) -> None:
    """Raises UserError unless a model is a local folder: a Hub repository's files lie in a shared cache."""
    if not Path(name).is_dir():
        raise UserError(f"--write needs a local checkpoint folder, not {name}")


def decode_argument(word: str, name: str = "the sentence") -> str:
    """A word of the command line as UTF-8 text, even if Python took its bytes for ASCII, as under LC_ALL=C.

    Raises UserError, with the name of the argument, if it is not UTF-8.
    """
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError as error:
        raise UserError(f"{name} is no text in UTF-8") from error


def read_stdin_lines() -> Iterator[str]:
    """The lines of standard input, which are UTF-8 whatever the environment says.

    Raises UserError, naming the line, if one is not.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    for number, line in enumerate(sys.stdin, 1):
        require_utf8(line, f"line {number} of the input")
        yield line


def replace_closed_streams() -> None:
    """Opens the null device in place of closed standard streams, as pythonw and services have them.

    Python has None there, and uvicorn, tqdm and others ask the stream whether it is a terminal.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (never closed)


def accept_any_output() -> None:
    """Lets standard output print every character: as UTF-8 where the encoding is ASCII, else with replacements."""
    if isinstance(sys.stdout, io.TextIOWrapper) and (name := codecs.lookup(sys.stdout.encoding).name) != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8" if name == "ascii" else name, errors="replace")


def interrupt_on_sigterm() -> None:
    """SIGTERM, and SIGHUP of a closed terminal, interrupt the program as Ctrl-C does, so that it ends in order.

    A signal that whoever started it has it ignore, as nohup does, stays ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


@contextmanager
def exit_on_error(name: str, *errors: type[Exception]) -> Iterator[None]:
    """Ends the command `name` with a sentence and status 1 if files, values or a checkpoint are wrong.

    So do the `errors`. Any other error is a bug in the program, and keeps its traceback.
    """
    replace_closed_streams()
    accept_any_output()
    try:
        yield
    except (OSError, UserError, ValidationError, checkpoint.CheckpointError, *errors) as error:
        reason = error_reason(error) if isinstance(error, OSError | ValidationError) else str(error)
        sys.exit(f"{name}: {escape_control_characters(reason)}")


def escape_control_characters(text: str, kept: str = "\n\t") -> str:
    """Text for a terminal, in which characters of files or their names that would control it are written out."""
    return "".join(
        character if character in kept or character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
