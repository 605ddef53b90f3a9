"""How many connections a process may have, and what it says where that is not enough."""

import logging
import os
import resource

import pytest

from explorer.server.file_limit import SaySeldom, raise_file_limit


@pytest.fixture
def low_limit():
    """A soft limit as in a terminal of macOS, for this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    low = max(256, 64 + len(os.listdir("/dev/fd")))
    if hard <= low:
        pytest.skip("this process may not have more files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (low, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limit_is_raised_to_what_the_system_allows_and_the_log_says_it_once(low_limit, caplog):
    caplog.set_level(logging.INFO, "explorer.server.log")
    for _ in range(2):
        raise_file_limit()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == low_limit
    assert [record.getMessage() for record in caplog.records] == ["open files"]


def test_where_there_are_no_files_left_asyncio_says_it_once():
    said = SaySeldom()
    used_up, other = (logging.makeLogRecord({"msg": text}) for text in ("socket.accept() out of system resource", "x"))
    assert [said.filter(record) for record in (used_up, used_up, other)] == [True, False, True]
