"""How many files and connections the process may have open: as many as the system lets it."""

import logging
import sys
import time

from explorer.server.log import log_file_limit

if sys.platform != "win32":
    import resource

UNLIMITED_FILES = 10_240  # where there is no hard limit; macOS takes no more (OPEN_MAX)
REPEAT_SECONDS = 60.0


def raise_file_limit() -> None:
    """Raises the soft limit to the hard one, and says so in the log: a terminal of macOS sets 256, one class.

    What asyncio says where even that is reached comes once a minute, not two thousand times a second.
    """
    logging.getLogger("asyncio").addFilter(say_seldom_that_files_are_used_up)
    if sys.platform == "win32":
        return  # it counts no connections among the files
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = UNLIMITED_FILES if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # a container may forbid it
        wanted = soft
    log_file_limit(before=soft, now=wanted)


class SaySeldom(logging.Filter):
    """Lets a message of asyncio that no connection can be accepted through once in a while, and all others."""

    def __init__(self):
        super().__init__()
        self.said_at = -REPEAT_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:
        if "socket.accept() out of system resource" not in record.getMessage():
            return True
        if time.monotonic() - self.said_at < REPEAT_SECONDS:
            return False
        self.said_at = time.monotonic()
        return True


say_seldom_that_files_are_used_up = SaySeldom()
