"""How many files, and so how many connections, a program may have open at once."""

import sys


def allow_files(count: int) -> None:
    """Asks for so many, or for the most that there may be: some systems let a program open 256 unless it asks."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
