"""python -m explorer.bench.load: what is described in the package's own words."""

import argparse
import asyncio
import os
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace

from explorer.bench.load.disturbing import CONNECTIONS, DISTURBERS, compared, disturbed, slice_seconds
from explorer.bench.load.figures import curve, faults, outcomes, processors, waiting
from explorer.bench.load.protocols import Lines, Speaker, new_session, speaker_of
from explorer.bench.load.server import Server, Times, app, free_port, local, memory, started
from explorer.bench.load.visitor import Asked, Plan, burst, crowd
from explorer.ui.open_files import allow_files
from model import command

NAME = "python -m explorer.bench.load"
CLIENTS, SECONDS = 500, 3600  # at most
SAMPLES = 16  # of the memory during a run
EARLY = 100  # answers after which the memory is told apart: what grows until then is what a start needs
BURSTS = 5


class Watch:
    """The server's memory while visitors ask."""

    def __init__(self, server: Server, asked: Sequence[Asked]):
        self.server, self.asked = server, asked
        self.before, self.early = memory(server.pid), None
        self.samples: list[tuple[float, int, float]] = []

    async def look(self, seconds: float) -> None:
        begun = time.perf_counter()
        while True:
            passed, now = time.perf_counter() - begun, memory(self.server.pid)
            if now is None:
                return
            if self.early is None and len(self.asked) >= EARLY:
                self.early = now
            if len(self.samples) <= SAMPLES and passed >= len(self.samples) * seconds / SAMPLES:
                self.samples.append((passed, len(self.asked), now))
            await asyncio.sleep(0.1)

    def tell(self) -> None:
        at_end = memory(self.server.pid)
        if self.before is None or at_end is None:
            print("  memory of the server: unknown")
            return
        early = "" if self.early is None else f", {self.early:.0f} after {EARLY} answers"
        print(f"  memory of the server: {self.before:.0f} MB before{early}, {at_end:.0f} at the end")
        if self.samples:
            print(*curve(self.samples), sep="\n")


async def besieged(plan: Plan, speaker: Speaker, guests: Sequence[str], watch: Watch, asked: list[Asked]) -> None:
    """A run of all visitors, with guests who disturb them if there are any."""
    async with new_session() as session:
        looking = asyncio.ensure_future(watch.look(plan.seconds))
        if guests:
            disturbing = asyncio.ensure_future(disturbed(guests, plan.seconds, speaker, plan.seed))
            await crowd(plan, speaker, session, asked)
            print(*compared(await disturbing, asked), sep="\n")
        else:
            await crowd(plan, speaker, session, asked)
        looking.cancel()


async def bursts(plan: Plan, speaker: Speaker, asked: list[Asked]) -> None:
    async with new_session() as session:
        found = [
            await burst(replace(plan, seed=plan.seed + number), speaker, session, asked) for number in range(BURSTS)
        ]
    print(f"  all {plan.clients} at once are answered after {', '.join(f'{seconds:.2f}' for seconds in found)} s,")
    print(f"  median {statistics.median(found):.2f} s")


async def floor(plan: Plan) -> None:
    """Gradio's figures for an event that does nothing, on this machine and with as many visitors."""
    port = free_port()
    with started("-m", "explorer.bench.load.floor", str(port), port=port) as server:
        asked: list[Asked] = []
        async with new_session() as session:
            await crowd(plan, await speaker_of(session, server.address), session, asked)
    print(f"the floor: an event of Gradio's that does nothing, {plan.seconds:g} s")
    print(*waiting(asked, plan.seconds), *outcomes(asked), sep="\n")


async def measure(server: Server, plan: Plan, options: argparse.Namespace) -> list[Asked]:
    """Prints everything about the app."""
    async with new_session() as session:
        speaker = await speaker_of(session, server.address)
    print(f"the app, asked {'at /ask' if isinstance(speaker, Lines) else 'through events and functions of Gradio'}")
    asked: list[Asked] = []
    watch, before, own = Watch(server, asked), Times.now(server.pid), time.process_time()
    if options.burst:
        await bursts(plan, speaker, asked)
    else:
        await besieged(plan, speaker, options.disturb, watch, asked)
    during, own = Times.now(server.pid), time.process_time() - own
    print(*waiting(asked, seconds_of(asked) if options.burst else plan.seconds), *outcomes(asked), sep="\n")
    watch.tell()
    if before and during:
        print(f"  {os.cpu_count()} processors: {processors(during.since(before), own, len(asked))}")
    return asked


def seconds_of(asked: Sequence[Asked]) -> float:
    return max(one.ended for one in asked) - min(one.begun for one in asked)


def bounded(kind: type[int] | type[float], least: int, most: int) -> Callable[[str], float]:
    """A number of the command line that is not too small and not too large."""

    def number(text: str) -> float:
        if not least <= (found := kind(text)) <= most:
            raise argparse.ArgumentTypeError(f"must be from {least} to {most}, not {text}")
        return found

    return number


def guests(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in DISTURBERS]:
        raise argparse.ArgumentTypeError(f"knows {', '.join(DISTURBERS)}, not {', '.join(unknown)}")
    return names


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(NAME, description="Many visitors at once, on this machine.")
    parser.add_argument(
        "--clients", type=bounded(int, 1, CLIENTS), default=30, help=f"visitors (default 30, at most {CLIENTS})"
    )
    parser.add_argument(
        "--seconds", type=bounded(float, 1, SECONDS), default=60.0, help=f"default 60, at most {SECONDS}"
    )
    parser.add_argument(
        "--think", type=bounded(float, 0, SECONDS), default=0.0, help="seconds of thought on average (default 0)"
    )
    parser.add_argument("--mix", choices=("visit", "translate"), default="visit", help="translate: nothing else")
    parser.add_argument("--burst", action="store_true", help=f"all ask at the same moment, {BURSTS} times, and no more")
    parser.add_argument("--disturb", type=guests, default=[], help=f"of {','.join(DISTURBERS)}: come and go meanwhile")
    parser.add_argument(
        "--floor",
        type=bounded(float, 0, SECONDS),
        default=10.0,
        help="seconds for Gradio's own figures (default 10; 0: none)",
    )
    parser.add_argument(
        "--seed", type=int, help="of the sentences (default: others each time, as servers remember them)"
    )
    parser.add_argument("--url", help="a running app of this machine (default: starts one)")
    parser.add_argument("--pid", type=int, help="its process, to measure its memory")
    parser.add_argument("--model", help="of the app that is started (default: the shipped one)")
    return parser


def main() -> None:
    options = arguments().parse_args()
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    plan = Plan(options.clients, options.seconds, options.think, seed, options.mix == "translate")
    with command.refusing(NAME):
        if options.disturb:
            slice_seconds(options.disturb, plan.seconds)
        address = options.url and local(options.url)
        print(f"{plan.clients} visitors, {plan.think:g} s of thought, seed {seed}", flush=True)
        port = free_port()
        running = (
            nullcontext(Server(address, options.pid))
            if address
            else started(*app(options.model), "--port", str(port), port=port)
        )
        if options.floor:
            asyncio.run(floor(Plan(plan.clients, options.floor, plan.think, seed, translations_only=True)))
        with running as server:
            allow_files(2 * plan.clients + CONNECTIONS + 100)
            asked = asyncio.run(measure(server, plan, options))
    sys.exit(1 if faults(asked) else 0)


if __name__ == "__main__":
    main()
