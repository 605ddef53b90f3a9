"""Files: read with care, checked, and written either completely or not at all.

Only regular files are read, and never more bytes than allowed: a pipe or a device would block its reader for ever.
Links are not followed: a folder may come from anywhere, and a link in it could lead to any file of this machine. A path
that the user names may be one; the caller resolves it first.

A file is never half written, even if the process is killed. The new bytes go into a temporary file beside it, are
synced to the disk, and replace the old file in one move, which file systems do atomically. Files that belong together
are all written before the first of them is moved.
"""

import errno
import gzip
import logging
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from model.errors import UserError

MAX_JSON_BYTES = 32_000_000  # the record of a month's training has fewer
MAX_SHOWN_CHARACTERS = 60  # of a value or a name in an error message
# Kinds of pydantic's errors whose message contains the value, or in which the value is not what is wrong.
WITHOUT_VALUE = ("missing", "missing_argument", "unexpected_positional_argument", "value_error", "json_invalid")
REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or choose a folder on another disk"),
    errno.EFBIG: "allow larger files, or choose a folder on another disk",
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "make the folder writable, or choose another one"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "a file is where a folder should be: choose another folder"),
}
DEFAULT_REMEDY = "choose another folder"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # in front of a file that Windows calls Unicode

logger = logging.getLogger(__name__)


class SaveError(OSError):
    """Something could not be saved; the message says what, why and what to do."""


def is_foreign_link(path: Path) -> bool:
    """Whether a path is a link, but not one of the Hub's cache: from snapshots/REVISION to blobs beside snapshots."""
    folder, target = path.parent.resolve(), Path(os.path.realpath(path))  # which takes circles, too
    is_in_cache = folder.parent.name == "snapshots" and target.parent == folder.parent.parent / "blobs"
    return path.is_symlink() and not is_in_cache


def file_size(path: Path) -> int:
    """The bytes of a regular file. Raises OSError or UserError for anything else, foreign links among it."""
    if is_foreign_link(path):
        raise UserError(f"{path.name} is a link, and no link is followed out of a folder: put the file itself there")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise UserError(f"{path.name} is {'a folder' if stat.S_ISDIR(status.st_mode) else 'no regular file'}")
    return status.st_size


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """The bytes of a file. Raises OSError, or UserError if it is not a regular file or has more bytes than that."""
    size = file_size(path)
    if size > max_bytes:
        raise UserError(f"{path.name} has {size:,} bytes, and at most {max_bytes:,} are read")
    with path.open("rb") as file:
        return file.read(size)  # not `max_bytes`, for which Python would allocate as much memory


def require_utf8(line: str, place: str) -> None:
    """Raises UserError, naming the place, for a line that was no UTF-8 when it was decoded with surrogateescape."""
    if line.isascii() and "\0" not in line:
        return
    data = line.encode("utf-8", "surrogateescape")
    seems = "UTF-16" if data.startswith(UTF_16_MARKS) or b"\0" in data else "Windows-1252 or another old encoding"
    try:
        is_utf8 = b"\0" not in data and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        is_utf8 = False
    if not is_utf8:
        raise UserError(f"{place} is no text in UTF-8; it seems to be {seems}: save it as UTF-8")


def read_text(path: Path, max_bytes: int, *, encoding: str) -> str:
    """The text of a file in UTF-8, or with "utf-8-sig" perhaps with Notepad's mark in front.

    Raises UserError with the line that is no UTF-8, or what `read_bytes` raises.
    """
    text = read_bytes(path, max_bytes).decode(encoding, "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        require_utf8(line, f"line {number}")
    return text


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file, or of a gzipped one, by number from 1 on; blank ones are left out, and the log says so.

    Raises OSError, or UserError with the line where the text is not UTF-8, or the file breaks off.
    """
    number = blank = 0
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape") as file:
            for number, line in enumerate(file, 1):
                require_utf8(line, f"{path} line {number}")
                if line.isspace():
                    blank += 1
                else:
                    yield number, line.rstrip("\n")
    except (EOFError, zlib.error) as error:
        raise UserError(f"{path} breaks off or is damaged behind line {number}") from error
    if blank:
        logger.warning("%s: %d blank line%s left out.", path, blank, " is" if blank == 1 else "s are")


def read_json(path: Path, max_bytes: int = MAX_JSON_BYTES) -> Any:
    """The value in a JSON file. Raises UserError, with the file's name, if it is not JSON.

    NaN, infinities and values nested 200 deep are refused, too.
    """
    try:
        return from_json(read_bytes(path, max_bytes), allow_inf_nan=False)
    except ValueError as error:
        has_name = str(error).startswith(path.name)
        raise UserError(str(error) if has_name else f"{path.name} is not JSON: {error}") from error


def read_object(path: Path, max_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """The JSON object in a file."""
    value = read_json(path, max_bytes)
    if not isinstance(value, dict):
        raise UserError(f"{path.name} must hold an object")
    return value


def shorten(text: str) -> str:
    """The text, cut to MAX_SHOWN_CHARACTERS."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"


def first_error(error: ValidationError) -> str:
    """The first error as a sentence: its place, counted from one, what is expected there, and the value instead."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ", ".join(f"number {part + 1}" if isinstance(part, int) else shorten(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    value = "" if first["type"] in WITHOUT_VALUE else f", not {shorten(repr(first['input']))}"
    return f"{place or 'the whole file'}: {message[0].lower()}{message[1:]}{value}."


def short_error(error: ValidationError) -> str:
    """The first error as part of a sentence; the code that refuses a value as a whole names the field itself."""
    return first_error(error).removesuffix(".").removeprefix("the whole file: ")


@contextmanager
def named_faults(name: str) -> Iterator[None]:
    """Makes a ValidationError a UserError that names the file, the field and what is expected."""
    try:
        yield
    except ValidationError as error:
        raise UserError(f"{name}: {short_error(error)}") from error


def save_error(path: Path, error: OSError) -> SaveError:
    """The error for a file that could not be written."""
    return SaveError(
        f"{path} cannot be saved ({error.strerror or error}); what was saved before is as it was. To go on, "
        f"{REMEDIES.get(error.errno or 0, DEFAULT_REMEDY)}."
    )


def temporary_path(path: Path) -> Path:
    """Where the new bytes of a file are until they replace it; leftovers of a killed process are overwritten."""
    return path.with_name(f"{path.name}.tmp")


def write_and_sync(path: Path, data: bytes | memoryview) -> None:
    """Writes a new file, in place of an earlier one or of a link, and waits until it is on the disk."""
    path.unlink(missing_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Waits until the entries of a folder are on the disk; Windows has no such call."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_together(folder: Path, files: Iterable[tuple[str, bytes | memoryview]]) -> list[Path]:
    """Writes files by name, drawing one at a time from the iterable, and returns their paths; makes the folder.

    Raises SaveError, with nothing changed, if one cannot be written. If the disk fails between two moves, which need
    no further space, the files moved before are new and the others as they were.
    """
    paths: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files:
            paths.append(folder / name)
            write_and_sync(temporary_path(folder / name), data)
        for path in paths:
            os.replace(temporary_path(path), path)
        sync_folder(folder)
        return paths
    except OSError as error:
        raise save_error(paths[-1] if paths else folder, error) from error
    finally:
        for path in paths:
            with suppress(OSError):  # the error raised above says why
                temporary_path(path).unlink()


def write_atomically(path: Path, data: bytes | memoryview) -> None:
    """Writes one file, completely or not at all. Raises SaveError if it cannot be written."""
    write_together(path.parent, [(path.name, data)])
