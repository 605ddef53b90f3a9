"""A load test with many visitors: response times, lost or mixed-up responses, and the memory of the server.

It starts the app on this machine (with `--replicas` the cluster, and kills one replica), or uses a running one
(`--url`, loopback only). Visitors are coroutines that send the requests of the browser. Each translates its own
sentences, pauses, sometimes asks a tab about the same sentence, and checks that every response belongs to its request.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import sys
import time
import urllib.error
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from ipaddress import ip_address
from pathlib import Path
from random import Random
from subprocess import DEVNULL, Popen
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import aiohttp
import numpy as np

from model.errors import UserError
from tools.bench.load_requests import FOLLOW_UPS, Request, translation_request

TIMEOUT_SECONDS = 120  # a request without a response counts as lost
START_SECONDS = 120  # a server must answer within
KEEP_ALIVE_SECONDS = 2  # under the five after which uvicorn closes an idle connection
MAX_LINE_BYTES = 16 * 2**20  # of a response
ANSWERED, REFUSED, LOST, MIXED_UP = "answered", "refused", "lost", "belongs to another request"
FLOOD = 60  # sentences of a client that always has another name
FLOOD_PAUSE_SECONDS = 0.01  # between two: where it is refused at once, it would only measure itself
ELSEWHERE = "198.51.100.66"  # an address that no visitor has (RFC 5737)
REPLICA_COMMAND = "ray::ServeReplica"


class Outcome(NamedTuple):
    """The outcome of one request."""

    question: str
    started_at: float  # time.perf_counter()
    seconds: float
    status: str  # ANSWERED, REFUSED, LOST, MIXED_UP or an error message


class Server(NamedTuple):
    address: str
    pid: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clients", type=int, default=30, help="visitors (default 30)")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of the run (default 60)")
    parser.add_argument("--think", type=float, default=5.0, help="seconds of thought on average (default 5)")
    parser.add_argument("--only", choices=("translate",), help="translations and nothing else")
    parser.add_argument("--burst", action="store_true", help="all ask at the same moment, five times, and no more")
    parser.add_argument(
        "--guests", choices=[*BAD_CLIENTS], nargs="+", default=[], help="bad clients, in the second half"
    )
    parser.add_argument("--replicas", type=int, default=0, help="start the cluster, and kill one replica (Linux, Ray)")
    parser.add_argument("--url", help="a running app of this machine (default: start one)")
    parser.add_argument("--seed", type=int, default=None, help="of the sentences (default: new ones each time)")


def run(options: argparse.Namespace) -> int:
    seed = options.seed if options.seed is not None else time.time_ns() % 10**6
    print(f"{options.clients} visitors, {options.think:g} s of thought, seed {seed}", flush=True)
    if options.url:
        context = nullcontext(Server(parse_loopback(options.url), None))
    elif options.replicas:
        context = run_server("-m", "explorer.cluster", "--replicas", str(options.replicas))
    else:
        context = run_server("app.py")
    with context as server:
        outcomes = asyncio.run(measure(server, options, seed))
        memory = f", {memory_mb(server.pid):.0f} MB of memory" if server.pid else ""
    faults = Counter(one.status for one in outcomes if one.status not in (ANSWERED, REFUSED))
    print(f"  refused because full: {sum(one.status == REFUSED for one in outcomes)}{memory}; faults: {dict(faults)}")
    return 1 if faults else 0


@asynccontextmanager
async def new_session(headers: Mapping[str, str] | None = None) -> AsyncIterator[aiohttp.ClientSession]:
    """A client session without a limit on connections, which would hide the server's limits."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    options: dict[str, Any] = {"connector": connector, "timeout": timeout, "read_bufsize": MAX_LINE_BYTES}
    async with aiohttp.ClientSession(headers=headers, **options) as session:
        yield session


def post(session: aiohttp.ClientSession, address: str, request: Request, visitor: str) -> Any:
    body = {"question": request.question, "arguments": request.arguments, "language": "en", "visitor": visitor}
    return session.post(f"{address}/ask", json=body)


async def ask(
    session: aiohttp.ClientSession, address: str, request: Request, visitor: str, outcomes: list[Outcome]
) -> Any:
    """Sends a request and appends its outcome. Returns the response's JSON, or None if it is missing or wrong."""
    started_at, answer = time.perf_counter(), None
    try:
        async with post(session, address, request, visitor) as response:
            lines = [line async for line in response.content]
            if response.status == 503:
                status = REFUSED
            elif response.status != 200:
                status = f"{request.question}: status {response.status}"
            else:
                answer, status = check_response(request, lines[-1])
    except (aiohttp.ClientError, TimeoutError, OSError):
        status = LOST
    outcomes.append(Outcome(request.question, started_at, time.perf_counter() - started_at, status))
    return answer


def check_response(request: Request, line: bytes) -> tuple[Any, str]:
    """The response's JSON, or None if it is wrong, and the status of the outcome."""
    try:
        answer = json.loads(line)
        if isinstance(answer, dict) and "error" in answer:
            return None, f"{request.question}: {answer['error']}"[:80]
        return (answer, ANSWERED) if request.is_answer(answer) else (None, MIXED_UP)
    except (LookupError, TypeError, ValueError) as error:
        return None, f"no answer to {request.question}: {type(error).__name__} {error}"[:80]


async def visit(number: int, address: str, options: argparse.Namespace, seed: int, outcomes: list[Outcome]) -> None:
    """Runs one visitor until the run's time is over."""
    random, end = Random(f"{seed} {number}"), time.perf_counter() + options.seconds
    visitor = f"load{random.getrandbits(64):016x}"

    async def think() -> None:
        seconds = random.expovariate(1 / options.think) if options.think else 0.0
        await asyncio.sleep(max(0.0, min(seconds, end - time.perf_counter())))

    async with new_session() as session:
        await asyncio.sleep(random.uniform(0, options.think))
        while time.perf_counter() < end:
            trace = await ask(session, address, translation_request(random), visitor, outcomes)
            await think()
            if trace is not None and not options.only and random.random() < 0.5:
                (make,) = random.choices([*FOLLOW_UPS], [*FOLLOW_UPS.values()])
                await ask(session, address, make(random, trace), visitor, outcomes)
                await think()


async def measure(server: Server, options: argparse.Namespace, seed: int) -> list[Outcome]:
    """Runs all visitors and prints the table."""
    outcomes: list[Outcome] = []
    started_at = time.perf_counter()
    if options.burst:
        rounds = [await burst(server.address, options.clients, f"{seed} {number}", outcomes) for number in range(5)]
        print(f"  all at once are answered after a median of {statistics.median(rounds):.2f} s")
        print_table({"": outcomes})
        return outcomes
    others = [asyncio.create_task(run_bad_client(name, server.address, options.seconds / 2)) for name in options.guests]
    if options.replicas:
        others.append(asyncio.create_task(kill_replica(server, options.seconds / 2)))
    await asyncio.gather(*(visit(n, server.address, options, seed, outcomes) for n in range(options.clients)))
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    half = started_at + options.seconds / 2
    halves = {"first half": [one for one in outcomes if one.started_at < half]}
    halves["second half"] = [one for one in outcomes if one.started_at >= half]
    print_table(halves if others else {"": outcomes})
    return outcomes


async def burst(address: str, clients: int, seed: str, outcomes: list[Outcome]) -> float:
    """Sends one request per visitor at the same moment; returns the seconds until all are answered."""
    randoms = [Random(f"{seed} {number}") for number in range(clients)]
    started_at = time.perf_counter()
    async with new_session() as session:
        await asyncio.gather(
            *(ask(session, address, translation_request(r), f"load{r.random()}", outcomes) for r in randoms)
        )
    return time.perf_counter() - started_at


def print_table(parts: Mapping[str, Sequence[Outcome]]) -> None:
    print(
        f"  {'question':12}{'':12}{'asked':>8}" + "".join(f"{name:>9}" for name in ("p50 s", "p95 s", "p99 s", "max s"))
    )
    for part, outcomes in parts.items():
        for question in [*sorted({one.question for one in outcomes}), "all"]:
            rows = [one for one in outcomes if question in (one.question, "all")]
            seconds = [one.seconds for one in rows if one.status == ANSWERED] or [float("nan")]
            figures = "".join(f"{value:9.2f}" for value in np.percentile(seconds, [50, 95, 99, 100]))
            print(f"  {question:12}{part:12}{len(rows):8}{figures}")


async def send_without_reading(address: str, random: Random) -> None:
    """Keeps sending requests and never reads a response."""
    async with new_session() as session:
        while True:
            await post(session, address, translation_request(random), f"guest{random.random()}")
            await asyncio.sleep(1)


async def disconnect_early(address: str, random: Random) -> None:
    """Keeps sending requests and disconnects before the response."""
    async with new_session() as session:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(random.uniform(0, 0.3)):
                    await ask(session, address, translation_request(random), f"guest{random.random()}", [])


async def send_large_requests(address: str, random: Random) -> None:
    """Keeps sending ten megabytes to translate."""
    async with new_session() as session:
        while True:
            await ask(session, address, Request("translate", ["x" * 10**7], bool), "guest", [])


async def open_idle_connections(address: str, random: Random) -> None:
    """Opens 500 connections and sends nothing."""
    parts = urlsplit(address)
    connections = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(500)]
    try:
        await asyncio.Event().wait()
    finally:
        for _, writer in connections:
            writer.close()


async def rename_always(address: str, random: Random, headers: Mapping[str, str] | None = None) -> None:
    """Keeps FLOOD sentences waiting, each under a name of its own."""

    async def flood(session: aiohttp.ClientSession, random: Random) -> None:
        while True:
            await ask(session, address, translation_request(random), f"guest{random.random()}", [])
            await asyncio.sleep(FLOOD_PAUSE_SECONDS)

    async with new_session(headers) as session:
        await asyncio.gather(*(flood(session, Random(random.random())) for _ in range(FLOOD)))


async def rename_always_elsewhere(address: str, random: Random) -> None:
    """The same from another address than that of the visitors, as a proxy would tell."""
    await rename_always(address, random, {"X-Forwarded-For": ELSEWHERE})


BAD_CLIENTS: dict[str, Callable[[str, Random], Awaitable[None]]] = {
    "stuck": send_without_reading,
    "leaver": disconnect_early,
    "flooder": send_large_requests,
    "silent": open_idle_connections,
    "renamer": rename_always_elsewhere,
    "neighbour": rename_always,
}


async def run_bad_client(name: str, address: str, wait: float) -> None:
    await asyncio.sleep(wait)
    await BAD_CLIENTS[name](address, Random(name))


def parse_loopback(address: str) -> str:
    """The address without its path. Raises ValueError if it is not one of this machine."""
    parts = urlsplit(address)
    with suppress(ValueError):
        if parts.scheme == "http" and (parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback):
            return f"http://{parts.netloc}"
    raise UserError(f"--url must be on this machine, as http://127.0.0.1:7860, not {address}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def run_server(*command: str) -> Iterator[Server]:
    """Runs a Python program on a free port until the block ends. Raises OSError if it does not start."""
    port = free_port()
    server = Server(f"http://127.0.0.1:{port}", None)
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
    process = Popen([sys.executable, *command, "--port", str(port)], stdout=DEVNULL, env=environment)
    try:
        if not wait_until_up(f"{server.address}/health", process):
            raise OSError(f"{' '.join(command)} did not start")
        yield server._replace(pid=process.pid)
    finally:
        process.terminate()
        process.wait()


def wait_until_up(url: str, process: Popen[bytes]) -> bool:
    """Waits for a response; returns False if the process ends or START_SECONDS pass."""
    end, get = time.monotonic() + START_SECONDS, build_opener(ProxyHandler({})).open
    while process.poll() is None and time.monotonic() < end:
        with suppress(urllib.error.URLError, ConnectionError):
            get(url, timeout=START_SECONDS).close()
            return True
        time.sleep(0.1)
    return False


def memory_mb(pid: int) -> float:
    """The resident set size of a process, from /proc (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmRSS"))


def descendants(pid: int) -> dict[int, str]:
    """The command lines of a process and of all its descendants, by process id (Linux)."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            parents[int(folder.name)] = int((folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
    family = {pid}
    while children := {child for child, parent in parents.items() if parent in family} - family:
        family |= children
    return {member: commands.get(member, "") for member in family}


def replica_pids(pid: int) -> list[int]:
    """The process ids of the Ray replicas that a process has started."""
    return sorted(one for one, command in descendants(pid).items() if command.startswith(REPLICA_COMMAND))


async def kill_replica(server: Server, wait: float) -> None:
    await asyncio.sleep(wait)
    victim = replica_pids(server.pid or 0)[0]
    os.kill(victim, signal.SIGKILL)
    print(f"  killed replica {victim} at half time", flush=True)
