"""Files from outside, read with care: only regular ones, never more of them than they may hold, and JSON of any kind.

A pipe or a device would keep its reader waiting for ever, so what a file is is asked before it is opened.
"""

import stat
from pathlib import Path
from typing import Any

from pydantic_core import from_json

LARGEST_JSON = 32_000_000  # bytes; the record of a training of a month has fewer


def size_of(path: Path) -> int:
    """The bytes of a regular file, or of one that a link leads to. Raises OSError or ValueError for anything else."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{path.name} is {'a folder' if stat.S_ISDIR(found.st_mode) else 'no regular file'}")
    return found.st_size


def read_bytes(path: Path, most: int) -> bytes:
    """A file's bytes. Raises OSError, or ValueError where it is no file or has more than `most`."""
    size = size_of(path)
    if size > most:
        raise ValueError(f"{path.name} has {size:,} bytes, and at most {most:,} are read")
    with path.open("rb") as file:
        return file.read(most)


def read_text(path: Path, most: int, *, encoding: str) -> str:
    """A file's text. Raises OSError, UnicodeDecodeError, or ValueError where it is no file or has more bytes."""
    return read_bytes(path, most).decode(encoding)


def read_json(path: Path, most: int = LARGEST_JSON) -> Any:
    """The value that a JSON file holds. Raises ValueError, with the file's name, where there is none.

    Numbers that are none and values nested 200 deep are refused, too.
    """
    try:
        return from_json(read_bytes(path, most), allow_inf_nan=False)
    except ValueError as error:
        named = str(error).startswith(path.name)
        raise ValueError(str(error) if named else f"{path.name} is not JSON: {error}") from error


def read_object(path: Path, most: int = LARGEST_JSON) -> dict[str, Any]:
    """The JSON object that a file holds."""
    value = read_json(path, most)
    if not isinstance(value, dict):
        raise ValueError(f"{path.name} must hold an object")
    return value
