"""Replicas under load, of which one is killed: no question may be lost, and no answer wrong.

python -m pip install -e ".[serve,bench]"
python -m explorer.bench.cluster --clients 20 --seconds 60

Starts `python -m explorer.cluster` on this machine, lets visitors ask through the page as their browsers would, kills
one (SIGKILL) after a quarter of the time, and compares some of the German with what the model says by itself. Linux.
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.bench.load.protocols import Lines, new_session
from explorer.bench.load.questions import Question
from explorer.bench.load.server import Server, free_port, memory, started
from explorer.bench.load.visitor import ANSWERED, Asked, Plan, Visitor
from explorer.recording.recordings import Recordings
from model import command
from model.checkpoints import checkpoint

NAME = "python -m explorer.bench.cluster"
REPLICA = "ray::ServeReplica"
COMPARED = 40  # translations, of all that were given


class Witness(Visitor):
    """A visitor who writes down what he was told."""

    def __init__(self, *given: Any, told: dict[str, str]):
        super().__init__(*given)
        self.told = told

    async def ask(self, question: Question) -> Any:
        answer = await super().ask(question)
        if question.name == "translate" and answer is not None:
            self.told[question.given[0]] = answer["translation"]
        return answer


def below(pid: int) -> dict[int, str]:
    """All processes that come from one, and that one: their names by their ids."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {one: names.get(one, "") for one in found}


def replicas(pid: int) -> list[int]:
    return sorted(one for one, name in below(pid).items() if name.startswith(REPLICA))


def part_of(one: int, name: str, pid: int) -> str:
    return "page" if one == pid else "replicas" if name.startswith(REPLICA) else "Ray"


def processors(pid: int) -> dict[str, float]:
    """Seconds of processor time so far: of the page, of its replicas, of all else that is Ray's."""
    spent = {"page": 0.0, "replicas": 0.0, "Ray": 0.0}
    for one, name in below(pid).items():
        stat = Path(f"/proc/{one}/stat")
        if stat.exists():
            ticks = sum(map(int, stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]))
            spent[part_of(one, name, pid)] += ticks / os.sysconf("SC_CLK_TCK")
    return spent


def running(address: str) -> int:
    with urllib.request.urlopen(f"{address}/health") as answer:
        return json.load(answer)["replicas"]


async def killed(server: Server, wait: float, count: int, asked: Sequence[Asked]) -> tuple[float, float]:
    """When a replica was killed, and when there were as many again (time.perf_counter; infinite: not yet).

    Prints what an answer has cost until then.
    """
    assert server.pid is not None
    before = processors(server.pid)
    await asyncio.sleep(wait)
    spent = {part: seconds - before[part] for part, seconds in processors(server.pid).items()}
    costs = ", ".join(f"{part} {1000 * seconds / max(1, len(asked)):.0f} ms" for part, seconds in spent.items())
    print(f"  processor time for one of {len(asked)} answers of all kinds: {costs}", flush=True)
    victim = replicas(server.pid)[0]
    os.kill(victim, signal.SIGKILL)
    then, fewer = time.perf_counter(), False
    try:
        while True:
            await asyncio.sleep(0.25)
            now = await asyncio.to_thread(running, server.address)
            fewer = fewer or now < count
            if fewer and now == count:
                return then, time.perf_counter()
    except asyncio.CancelledError:
        return then, float("inf")


async def besieged(server: Server, plan: Plan, count: int) -> tuple[list[Asked], dict[str, str], tuple[float, float]]:
    asked: list[Asked] = []
    told: dict[str, str] = {}
    until = time.perf_counter() + plan.seconds
    async with new_session() as session:
        speaker = Lines(server.address)
        witnesses = [Witness(number, plan, speaker, session, asked, told=told) for number in range(plan.clients)]
        killing = asyncio.ensure_future(killed(server, plan.seconds / 4, count, asked))
        await asyncio.gather(*(witness.visit(until) for witness in witnesses))
        killing.cancel()
        return asked, told, await killing


def line(name: str, asked: Sequence[Asked]) -> str:
    """The translations of a time: how many, and how long they took."""
    took = [one.seconds for one in asked if one.name == "translate" and one.outcome == ANSWERED]
    if not took:
        return f"  {name}: none"
    p50, p95 = np.percentile(took, [50, 95])
    return f"  {name}: {len(took)} translations, p50 {p50:.2f} s, p95 {p95:.2f} s, longest {max(took):.2f} s"


def wrong(told: dict[str, str], model: str) -> int:
    """How many of some translations are others than the model gives when it is asked alone."""
    recordings = Recordings(checkpoint.load(checkpoint.locate(model)))
    sample = [*told][:: max(1, len(told) // COMPARED)]
    found = sum(recordings.trace(text).translation != told[text] for text in sample)
    print(f"  {len(sample)} of {len(told)} translations compared with the model's own: {found} differ")
    return found


def tell(asked: Sequence[Asked], then: float, again: float) -> None:
    print(line("before", [one for one in asked if one.ended < then]))
    print(line("while one is missing", [one for one in asked if one.ended >= then and one.begun < again]))
    print(line("after", [one for one in asked if one.begun >= again]))
    print(f"  as many replicas again after {again - then:.1f} s")
    print(f"  {len(asked)} questions: {dict(Counter(one.outcome for one in asked))}")


def tell_memory(pid: int) -> None:
    """Megabytes (RSS) of the page, of each replica, and of what is Ray's own."""
    sizes: dict[str, list[float]] = {"page": [], "replicas": [], "Ray": []}
    for one, name in below(pid).items():
        sizes[part_of(one, name, pid)].append(memory(one) or 0.0)
    each = ", ".join(f"{size:.0f}" for size in sizes["replicas"])
    print(f"  memory: page {sum(sizes['page']):.0f} MB, replicas {each} MB, Ray {sum(sizes['Ray']):.0f} MB")


def arguments(given: Iterable[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(NAME, description="Replicas under load, of which one is killed.")
    command.add_model(parser)
    parser.add_argument("--clients", type=int, default=20, help="visitors (default 20)")
    parser.add_argument("--seconds", type=float, default=60.0, help="default 60")
    parser.add_argument("--think", type=float, default=0.5, help="seconds of thought on average (default 0.5)")
    parser.add_argument("--mix", choices=("visit", "translate"), default="visit", help="translate: nothing else")
    parser.add_argument("--replicas", type=int, default=2, help="default 2")
    parser.add_argument("--seed", type=int, help="of the sentences (default: others each time)")
    return parser.parse_args(given)


def main() -> None:
    options = arguments()
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    plan, port = Plan(options.clients, options.seconds, options.think, seed, options.mix == "translate"), free_port()
    print(f"{plan.clients} visitors, {plan.think:g} s of thought, {options.replicas} replicas, seed {seed}", flush=True)
    asked_for = ["--replicas", str(options.replicas), "--model", options.model, "--port", str(port)]
    with command.refusing(NAME), started("-m", "explorer.cluster", *asked_for, port=port) as server:
        asked, told, (then, again) = asyncio.run(besieged(server, plan, options.replicas))
        tell(asked, then, again)
        tell_memory(server.pid or 0)
    lost = sum(one.outcome != ANSWERED for one in asked)
    sys.exit(1 if lost or again == float("inf") or wrong(told, options.model) else 0)


if __name__ == "__main__":
    main()
