"""Page and replicas as the command starts them, around a tiny model: one is killed, and nobody notices."""

import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from explorer.recording.recordings import Recordings
from model.checkpoints import checkpoint
from tools.bench import load
from tools.bench.load import Server, descendants, replica_pids, run_server

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason='no Ray here: pip install -e ".[serve]"'),
    pytest.mark.skipif(sys.platform != "linux", reason="finds the replicas' processes in /proc"),
]
WAIT = 300  # seconds; generous, because a busy machine must not fail a test
SENTENCES = [f"The cat sleeps {'a very ' * (number % 4)}long time, {number} hours." for number in range(40)]


@pytest.fixture(scope="module")
def folder(toy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy") / "toy"
    checkpoint.save(toy, folder)
    return folder


@pytest.fixture(scope="module")
def server(folder) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "START_SECONDS", WAIT)
        with run_server("-m", "explorer.cluster", "--model", str(folder)) as server:
            yield server
            family = descendants(server.pid or 0)
        assert not [one for one in family if os.path.exists(f"/proc/{one}")]


def translated(server: Server, text: str) -> str:
    asked = {"question": "translate", "arguments": [text], "language": "en", "visitor": text}
    answer = httpx.post(f"{server.address}/ask", json=asked, timeout=WAIT)
    answer.raise_for_status()
    return json.loads(answer.text.splitlines()[-1])["translation"]


def until(true, what: str) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def test_a_replica_that_dies_loses_no_question(server, folder):
    recordings = Recordings(checkpoint.load(folder))
    before = replica_pids(server.pid)
    assert len(before) == 2
    with ThreadPoolExecutor(len(SENTENCES)) as visitors:
        asked = [visitors.submit(translated, server, text) for text in SENTENCES]
        os.kill(before[0], signal.SIGKILL)
        found = [one.result() for one in asked]
    assert found == [recordings.trace(text).translation for text in SENTENCES]
    until(
        lambda: len(set(replica_pids(server.pid)) - {before[0]}) == 2, "no replica in place of the one that was killed"
    )
    until(lambda: httpx.get(f"{server.address}/health").json()["replicas"] == 2, "it does not answer")


def test_nothing_of_it_listens_to_other_machines(server):
    """In /proc/net an address is hexadecimal; 0100007F is 127.0.0.1, and a state of 0A is listening."""
    processes = descendants(server.pid or 0)
    sockets = {os.readlink(link) for one in processes for link in links(one)}
    open_to = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
            _, local, _, state, *rest = line.split()
            if state == "0A" and f"socket:[{rest[5]}]" in sockets:
                open_to.add(local.split(":")[0])
    assert open_to and all(address.endswith("0100007F") for address in open_to), open_to


def links(pid: int) -> list[str]:
    folder = f"/proc/{pid}/fd"
    try:
        return [f"{folder}/{name}" for name in os.listdir(folder) if os.path.islink(f"{folder}/{name}")]
    except (FileNotFoundError, PermissionError):
        return []
