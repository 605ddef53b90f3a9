"""Where toys lie: a temporary folder for each program that has some, which is removed with it, or by the next one."""

import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "attention-toys-"


def make_root() -> Path:
    """A new folder, which says whose it is; nobody else may read it."""
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def sweep() -> None:
    """Removes the folders of programs that were killed.

    To be called before this program has one: what bears its own number is of one before it. In a container the number
    is the same after each start.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and (int(pid) == os.getpid() or not is_running(int(pid))):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(pid: int) -> bool:
    """Whether there is a process of this number."""
    if os.name == "nt":
        return True  # where to ask is to kill
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
