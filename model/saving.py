"""Saving so that nothing is ever half written: a file is its old self or its new one, whatever happens on the way.

The new bytes go into a second file beside it, are forced to the disk, and take the old one's place in one move, which
file systems do wholly or not at all. Files that belong together are all written before the first of them is moved.
"""

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

WAY_OUT = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or choose a folder on another disk"),
    errno.EFBIG: "allow larger files, or choose a folder on another disk",
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "make the folder writable, or choose another one"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "a file is where a folder should be: choose another folder"),
}
OTHERWISE = "choose another folder"


class SaveError(OSError):
    """Something could not be saved; the message says what, why and what to do."""


def unsaved(path: Path, error: OSError) -> SaveError:
    """The sentence about a file that could not be written."""
    return SaveError(
        f"{path} cannot be saved ({error.strerror or error}); what was saved before is as it was. To go on, "
        f"{WAY_OUT.get(error.errno or 0, OTHERWISE)}."
    )


def beside(path: Path) -> Path:
    """Where the new bytes of a file stand until they take its place; what a kill left there is written over."""
    return path.with_name(f"{path.name}.tmp")


def write_through(path: Path, data: bytes | memoryview) -> None:
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
        raise unsaved(folder, error) from error


def write_together(folder: Path, files: Iterable[tuple[str, bytes | memoryview]]) -> list[Path]:
    """Writes files by their names, each made when its turn comes, and says which.

    Raises SaveError, with nothing changed, where one cannot be written. Where the disk fails in between two of the
    moves, which need no room any more, the files moved before are new, and the others are as they were.
    """
    written: list[Path] = []
    try:
        for name, data in files:
            written.append(folder / name)
            write_through(beside(folder / name), data)
        for path in written:
            os.replace(beside(path), path)
        sync_folder(folder)
        return written
    except OSError as error:
        raise unsaved(written[-1] if written else folder, error) from error
    finally:
        for path in written:
            with suppress(OSError):  # where this fails, too, what is raised above says why
                beside(path).unlink()


def write_atomically(path: Path, data: bytes | memoryview) -> None:
    """Writes one file, wholly or not at all. Raises SaveError where it cannot be written."""
    write_together(path.parent, [(path.name, data)])
