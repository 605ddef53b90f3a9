"""The load benchmark: what its visitors notice of a good and of a bad server, and one short run against the app."""

import argparse
import asyncio
import json
from random import Random

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from cases import each_case

from explorer.engine.calls import ModelCalls
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from model.errors import UserError
from tools.bench import load, load_requests
from tools.bench.load import ANSWERED, LOST, MIXED_UP, REFUSED


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    load.add_arguments(parser)
    return parser.parse_args(words)


def outcomes_of(answer, *, count: int = 3) -> list[str]:
    """What one visitor notes who asks a server that answers with this function of the request's body."""

    async def handler(request: web.Request) -> web.Response:
        return answer(await request.json())

    async def visit() -> list[str]:
        app, outcomes, random = web.Application(), [], Random(1)
        app.add_routes([web.post("/ask", handler)])
        async with TestServer(app) as server, load.new_session() as session:
            for _ in range(count):
                address = f"http://127.0.0.1:{server.port}"
                await load.ask(session, address, load_requests.translation_request(random), "ann", outcomes)
        return [one.status for one in outcomes]

    return asyncio.run(visit())


def reply(answer) -> web.Response:
    return web.Response(text=f'{{"queue_position": 2}}\n{json.dumps(answer)}')


@each_case(
    ("answer", "outcome"),
    [
        (lambda body: reply({"sentence": body["arguments"][0]}), ANSWERED),
        (lambda body: reply({"sentence": "A dog."}), MIXED_UP),  # the answer to another request
        (lambda body: web.Response(status=503), REFUSED),  # a full server is no fault
        (lambda body: web.Response(status=500), "translate: status 500"),
        (lambda body: reply({"error": "no"}), "translate: no"),
        (lambda body: web.Response(text="{"), "no answer to translate: JSONDecodeError"),
    ],
)
def test_every_answer_of_a_server_is_found_to_be_what_it_is(answer, outcome):
    assert [one.startswith(outcome) for one in outcomes_of(answer)] == [True] * 3


@each_case("make", [*load_requests.FOLLOW_UPS])
def test_every_further_request_is_answered_and_knows_its_answer(toy, make):
    app, random = AppContext(Recordings(toy), None), Random(2)
    ModelCalls(app).register(app.questions)
    question, arguments, is_answer = make(random, trace_json(app.recordings.trace("The cat sleeps.")))
    answer = json.loads(app.questions.answer(question, arguments))
    assert "error" not in answer and is_answer(answer)


def test_a_connection_that_breaks_off_is_lost():
    def break_off(body):
        raise asyncio.CancelledError

    assert outcomes_of(break_off, count=1) == [LOST]


@each_case("address", ["http://192.168.0.7:7860", "https://127.0.0.1", "7860"])
def test_no_other_machine_is_asked(address):
    with pytest.raises(UserError, match="on this machine"):
        load.parse_loopback(address)


@pytest.mark.thorough
def test_a_short_run_against_the_app_ends_without_a_fault(capsys):
    words = ["--clients", "3", "--seconds", "4", "--think", "0.2", "--guests", "leaver", "flooder", "--seed", "1"]
    assert load.run(options(*words)) == 0
    table = capsys.readouterr().out
    assert "first half" in table and "faults: {}" in table
