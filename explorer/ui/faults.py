"""What is wrong with what somebody wrote or sent, in a sentence of bounded length."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT
from model import files

SENTENCE = 600  # characters


def first_fault(error: ValidationError) -> str:
    """The first fault, in English; in other languages, which pydantic does not speak, its place (a JSON pointer)."""
    if LANGUAGE_CONTEXT.get().language == FIRST:
        return files.first_error(error)
    return "".join(f"/{files.shorten(str(part))}" for part in error.errors(include_url=False)[0]["loc"]) or "/"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What is wrong with a file that is read within, as a ValueError: a sentence that begins with the file's path."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is no text in UTF-8.") from error
    except ValidationError as error:
        raise ValueError(f"{path}: {first_fault(error)}") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}.") from error


def shortened(sentence: str) -> str:
    """A sentence without its middle, where that tells at length what somebody sent."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[: SENTENCE // 2]} … {sentence[-SENTENCE // 2 :]}"
