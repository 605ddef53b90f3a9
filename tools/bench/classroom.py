"""A class on one server: from the teacher's press to the last page, memory, and what the translator loses meanwhile.

Pages are coroutines that ask for the state of the class as the browser does. A visitor translates all the while: first
beside pages that are only connected, then beside a teacher who steps twice a second.
"""

import argparse
import asyncio
import statistics
import time
from random import Random
from typing import Any

import aiohttp

from tools.bench.load import Server, ask, memory_mb, new_session, run_server
from tools.bench.load_requests import translation_request

PRESSES = 30
PRESS_SECONDS = 0.5  # between two of them
WAIT_SECONDS = 10  # for which a request waits for a change
TIMEOUT_SECONDS = 30  # in which all pages must have an answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=int, nargs="+", default=[30, 200], help="sizes of classes (default 30 200)")


def run(options: argparse.Namespace) -> int:
    print(f"  {'pages':>6}{'median ms':>11}{'worst ms':>10}{'kB a page':>11}{'translations a second':>24}{'ratio':>7}")
    for pages in options.pages:
        with run_server("app.py") as server:
            asyncio.run(measure(server, pages))
    return 0


class Pages:
    """Pages of one class; `arrivals[step]` are the times at which they had that step."""

    def __init__(self, address: str, code: str):
        self.url = f"{address}/class/{code}"
        self.arrivals: dict[int, list[float]] = {}
        self.connected = 0

    async def follow(self, session: aiohttp.ClientSession, page: int) -> None:
        """Asks for the state, as one page, until it is cancelled."""
        name = f"p{page}"
        request = {"action": "state", "page": name, "browser": name, "follows": True, "wait_seconds": WAIT_SECONDS}
        answer = await post_action(session, self.url, **request)
        self.connected += 1
        seen = 0
        while True:
            answer = await post_action(session, self.url, **request, known=answer["number"])
            step = int(((answer.get("state") or {}).get("place") or {}).get("step", 0))
            if step > seen:
                self.arrivals.setdefault(step, []).append(time.perf_counter())
                seen = step


async def measure(server: Server, count: int) -> None:
    async with new_session() as session:
        made = await post_action(session, f"{server.address}/class")
        url, key = f"{server.address}/class/{made['code']}", made["key"]
        await post_action(session, url, action="open", key=key)
        pages = Pages(server.address, made["code"])
        before = memory_mb(server.pid or 0)
        readers = [asyncio.create_task(pages.follow(session, page)) for page in range(count)]
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while pages.connected < count:
                await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        kilobytes = 1000 * (memory_mb(server.pid or 0) - before) / count
        alone = await translations_per_second(server, asyncio.sleep(PRESSES * PRESS_SECONDS))
        waits: list[float] = []
        beside = await translations_per_second(server, press(session, url, key, pages, count, waits))
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await post_action(session, url, action="end", key=key)
    median, worst = 1000 * statistics.median(waits), 1000 * max(waits)
    speeds = f"{alone:.1f} -> {beside:.1f}"
    print(f"  {count:6}{median:11.0f}{worst:10.0f}{kilobytes:11.0f}{speeds:>24}{beside / alone:7.2f}", flush=True)


async def post_action(session: aiohttp.ClientSession, url: str, **wanted: Any) -> Any:
    async with session.post(url, json={"language": "en", **wanted}) as response:
        response.raise_for_status()
        return await response.json()


async def press(
    session: aiohttp.ClientSession, url: str, key: str, pages: Pages, count: int, waits: list[float]
) -> None:
    """Steps as a teacher does; appends the seconds until the last page has each step."""
    for number in range(1, PRESSES + 1):
        pressed = time.perf_counter()
        parts = {"sentence": "A man is working here.", "level": "heads", "step": str(number)}
        await post_action(session, url, action="show", key=key, place=parts)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(pages.arrivals.get(number, [])) < count:
                await asyncio.sleep(0.002)
        waits.append(max(pages.arrivals[number]) - pressed)
        await asyncio.sleep(PRESS_SECONDS)


async def translations_per_second(server: Server, meanwhile: Any) -> float:
    """How many new sentences one visitor has translated, one after another, until `meanwhile` is over."""
    outcomes: list[Any] = []
    started, random = time.perf_counter(), Random(time.time_ns())
    task = asyncio.create_task(translate_on(server, random, outcomes))
    await meanwhile
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return len(outcomes) / (time.perf_counter() - started)


async def translate_on(server: Server, random: Random, outcomes: list[Any]) -> None:
    async with new_session() as session:
        while True:
            await ask(session, server.address, translation_request(random), "visitor", outcomes)
