"""The page in front of replicas: what it caches, what it forwards, and how it refuses. This needs no Ray."""

import asyncio
import json
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.cluster import forwarding
from explorer.cluster.forwarding import AdmissionControl, ForwardingAnswerService, ReplicasFull
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.ask import AskRequest, plain_body, routes
from explorer.ui import words
from explorer.ui.fair_queue import QueueClosed, QueueFull
from model.errors import UserError

ROOT = Path(__file__).parents[2]


def asked(number: int, visitor: str = "ann") -> AskRequest:
    return AskRequest(question="twice", arguments=[number], language="en", visitor=visitor)


@pytest.fixture
def app(toy):
    app = AppContext(Recordings(toy), None)
    app.questions.add("twice", lambda number: pytest.fail("the page works nothing out itself"))
    return app


@pytest.fixture
def handed():
    """What was handed on."""
    return []


@pytest.fixture
def service(app, handed):
    async def forward(asked):
        handed.append(asked)
        return json.dumps(2 * asked.arguments[0])

    return ForwardingAnswerService(app, forward=forward, status={"replicas": 3})


async def lines_of(service, asked):
    return [str(line) async for line in service.lines(asked)]


async def last_line(first, lines):
    """What the client reads last."""
    return b"".join([chunk async for chunk in plain_body(first, lines, "en")]).splitlines()[-1]


def test_a_question_is_handed_on_once_and_then_remembered(service, handed):
    for _ in range(2):
        assert asyncio.run(lines_of(service, asked(4))) == ["8"]
    assert handed == [asked(4)]


def test_what_cannot_be_asked_is_not_handed_on(service, handed):
    with pytest.raises(UserError, match="not a valid request"):
        asyncio.run(lines_of(service, AskRequest(question="thrice", arguments=[], language="en")))
    assert handed == []


@pytest.fixture
def held_service(app, monkeypatch):
    """A service, and the event before which its replicas answer nothing."""
    monkeypatch.setattr(forwarding, "POSITION_SECONDS", 0.01)
    released = asyncio.Event()

    async def forward(asked):
        await released.wait()
        return json.dumps(asked.arguments)

    return ForwardingAnswerService(app, forward=forward), released


def test_whoever_waits_hears_the_queue_position(held_service):
    service, released = held_service

    async def two():
        async with aclosing(service.lines(asked(1))) as first, aclosing(service.lines(asked(2))) as second:
            heard = [json.loads(str(await anext(first))), json.loads(str(await anext(second))), service.queue_length()]
            released.set()
            return heard, [[str(line) async for line in lines][-1] for lines in (first, second)]

    assert asyncio.run(two()) == ([{"queue_position": 0}, {"queue_position": 1}, 2], ["[1]", "[2]"])


def test_who_leaves_has_withdrawn_the_question(app, monkeypatch):
    monkeypatch.setattr(forwarding, "POSITION_SECONDS", 0.01)
    ends = []

    async def forward(asked):
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(asked)

    async def leaves():
        service = ForwardingAnswerService(app, forward=forward)
        async with aclosing(service.lines(asked(1))) as lines:
            await anext(lines)
        await asyncio.sleep(0)
        return service.queue_length()

    assert asyncio.run(leaves()) == 0
    assert ends == [asked(1)]


def crowded(app, wait):
    async def forward(asked):
        await asyncio.sleep(wait)
        raise ReplicasFull

    return ForwardingAnswerService(app, forward=forward)


def test_where_replicas_have_no_room_it_is_said_and_when_to_come_again(app):
    with TestClient(Starlette(routes=routes(crowded(app, 0)))) as client:
        answer = client.post("/ask", json={"question": "twice", "arguments": [1], "language": "en"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.json()["error"] == words.REFUSALS["full"].format(seconds=1)


def test_a_refusal_that_comes_late_is_the_last_line_and_not_cached(app, monkeypatch):
    monkeypatch.setattr(forwarding, "POSITION_SECONDS", 0.01)
    service = crowded(app, 0.1)

    async def sent():
        lines = service.lines(asked(1))
        return await last_line(await anext(lines), lines)

    assert json.loads(asyncio.run(sent()))["error"] == words.REFUSALS["full"].format(seconds=1)
    assert service.cache.get(asked(1)) is None


@pytest.fixture
def admission(monkeypatch):
    """It forwards one request at a time."""
    monkeypatch.setattr(forwarding, "FORWARDED_PER_REPLICA", 1)
    return AdmissionControl(lambda: 1, max_jobs_per_visitor=1)


def test_one_visitor_has_so_many_places_and_no_more(admission):
    first = admission.admit("ann", "")
    waiting = admission.admit("ann", "")
    with pytest.raises(QueueFull):
        admission.admit("ann", "")
    other = admission.admit("bob", "")
    assert [admission.position(job) for job in (first, waiting, other)] == [0, 2, 1] and len(admission) == 3


def test_requests_are_forwarded_in_turn_whatever_one_client_calls_itself(admission):
    first, *flood = (admission.admit(f"new {number}", "198.51.100.66") for number in range(9))
    honest = admission.admit("ann", "192.0.2.1")
    admission.leave(first)
    admission.leave(flood[0])
    assert honest.done.done() and not flood[1].done.done()


def test_a_server_that_stops_says_so_to_waiting_requests_and_answers_forwarded_ones(held_service, monkeypatch):
    service, released = held_service
    monkeypatch.setattr(forwarding, "FORWARDED_PER_REPLICA", 1)

    async def two():
        async with aclosing(service.lines(asked(1))) as first, aclosing(service.lines(asked(2))) as second:
            await anext(first)
            position = await anext(second)
            service.close()
            last = await last_line(position, second)
            released.set()
            return [str(line) async for line in first][-1], json.loads(last)["error"]

    assert asyncio.run(two()) == ("[1]", str(QueueClosed()))


def test_without_ray_the_command_says_how_to_get_it():
    code = "import sys; sys.modules['ray'] = None; from explorer.cluster.__main__ import main; main()"
    result = subprocess.run([sys.executable, "-c", code, "--port", "0"][:3], capture_output=True, text=True, cwd=ROOT)
    assert (result.returncode, "[serve]" in result.stderr) == (1, True)
    assert len(result.stderr.strip().splitlines()) == 1
