"""Temporary folders of this program: those that killed processes left behind are swept when the next one is made.

The owner of a folder holds a lock on a file in it, which the system releases when the process ends, however it ends. A
process id would not do: containers that share a temporary folder have the same ones.
"""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

PREFIX = "attention-explorer-"
LOCK = ".lock"


class TemporaryFolder:
    """A folder of this process, removed when Python ends, at the latest. Raises OSError where none can be made."""

    def __init__(self, kind: str = ""):
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}"))
        self.lock = take_lock(self.path / LOCK)
        atexit.register(self.remove)

    def remove(self) -> None:
        atexit.unregister(self.remove)
        os.close(self.lock)  # Windows removes no open file
        shutil.rmtree(self.path, ignore_errors=True)


def take_lock(file: Path) -> int:
    """The descriptor of a new file that is locked before anybody sees it under its name."""
    if sys.platform == "win32":
        return os.open(file, os.O_CREAT | os.O_RDWR)  # which nobody can remove while it is open
    unlocked = file.with_name(f"{file.name}.new")
    lock = os.open(unlocked, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    unlocked.rename(file)
    return lock


def sweep() -> None:
    """Removes this user's folders whose owner has ended. One without a lock may be about to get it, and stays."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # removed meanwhile, or in use
            if is_own_folder(folder) and was_left_behind(folder / LOCK):
                shutil.rmtree(folder, ignore_errors=True)


def is_own_folder(folder: Path) -> bool:
    """Whether it is a folder, no link to one, and of this user; on Windows each user has a temporary folder."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.getuid())


def was_left_behind(file: Path) -> bool:
    """Whether nobody holds the lock. Raises OSError where somebody does, or where there is none."""
    if sys.platform == "win32":
        file.unlink()
        return True
    lock = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(lock)
    return True
