"""What the commands share: the flags that choose a translator, and how they end when something cannot be done."""

import argparse
import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.hardware import pick_device


def add_model(parser: argparse._ActionsContainer) -> None:
    """The flag `--model`."""
    parser.add_argument("--model", default=checkpoint.SHIPPED, help=checkpoint.NAME_HELP)


def add_beam(parser: argparse.ArgumentParser) -> None:
    """The flag `--beam`, at least 1."""
    parser.add_argument("--beam", type=beam_size, default=1, help="beam size; 1, the default, is greedy")


def beam_size(text: str) -> int:
    """A number from 1 on. Raises ArgumentTypeError, with a sentence, for any other text."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return int(text)


def add_device(parser: argparse.ArgumentParser) -> None:
    """The flag `--device`."""
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")


def load(options: argparse.Namespace) -> Translator:
    """The translator that the two flags choose. Raises CheckpointError or ValueError where it cannot be had."""
    return checkpoint.load(options.model, pick_device(options.device))


def decode_argument(word: str) -> str:
    """A word of the command line as text in UTF-8, also where Python took its bytes for ASCII, as under LC_ALL=C.

    Raises ValueError where it is none.
    """
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError as error:
        raise ValueError("the sentence is no text in UTF-8") from error


def read_stdin_lines() -> Iterator[str]:
    """The lines of standard input, which is UTF-8 whatever the environment says.

    Raises ValueError, naming the line, where one is not.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    for number, line in enumerate(sys.stdin, 1):
        try:
            yield line.encode("utf-8", "surrogateescape").decode("utf-8")
        except UnicodeError as error:
            raise ValueError(f"line {number} of the input is no text in UTF-8") from error


def accept_any_output() -> None:
    """Standard output takes every character: an environment that says ASCII means nothing by it, others show a mark."""
    if isinstance(sys.stdout, io.TextIOWrapper) and (name := codecs.lookup(sys.stdout.encoding).name) != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8" if name == "ascii" else name, errors="replace")


@contextmanager
def exit_on_error(name: str, *errors: type[Exception]) -> Iterator[None]:
    """What is wrong with files, values or a checkpoint ends the command of this name with a sentence and status 1.

    So do the given errors. Any other is a mistake in the program, and keeps its traceback.
    """
    accept_any_output()
    try:
        yield
    except (OSError, ValueError, checkpoint.CheckpointError, *errors) as error:
        reason = checkpoint.error_reason(error) if isinstance(error, OSError) else str(error)
        sys.exit(f"{name}: {escape_control_characters(reason)}")


def escape_control_characters(text: str, kept: str = "\n\t") -> str:
    """Text that may hold that of a file or its name, as a terminal shows it: what would steer it is written out."""
    return "".join(
        sign if sign in kept or sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )
