"""What the commands share: the flags that choose a translator, and how they end when something cannot be done."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from model import checkpoint
from model.decoding import Translator
from model.hardware import pick_device


def add_model(parser: argparse._ActionsContainer) -> None:
    """The flag `--model`."""
    parser.add_argument("--model", default=checkpoint.SHIPPED, help=checkpoint.NAME_HELP)


def add_device(parser: argparse.ArgumentParser) -> None:
    """The flag `--device`."""
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")


def load(options: argparse.Namespace) -> Translator:
    """The translator that the two flags choose. Raises CheckpointError or ValueError where it cannot be had."""
    return checkpoint.load(options.model, pick_device(options.device))


@contextmanager
def refusing(name: str, *errors: type[Exception]) -> Iterator[None]:
    """What is wrong with files, values or a checkpoint ends the command of this name with a sentence and status 1.

    So do the given errors. Any other is a mistake in the program, and keeps its traceback.
    """
    try:
        yield
    except (OSError, ValueError, checkpoint.CheckpointError, *errors) as error:
        sys.exit(f"{name}: {error}")
