"""Guests that a server must bear, and what the others notice of them."""

import asyncio
import socket
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import aiohttp

from explorer.bench.load.figures import percentiles
from explorer.bench.load.protocols import Failed, Refused, Speaker, new_session
from explorer.bench.load.questions import Question, translate
from explorer.bench.load.visitor import Asked

ROUNDS = 5
SHORTEST = 3  # seconds of a slice, in which a p95 can still be found
PAUSE = 1  # seconds between what a guest does and his doing it again
SOON = 0.3  # seconds within which one leaves
BIG = 10_000_000  # bytes
CONNECTIONS = 500
WINDOW = 4096  # bytes that the system accepts for one who does not read
NO = (Refused, Failed, aiohttp.ClientError, OSError, TimeoutError)  # a server may well say no to such guests


def narrow(address: Any) -> socket.socket:
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    return made


def somebody(random: Random) -> str:
    return f"guest{random.getrandbits(64):016x}"


async def stuck(speaker: Speaker, random: Random) -> None:
    """Opens question after question and reads no answer."""
    unread: list[aiohttp.ClientResponse] = []
    async with new_session(WINDOW, socket_factory=narrow) as session:
        try:
            while True:
                with suppress(*NO):
                    unread.append(await speaker.begin(session, translate(random), somebody(random)))
                await asyncio.sleep(PAUSE)
        finally:
            for response in unread:
                response.close()


async def leaver(speaker: Speaker, random: Random) -> None:
    """Asks and goes while he waits."""
    async with new_session() as session:
        while True:
            with suppress(*NO):
                async with asyncio.timeout(random.uniform(0, SOON)):
                    await speaker.read(await speaker.begin(session, translate(random), somebody(random)))
            await asyncio.sleep(PAUSE)


async def big(speaker: Speaker, random: Random) -> None:
    """Sends ten megabytes to be translated."""
    question = Question("translate", ["x" * BIG], lambda answer: True)
    async with new_session() as session:
        while True:
            with suppress(*NO):
                await speaker.read(await speaker.begin(session, question, somebody(random)))
            await asyncio.sleep(PAUSE)


async def connections(speaker: Speaker, random: Random) -> None:
    """Opens connections and says nothing."""
    opened: list[socket.socket] = []
    host, _, port = speaker.address.removeprefix("http://").rpartition(":")
    try:
        for _ in range(CONNECTIONS):
            with suppress(OSError):
                opened.append(socket.create_connection((host.strip("[]"), int(port)), timeout=SHORTEST))
            await asyncio.sleep(0)
        await asyncio.Event().wait()
    finally:
        for connection in opened:
            connection.close()


DISTURBERS: dict[str, Callable[[Speaker, Random], Awaitable[None]]] = {
    "stuck": stuck,
    "leaver": leaver,
    "big": big,
    "connections": connections,
}


class Slice(NamedTuple):
    """A time with one of the guests, or without him so that the two can be compared."""

    name: str
    there: bool
    begun: float  # time.perf_counter
    ended: float


def slice_seconds(names: Sequence[str], seconds: float) -> float:
    """Raises ValueError where the run is too short for all."""
    count = 2 * ROUNDS * len(names)
    if seconds / count < SHORTEST:
        raise ValueError(
            f"--disturb {','.join(names)} takes turns in {count} slices: --seconds {count * SHORTEST} at least"
        )
    return seconds / count


async def disturbed(names: Sequence[str], seconds: float, speaker: Speaker, seed: int) -> list[Slice]:
    """Lets each come and go in turn, several times, so that a change of the machine's speed meets all alike."""
    length, random, found = slice_seconds(names, seconds), Random(f"{seed} guests"), []
    for _ in range(ROUNDS):
        for name in names:
            for there in (False, True):
                begun = time.perf_counter()
                guest = asyncio.ensure_future(DISTURBERS[name](speaker, random)) if there else None
                await asyncio.sleep(length)
                if guest:
                    guest.cancel()
                    await asyncio.gather(guest, return_exceptions=True)
                found.append(Slice(name, there, begun, time.perf_counter()))
    return found


def compared(slices: Sequence[Slice], asked: Sequence[Asked]) -> Iterator[str]:
    """The others' p95 with each guest and without him, medians of the rounds."""
    yield f"  {'guest':14}{'p95 without':>13}{'with':>9}{'change':>9}"
    for name in dict.fromkeys(one.name for one in slices):
        without, there = (
            statistics.median(p95(one, asked) for one in slices if one.name == name and one.there is there)
            for there in (False, True)
        )
        yield f"  {name:14}{without:11.2f} s{there:7.2f} s{there / without - 1:9.0%}"


def p95(during: Slice, asked: Sequence[Asked]) -> float:
    """Of what was asked in this time."""
    return percentiles((one for one in asked if during.begun <= one.begun < during.ended), [95.0])[0]
