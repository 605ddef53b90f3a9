"""Files from outside: read with care, checked, and written whole or not at all."""

import errno
import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json

MAX_JSON_BYTES = 32_000_000  # bytes; the record of a training of a month has fewer
MAX_SHOWN_CHARACTERS = 60  # characters of what was found, and of a name
# Kinds of faults whose message says it, or that have none, or where it is not what is wrong.
WITHOUT_VALUE = ("missing", "missing_argument", "unexpected_positional_argument", "value_error", "json_invalid")
REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or choose a folder on another disk"),
    errno.EFBIG: "allow larger files, or choose a folder on another disk",
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "make the folder writable, or choose another one"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "a file is where a folder should be: choose another folder"),
}
DEFAULT_REMEDY = "choose another folder"


def file_size(path: Path) -> int:
    """The bytes of a regular file, or of one that a link leads to. Raises OSError or ValueError for anything else."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{path.name} is {'a folder' if stat.S_ISDIR(found.st_mode) else 'no regular file'}")
    return found.st_size


def read_bytes(path: Path, most: int) -> bytes:
    """A file's bytes. Raises OSError, or ValueError where it is no file or has more than `most`."""
    size = file_size(path)
    if size > most:
        raise ValueError(f"{path.name} has {size:,} bytes, and at most {most:,} are read")
    with path.open("rb") as file:
        return file.read(most)


def read_text(path: Path, most: int, *, encoding: str) -> str:
    """A file's text. Raises OSError, UnicodeDecodeError, or ValueError where it is no file or has more bytes."""
    return read_bytes(path, most).decode(encoding)


def read_json(path: Path, most: int = MAX_JSON_BYTES) -> Any:
    """The value that a JSON file holds. Raises ValueError, with the file's name, where there is none.

    Numbers that are none and values nested 200 deep are refused, too.
    """
    try:
        return from_json(read_bytes(path, most), allow_inf_nan=False)
    except ValueError as error:
        named = str(error).startswith(path.name)
        raise ValueError(str(error) if named else f"{path.name} is not JSON: {error}") from error


def read_object(path: Path, most: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The JSON object that a file holds."""
    value = read_json(path, most)
    if not isinstance(value, dict):
        raise ValueError(f"{path.name} must hold an object")
    return value


def shorten(found: str) -> str:
    return found if len(found) <= MAX_SHOWN_CHARACTERS else f"{found[: MAX_SHOWN_CHARACTERS - 1]}…"


def first_error(error: ValidationError) -> str:
    """The place of the first fault, counted from one, what is expected there, and what stands there instead."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ", ".join(f"number {part + 1}" if isinstance(part, int) else shorten(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    told = "" if first["type"] in WITHOUT_VALUE else f", not {shorten(repr(first['input']))}"
    return f"{place or 'the whole file'}: {message[0].lower()}{message[1:]}{told}."


def validate_file(validate: Callable[[bytes], Any], value: Any, name: str) -> Any:
    """What a file's value is by a pydantic model's `validate_json`.

    Raises ValueError that names the file, the field and what is expected. What the model's own code refuses as a whole
    says itself which field is meant.
    """
    try:
        return validate(to_json(value))  # because from an object of Python a strict model takes no dict for a dataclass
    except ValidationError as error:
        sentence = first_error(error).removesuffix(".").removeprefix("the whole file: ")
        raise ValueError(f"{name}: {sentence}") from error


class SaveError(OSError):
    """Something could not be saved; the message says what, why and what to do."""


def save_error(path: Path, error: OSError) -> SaveError:
    """The sentence about a file that could not be written."""
    return SaveError(
        f"{path} cannot be saved ({error.strerror or error}); what was saved before is as it was. To go on, "
        f"{REMEDIES.get(error.errno or 0, DEFAULT_REMEDY)}."
    )


def temporary_path(path: Path) -> Path:
    """Where the new bytes of a file stand until they take its place; what a kill left there is written over."""
    return path.with_name(f"{path.name}.tmp")


def write_and_sync(path: Path, data: bytes | memoryview) -> None:
    """Writes a file and waits until the disk has it."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Waits until the disk knows which files a folder has; Windows cannot be asked to."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def make_folder(folder: Path) -> None:
    """The folder and those above it. Raises SaveError where they cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise save_error(folder, error) from error


def write_together(folder: Path, files: Iterable[tuple[str, bytes | memoryview]]) -> list[Path]:
    """Writes files by their names, each made when its turn comes, and says which.

    Raises SaveError, with nothing changed, where one cannot be written. Where the disk fails in between two of the
    moves, which need no room any more, the files moved before are new, and the others are as they were.
    """
    written: list[Path] = []
    try:
        for name, data in files:
            written.append(folder / name)
            write_and_sync(temporary_path(folder / name), data)
        for path in written:
            os.replace(temporary_path(path), path)
        sync_folder(folder)
        return written
    except OSError as error:
        raise save_error(written[-1] if written else folder, error) from error
    finally:
        for path in written:
            with suppress(OSError):  # where this fails, too, what is raised above says why
                temporary_path(path).unlink()


def write_atomically(path: Path, data: bytes | memoryview) -> None:
    """Writes one file, wholly or not at all. Raises SaveError where it cannot be written."""
    write_together(path.parent, [(path.name, data)])
