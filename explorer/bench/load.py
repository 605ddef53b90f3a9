"""Many visitors at once: how long they wait, whether anything is lost or mixed up, and what the server's memory does.

Starts the app on this machine (or the cluster, with `--replicas`, one of which is then killed), or takes a running one
(`--url`, loopback only). Visitors are coroutines that speak what the browser speaks. Each translates sentences that
nobody else asks for, thinks, now and then asks a tab about the same sentence, and checks that every response belongs to
its request.
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
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from ipaddress import ip_address
from pathlib import Path
from random import Random
from subprocess import DEVNULL, Popen
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
import numpy as np

from explorer.bench.load_requests import FOLLOW_UPS, Request, translate

PATIENCE_SECONDS = 120  # after which a request without a response is lost
START_SECONDS = 120  # within which a server must answer
KEEP_ALIVE_SECONDS = 2  # under the five after which uvicorn closes an idle connection
LINE_BYTES = 16 * 2**20  # of one line of a response
ANSWERED, REFUSED, LOST, MIXED_UP = "answered", "refused", "lost", "belongs to another request"
REPLICA = "ray::ServeReplica"


class Outcome(NamedTuple):
    """What came of one request: when it began (time.perf_counter) and how long it took."""

    question: str
    begun: float
    seconds: float
    outcome: str  # one of the four above; anything else is an error's text


class Server(NamedTuple):
    address: str
    pid: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clients", type=int, default=30, help="visitors (default 30)")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of the run (default 60)")
    parser.add_argument("--think", type=float, default=5.0, help="seconds of thought on average (default 5)")
    parser.add_argument("--only", choices=("translate",), help="translations and nothing else")
    parser.add_argument("--burst", action="store_true", help="all ask at the same moment, five times, and no more")
    parser.add_argument("--guests", choices=[*GUESTS], nargs="+", default=[], help="bad clients, in the second half")
    parser.add_argument("--replicas", type=int, default=0, help="start the cluster, and kill one replica (Linux, Ray)")
    parser.add_argument("--url", help="a running app of this machine (default: start one)")
    parser.add_argument("--seed", type=int, default=None, help="of the sentences (default: new ones each time)")


def run(options: argparse.Namespace) -> int:
    seed = options.seed if options.seed is not None else time.time_ns() % 10**6
    print(f"{options.clients} visitors, {options.think:g} s of thought, seed {seed}", flush=True)
    if options.url:
        context = nullcontext(Server(loopback(options.url), None))
    elif options.replicas:
        context = started("-m", "explorer.cluster", "--replicas", str(options.replicas))
    else:
        context = started("app.py")
    with context as server:
        outcomes = asyncio.run(measure(server, options, seed))
        memory = f", {memory_mb(server.pid):.0f} MB of memory" if server.pid else ""
    faults = Counter(one.outcome for one in outcomes if one.outcome not in (ANSWERED, REFUSED))
    print(f"  refused because full: {sum(one.outcome == REFUSED for one in outcomes)}{memory}; faults: {dict(faults)}")
    return 1 if faults else 0


@asynccontextmanager
async def new_session() -> AsyncIterator[aiohttp.ClientSession]:
    """A session without limits of its own: how many ask at once is what is measured."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS)
    timeout = aiohttp.ClientTimeout(total=PATIENCE_SECONDS)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, read_bufsize=LINE_BYTES) as session:
        yield session


def post(session: aiohttp.ClientSession, address: str, request: Request, visitor: str) -> Any:
    body = {"question": request.question, "given": request.arguments, "language": "en", "visitor": visitor}
    return session.post(f"{address}/ask", json=body)


async def ask(
    session: aiohttp.ClientSession, address: str, request: Request, visitor: str, outcomes: list[Outcome]
) -> Any:
    """The response's JSON, or None where there is none that belongs to the request; notes the outcome."""
    begun, answer = time.perf_counter(), None
    try:
        async with post(session, address, request, visitor) as response:
            lines = [line async for line in response.content]
            if response.status == 503:
                outcome = REFUSED
            elif response.status != 200:
                outcome = f"{request.question}: status {response.status}"
            else:
                answer, outcome = checked(request, lines[-1])
    except (aiohttp.ClientError, TimeoutError, OSError):
        outcome = LOST
    outcomes.append(Outcome(request.question, begun, time.perf_counter() - begun, outcome))
    return answer


def checked(request: Request, line: bytes) -> tuple[Any, str]:
    try:
        answer = json.loads(line)
        if isinstance(answer, dict) and "error" in answer:
            return None, f"{request.question}: {answer['error']}"[:80]
        return (answer, ANSWERED) if request.is_answer(answer) else (None, MIXED_UP)
    except (LookupError, TypeError, ValueError) as error:
        return None, f"no answer to {request.question}: {type(error).__name__} {error}"[:80]


async def visit(number: int, address: str, options: argparse.Namespace, seed: int, outcomes: list[Outcome]) -> None:
    """One visitor, until the run's seconds are over."""
    random, until = Random(f"{seed} {number}"), time.perf_counter() + options.seconds
    visitor = f"load{random.getrandbits(64):016x}"

    async def think() -> None:
        seconds = random.expovariate(1 / options.think) if options.think else 0.0
        await asyncio.sleep(max(0.0, min(seconds, until - time.perf_counter())))

    async with new_session() as session:
        await asyncio.sleep(random.uniform(0, options.think))
        while time.perf_counter() < until:
            trace = await ask(session, address, translate(random), visitor, outcomes)
            await think()
            if trace is not None and not options.only and random.random() < 0.5:
                (make,) = random.choices([*FOLLOW_UPS], [*FOLLOW_UPS.values()])
                await ask(session, address, make(random, trace), visitor, outcomes)
                await think()


async def measure(server: Server, options: argparse.Namespace, seed: int) -> list[Outcome]:
    """Runs all visitors and prints the table."""
    outcomes: list[Outcome] = []
    begun = time.perf_counter()
    if options.burst:
        rounds = [await burst(server.address, options.clients, f"{seed} {number}", outcomes) for number in range(5)]
        print(f"  all at once are answered after a median of {statistics.median(rounds):.2f} s")
        print_table({"": outcomes})
        return outcomes
    others = [asyncio.create_task(guest(name, server.address, options.seconds / 2)) for name in options.guests]
    if options.replicas:
        others.append(asyncio.create_task(kill_replica(server, options.seconds / 2)))
    await asyncio.gather(*(visit(n, server.address, options, seed, outcomes) for n in range(options.clients)))
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    half = begun + options.seconds / 2
    halves = {"first half": [one for one in outcomes if one.begun < half]}
    halves["second half"] = [one for one in outcomes if one.begun >= half]
    print_table(halves if others else {"": outcomes})
    return outcomes


async def burst(address: str, clients: int, seed: str, outcomes: list[Outcome]) -> float:
    """Seconds until all visitors, who ask at the same moment, have their translation."""
    randoms = [Random(f"{seed} {number}") for number in range(clients)]
    begun = time.perf_counter()
    async with new_session() as session:
        await asyncio.gather(*(ask(session, address, translate(r), f"load{r.random()}", outcomes) for r in randoms))
    return time.perf_counter() - begun


def print_table(parts: Mapping[str, Sequence[Outcome]]) -> None:
    print(
        f"  {'question':12}{'':12}{'asked':>8}" + "".join(f"{name:>9}" for name in ("p50 s", "p95 s", "p99 s", "max s"))
    )
    for part, outcomes in parts.items():
        for question in [*sorted({one.question for one in outcomes}), "all"]:
            rows = [one for one in outcomes if question in (one.question, "all")]
            seconds = [one.seconds for one in rows if one.outcome == ANSWERED] or [float("nan")]
            figures = "".join(f"{value:9.2f}" for value in np.percentile(seconds, [50, 95, 99, 100]))
            print(f"  {question:12}{part:12}{len(rows):8}{figures}")


async def stuck(address: str, random: Random) -> None:
    """Sends request after request and reads no response."""
    async with new_session() as session:
        while True:
            await post(session, address, translate(random), f"guest{random.random()}")
            await asyncio.sleep(1)


async def leaver(address: str, random: Random) -> None:
    """Asks, and goes before the response."""
    async with new_session() as session:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(random.uniform(0, 0.3)):
                    await ask(session, address, translate(random), f"guest{random.random()}", [])


async def flooder(address: str, random: Random) -> None:
    """Sends ten megabytes to be translated, again and again."""
    async with new_session() as session:
        while True:
            await ask(session, address, Request("translate", ["x" * 10**7], bool), "guest", [])


async def silent(address: str, random: Random) -> None:
    """Opens connections and says nothing."""
    parts = urlsplit(address)
    connections = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(500)]
    try:
        await asyncio.Event().wait()
    finally:
        for _, writer in connections:
            writer.close()


GUESTS: dict[str, Callable[[str, Random], Awaitable[None]]] = {
    "stuck": stuck,
    "leaver": leaver,
    "flooder": flooder,
    "silent": silent,
}


async def guest(name: str, address: str, wait: float) -> None:
    await asyncio.sleep(wait)
    await GUESTS[name](address, Random(name))


def loopback(address: str) -> str:
    """The address without a path. Raises ValueError where it is not one of this machine."""
    parts = urlsplit(address)
    with suppress(ValueError):
        if parts.scheme == "http" and (parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback):
            return f"http://{parts.netloc}"
    raise ValueError(f"only this machine is asked, as http://127.0.0.1:7860, not {address}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def started(*command: str) -> Iterator[Server]:
    """A Python program that serves at a free port, until the block ends. Raises OSError where it does not start."""
    port = free_port()
    server = Server(f"http://127.0.0.1:{port}", None)
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
    process = Popen([sys.executable, *command, "--port", str(port)], stdout=DEVNULL, env=environment)
    try:
        if not is_up(f"{server.address}/health", process):
            raise OSError(f"{' '.join(command)} did not start")
        yield server._replace(pid=process.pid)
    finally:
        process.terminate()
        process.wait()


def is_up(url: str, process: Popen[bytes]) -> bool:
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        with suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(url, timeout=START_SECONDS).close()
            return True
        time.sleep(0.1)
    return False


def memory_mb(pid: int) -> float:
    """Megabytes of a process that lie in memory (RSS), from /proc."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmRSS"))


def descendants(pid: int) -> dict[int, str]:
    """A process and all that come from it, as command lines by process id (Linux)."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            parents[int(folder.name)] = int((folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
    below = {pid}
    while children := {child for child, parent in parents.items() if parent in below} - below:
        below |= children
    return {one: commands.get(one, "") for one in below}


def replicas(pid: int) -> list[int]:
    """The process ids of Ray's replicas that a process has started."""
    return sorted(one for one, command in descendants(pid).items() if command.startswith(REPLICA))


async def kill_replica(server: Server, wait: float) -> None:
    await asyncio.sleep(wait)
    victim = replicas(server.pid or 0)[0]
    os.kill(victim, signal.SIGKILL)
    print(f"  killed replica {victim} at half time", flush=True)
