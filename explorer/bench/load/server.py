"""The server that is measured: a process of its own, which is started and stopped here, and what it takes."""

import ipaddress
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[3]
START = 120  # seconds within which a server must answer
STOP = 10  # seconds after which one that was asked to end is ended


class Server(NamedTuple):
    address: str
    pid: int | None  # where it is known


def local(address: str) -> str:
    """The address without a path. Raises ValueError where it is not one of this machine."""
    parts = urlsplit(address)
    try:
        loopback = parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        loopback = False
    if parts.scheme != "http" or not loopback:
        raise ValueError(f"asks only this machine, as http://127.0.0.1:7860, not {address}: elsewhere it is an attack")
    return f"http://{parts.netloc}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def started(*command: str, port: int) -> Iterator[Server]:
    """A Python program that serves at the port, until the block ends. Raises OSError where it does not start."""
    server = Server(f"http://127.0.0.1:{port}", None)
    with tempfile.TemporaryFile() as said:
        environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
        process = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=said, stderr=said, env=environment)
        try:
            if not answers(server.address, process):
                said.seek(0)
                raise OSError(f"{' '.join(command)} did not start: {said.read()[-500:].decode(errors='replace')}")
            yield server._replace(pid=process.pid)
        finally:
            stop(process)


def app(model: str | None) -> list[str]:
    """What starts the app, without its port."""
    return ["app.py", "--host", "127.0.0.1", *(["--model", model] if model else [])]


def answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + START
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{address}/config", timeout=START).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return True
    return False


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def memory(pid: int | None) -> float | None:
    """Megabytes of a process that lie in memory (RSS); None where they cannot be known."""
    if pid is None:
        return None
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return elsewhere(pid)
    (line,) = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e6


def elsewhere(pid: int) -> float | None:
    """The same on systems without /proc, if psutil happens to be there."""
    try:
        import psutil  # pyright: ignore[reportMissingModuleSource, reportMissingImports]
    except ModuleNotFoundError:
        return None
    return psutil.Process(pid).memory_info().rss / 1e6


class Times(NamedTuple):
    """Seconds of all processors since the machine was started, and those of one process."""

    total: float
    idle: float
    process: float

    @classmethod
    def now(cls, pid: int | None) -> "Times | None":
        """None on systems without /proc."""
        if pid is None or not Path("/proc/stat").exists():
            return None
        tick = os.sysconf("SC_CLK_TCK")
        every = [int(number) / tick for number in Path("/proc/stat").read_text(encoding="ascii").split()[1:9]]
        # The name of the program comes second, in brackets, and may hold blanks.
        own = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return cls(sum(every), every[3] + every[4], (int(own[11]) + int(own[12])) / tick)

    def since(self, before: "Times") -> "Times":
        return Times(*(now - then for now, then in zip(self, before, strict=True)))
