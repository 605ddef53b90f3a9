"""Temporary folders of toy models, one per server process; removed at exit or by the next process."""

import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "attention-toys-"


def make_root() -> Path:
    """Creates a private folder whose name contains the process id."""
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def remove_stale_folders() -> None:
    """Removes the folders of killed processes.

    Call it before `make_root`: a folder with this process's id belongs to an earlier process. In a container the id is
    the same after each start.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and (int(pid) == os.getpid() or not is_running(int(pid))):
            shutil.rmtree(folder, ignore_errors=True)


def is_running(pid: int) -> bool:
    """Whether a process with this id exists."""
    if os.name == "nt":
        return True  # os.kill would end the process there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
