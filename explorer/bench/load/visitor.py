"""A visitor: he translates, thinks, asks a room about his sentence, and checks every answer."""

import asyncio
import json
import time
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import aiohttp

from explorer.bench.load.protocols import Failed, Refused, Reply, Speaker
from explorer.bench.load.questions import Question, other, translate

PATIENCE = 120  # seconds after which a question without an answer is lost
LONGEST_WAIT = 10.0  # seconds that a visitor who was refused waits before he asks again
AGAIN = 1.0  # seconds after which he asks again where something else was wrong
OTHERS = 0.5  # of the translations are followed by a question of a room
ANSWERED, REFUSED, LOST, CROSSED = "answered", "refused", "lost", "belongs to another question"


class Asked(NamedTuple):
    """One question: when it was asked (time.perf_counter), how long that took, and what came of it."""

    name: str
    begun: float
    seconds: float
    outcome: str  # one of the four above; anything else is an error's text
    ahead: int = 0

    @property
    def ended(self) -> float:
        return self.begun + self.seconds


@dataclass(frozen=True)
class Plan:
    """What all visitors of a run have in common."""

    clients: int
    seconds: float
    think: float  # seconds on average
    seed: int
    translations_only: bool = False


class Visitor:
    """`asked` is where all visitors write down what they asked."""

    def __init__(self, number: int, plan: Plan, speaker: Speaker, session: aiohttp.ClientSession, asked: list[Asked]):
        self.random = Random(f"{plan.seed} {number}")
        self.name = f"load{self.random.getrandbits(64):016x}"
        self.plan, self.speaker, self.session, self.asked = plan, speaker, session, asked

    async def visit(self, until: float) -> None:
        """Asks until it is so late (time.perf_counter); what was asked by then is still waited for."""
        await asyncio.sleep(self.random.uniform(0, self.plan.think))
        while time.perf_counter() < until:
            trace = await self.ask(translate(self.random))
            await self.think(until)
            wants_more = not self.plan.translations_only and self.random.random() < OTHERS
            if trace is not None and wants_more and time.perf_counter() < until:
                await self.ask(other(self.random, trace))
                await self.think(until)

    async def think(self, until: float) -> None:
        """As long as people do who come and go independently of each other: often shortly, now and then long."""
        if self.plan.think:
            seconds = self.random.expovariate(1 / self.plan.think)
            await asyncio.sleep(min(seconds, until - time.perf_counter()))

    async def ask(self, question: Question) -> Any:
        """The answer, or None where there is none that could be used."""
        begun, answer, ahead, wait = time.perf_counter(), None, 0, AGAIN
        try:
            async with asyncio.timeout(PATIENCE):
                text, ahead = await self.asked_of(question)
            ended = time.perf_counter()
            answer, outcome = checked(question, text)
            wait = 0.0
        except Refused as refused:
            ended, outcome, wait = time.perf_counter(), REFUSED, min(refused.wait, LONGEST_WAIT)
        except Failed as failed:
            ended, outcome = time.perf_counter(), str(failed)
        except (aiohttp.ClientError, TimeoutError, OSError):
            ended, outcome = time.perf_counter(), LOST
        self.asked.append(Asked(question.name, begun, ended - begun, outcome, ahead))
        await asyncio.sleep(wait)
        return answer

    async def asked_of(self, question: Question) -> Reply:
        return await self.speaker.read(await self.speaker.begin(self.session, question, self.name))


def checked(question: Question, text: str) -> tuple[Any, str]:
    """The answer, None where it is no use, and what is to be said of it."""
    try:
        answer = json.loads(text)
        if isinstance(answer, dict) and "error" in answer:
            return None, f"refused by {question.name}: {answer['error']}"[:80]
        return (answer, ANSWERED) if question.belongs(answer) else (None, CROSSED)
    except (LookupError, TypeError, ValueError) as reason:
        return None, f"not an answer to {question.name}: {type(reason).__name__} {reason}"[:80]


async def crowd(plan: Plan, speaker: Speaker, session: aiohttp.ClientSession, asked: list[Asked]) -> None:
    """All visitors, from now until the plan's seconds are over."""
    until = time.perf_counter() + plan.seconds
    visitors = [Visitor(number, plan, speaker, session, asked) for number in range(plan.clients)]
    await asyncio.gather(*(visitor.visit(until) for visitor in visitors))


async def burst(plan: Plan, speaker: Speaker, session: aiohttp.ClientSession, asked: list[Asked]) -> float:
    """Seconds until all visitors, who ask at the same moment, have their translation."""
    visitors = [Visitor(number, plan, speaker, session, asked) for number in range(plan.clients)]
    begun = time.perf_counter()
    await asyncio.gather(*(visitor.ask(translate(visitor.random)) for visitor in visitors))
    return max(one.ended for one in asked[-plan.clients :]) - begun
