"""Error messages for files and requests: one sentence of bounded length."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT
from model import files

MAX_CHARACTERS = 600  # characters


def first_fault(error: ValidationError) -> str:
    """The first fault, in English; in other languages, which pydantic does not speak, its place (a JSON pointer)."""
    if LANGUAGE_CONTEXT.get().language == FIRST:
        return files.first_error(error)
    return "".join(f"/{files.shorten(str(part))}" for part in error.errors(include_url=False)[0]["loc"]) or "/"


@contextmanager
def with_path(path: Path) -> Iterator[None]:
    """Errors of a file that is read inside become a ValueError whose sentence begins with the path."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: this is no text in UTF-8.") from error
    except ValidationError as error:
        raise ValueError(f"{path}: {first_fault(error)}") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}.") from error


def shorten(sentence: str) -> str:
    """A sentence without its middle where it is too long, as when it quotes what was sent."""
    return (
        sentence
        if len(sentence) <= MAX_CHARACTERS
        else f"{sentence[: MAX_CHARACTERS // 2]} … {sentence[-MAX_CHARACTERS // 2 :]}"
    )
