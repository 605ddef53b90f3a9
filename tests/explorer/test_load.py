"""The load benchmark: what its visitors notice, what it refuses, and one short run."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from serving import launched

from explorer.bench.load import questions
from explorer.bench.load.__main__ import arguments
from explorer.bench.load.disturbing import (
    DISTURBERS,
    ROUNDS,
    SHORTEST,
    Slice,
    compared,
    disturbed,
    slice_seconds,
    stuck,
)
from explorer.bench.load.figures import faults, outcomes, percentiles, processors, waiting
from explorer.bench.load.floor import floor
from explorer.bench.load.protocols import GradioPage, Lines, new_session, speaker_of
from explorer.bench.load.sentences import sentence
from explorer.bench.load.server import Times, local, memory
from explorer.bench.load.visitor import ANSWERED, CROSSED, LOST, REFUSED, Asked, Plan, crowd
from explorer.experiments.laboratory import Laboratory
from explorer.recording.recordings import Recordings
from explorer.tabs.explore.answer import trace_answer
from explorer.tabs.inside.answer import head_answer
from explorer.tabs.masks.answer import masks_answer
from explorer.tabs.predictions.output import predictions_of
from explorer.tabs.predictions.tab import prediction_payload
from explorer.tabs.what_if.answer import run_answer
from explorer.tabs.what_if.heads.answer import ranking_answer

ROOT = Path(__file__).parents[2]
CHUNKS = 640  # of 64 kB
PLAN = Plan(clients=4, seconds=0.5, think=0.01, seed=1, translations_only=True)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def asked_of(handler: Handler, plan: Plan = PLAN) -> list[Asked]:
    """What visitors write down about a server that answers at /ask with this handler."""

    async def healthy(request: web.Request) -> web.Response:
        return web.Response()

    async def visits() -> list[Asked]:
        app, asked = web.Application(), []
        app.add_routes([web.post("/ask", handler), web.get("/health", healthy)])
        async with TestServer(app) as server, new_session() as session:
            speaker = await speaker_of(session, str(server.make_url("")).rstrip("/"))
            assert isinstance(speaker, Lines)
            await crowd(plan, speaker, session, asked)
        return asked

    return asyncio.run(visits())


def lines(*answers: object) -> web.Response:
    return web.Response(text="".join(f"{json.dumps(answer)}\n" for answer in answers))


async def honest(request: web.Request) -> web.Response:
    await asyncio.sleep(0.01)
    return lines({"ahead": 2}, {"ahead": 1}, {"sentence": (await request.json())["given"][0]})


def outcomes_of(asked: list[Asked]) -> set[str]:
    return {one.outcome for one in asked}


def seconds(*values: float, outcome: str = ANSWERED) -> list[Asked]:
    return [Asked("translate", value, value, outcome) for value in values]


def test_percentiles_are_those_of_what_was_answered():
    asked = [*seconds(*map(float, range(101))), *seconds(1000.0, outcome=LOST), *seconds(2000.0, outcome=REFUSED)]
    assert percentiles(asked) == [50, 95, 99, 100]


def test_rates_count_what_was_answered_in_time():
    asked = [*seconds(0.0, 1.0, 2.0, 3.0), *seconds(1.0, outcome=REFUSED)]
    assert [*waiting(asked, 4.0)][1].split()[:3] == ["translate", "5", "0.8"]  # 0 + 0, 1 + 1 and 2 + 2 of 4 seconds


def test_who_used_the_processors_is_told():
    told = processors(Times(total=20.0, idle=5.0, process=10.0), own=1.0, answers=100)
    assert told == "the server 50 % (100 ms an answer), this program 5 %, others 20 %, idle 25 %"


def test_there_are_5000_sentences_of_8_to_25_pieces(shipped):
    found = {sentence(random) for random in [Random(1)] for _ in range(5100)}
    assert len(found) > 5000
    lengths = {len(shipped.source_ids(text)) for text in found}
    assert lengths <= {*range(8, 26)} and lengths >= {*range(9, 23)}


def test_an_honest_server_is_found_honest():
    asked = asked_of(honest)
    assert outcomes_of(asked) == {ANSWERED} and len(asked) > 8
    assert not faults(asked)
    assert next(outcomes(asked)).strip() == ("errors 0, lost 0, cross-talk 0, refused because full 0, at most 2 ahead")


def test_a_server_that_gives_a_visitor_the_answer_of_another_is_found_out():
    last = {"sentence": "nobody's"}

    async def lying(request: web.Request) -> web.Response:
        nonlocal last
        sent, last = last, {"sentence": (await request.json())["given"][0]}
        return lines(sent)

    asked = asked_of(lying)
    assert outcomes_of(asked) == {CROSSED}
    assert faults(asked)[CROSSED] == len(asked)


def test_an_answer_that_never_comes_is_lost():
    async def gone(request: web.Request) -> web.StreamResponse:
        assert request.transport
        request.transport.close()
        return web.Response()

    assert outcomes_of(asked_of(gone)) == {LOST}


def test_a_full_server_is_no_fault():
    async def full(request: web.Request) -> web.Response:
        return web.json_response({"error": "full"}, status=503, headers={"Retry-After": "0.2"})

    asked = asked_of(full)
    assert outcomes_of(asked) == {REFUSED} and not faults(asked)
    assert len(asked) <= 3 * PLAN.clients  # none came again before he was told to


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (lines({"error": "too long"}), "refused by translate: too long"),
        (lines({"ahead": 1}), "the answer has no last line"),
        (lines([1]), "not an answer to translate: TypeError list indices must be integers"),
        (web.Response(text="no JSON"), "not an answer to translate: JSONDecodeError Expecting value: line 1 column 1"),
        (web.Response(status=500, text="Oh"), "status 500: Oh"),
    ],
)
def test_errors_are_told_by_kind(sent, kind):
    async def failing(request: web.Request) -> web.Response:
        return web.Response(text=sent.text, status=sent.status)

    (found,) = outcomes_of(asked_of(failing))
    assert found.startswith(kind)


def answer_of(recordings: Recordings, question: questions.Question) -> str:
    """What the rooms answer, without a server."""
    sentence, *given = question.given
    match question.name:
        case "head":
            return head_answer(recordings, sentence, *given)
        case "masks":
            return masks_answer(recordings, sentence, *given)
        case "prediction":
            return prediction_payload(predictions_of(recordings.forward_pass(sentence)), *given)
        case "lab.run":
            return run_answer(Laboratory(recordings), sentence, *given)
    return ranking_answer(Laboratory(recordings), sentence, *given)


@pytest.mark.parametrize("make", questions.ROOMS)
def test_an_answer_belongs_to_its_own_question_only(toy, make):
    recordings = Recordings(toy)
    own, other = (json.loads(trace_answer(recordings, text)) for text in ("The cat sleeps.", "She reads the book."))
    assert (
        own["kinds"]["cross"]["shape"] == other["kinds"]["cross"]["shape"]
    )  # so that it takes numbers to tell them apart
    for seed in range(6):
        mine, another = make(Random(seed), own), make(Random(seed), other)
        answer = json.loads(answer_of(recordings, mine))
        assert mine.belongs(answer)
        if make is not questions.ranking:  # which names no sentence
            assert not another.belongs(answer)
    if make is questions.ranking:
        first, *_, last = (make(Random(seed), own) for seed in range(20))
        assert first.given != last.given and not first.belongs(json.loads(answer_of(recordings, last)))


@pytest.mark.parametrize("address", ["http://127.0.0.1:7860/", "http://localhost:7860", "http://[::1]:7860"])
def test_this_machine_may_be_asked(address):
    assert local(address) == address.rstrip("/")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "http://10.0.0.7:7860",
        "https://127.0.0.1",
        "127.0.0.1:7860",
        "http://",
        "http://0.0.0.0:1",
    ],
)
def test_no_other_machine_may_be_asked(address):
    with pytest.raises(ValueError, match="only this machine"):
        local(address)


@pytest.mark.parametrize("given", [["--clients", "501"], ["--seconds", "3601"], ["--clients", "0"], ["--disturb", "x"]])
def test_a_run_is_bounded(given, capsys):
    with pytest.raises(SystemExit):
        arguments().parse_args(given)
    assert "must be from 1 to" in (said := capsys.readouterr().err) or "knows stuck" in said


def test_the_floor_is_asked_as_gradio_is_asked():
    """Gradio's own page, which the benchmark speaks with as a browser does."""

    async def visits(address: str) -> list[Asked]:
        asked: list[Asked] = []
        async with new_session() as session:
            speaker = await speaker_of(session, local(address))
            assert isinstance(speaker, GradioPage)
            await crowd(PLAN, speaker, session, asked)
        return asked

    with contextlib.contextmanager(launched)(floor()) as address:
        asked = asyncio.run(visits(address))
    assert outcomes_of(asked) == {ANSWERED} and len(asked) >= PLAN.clients


def test_the_memory_of_a_process_is_known_where_the_system_tells_it():
    found = memory(os.getpid())
    assert found is None or 50 < found < 20_000  # megabytes, PyTorch among them
    assert memory(None) is None


def test_guests_take_turns_and_a_short_run_is_refused(monkeypatch):
    with pytest.raises(ValueError, match=f"--seconds {2 * 4 * ROUNDS * SHORTEST} at least"):
        slice_seconds([*DISTURBERS], 60.0)
    here = []

    async def guest(*_: object) -> None:
        here.append(True)
        await asyncio.Event().wait()

    monkeypatch.setitem(DISTURBERS, "stuck", guest)
    monkeypatch.setattr("explorer.bench.load.disturbing.SHORTEST", 0)
    found = asyncio.run(disturbed(["stuck"], 0.1, Lines("http://127.0.0.1:1"), 1))
    assert [one.there for one in found] == [False, True] * ROUNDS and len(here) == ROUNDS


def test_the_stuck_guest_reads_nothing():
    sent = []

    async def large(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(0 if sent else CHUNKS):  # of the first question only
            await response.write(b"x" * 2**16)
            sent.append(2**16)
        return response

    async def visited() -> None:
        app = web.Application()
        app.add_routes([web.post("/ask", large)])
        async with TestServer(app) as server:
            guest = asyncio.ensure_future(stuck(Lines(str(server.make_url("")).rstrip("/")), Random(1)))
            before = 0
            while not sent or len(sent) > before:  # until the server waits for him to read
                before = len(sent)
                await asyncio.sleep(0.5)
            guest.cancel()
            await asyncio.gather(guest, return_exceptions=True)
            assert before < CHUNKS // 4  # what the system itself keeps for him

    asyncio.run(visited())


def test_a_guest_is_compared_with_the_times_without_him():
    slices = [Slice("big", bool(i % 2), float(i), i + 1.0) for i in range(2 * ROUNDS)]
    asked = [Asked("translate", i + 0.5, 3.0 if i % 2 else 2.0, ANSWERED) for i in range(2 * ROUNDS)]
    assert [*compared(slices, asked)][1].split() == ["big", "2.00", "s", "3.00", "s", "50%"]


def test_a_short_run_of_the_app_ends_without_a_fault():
    command = [sys.executable, "-m", "explorer.bench.load", "--clients", "3", "--seconds", "2", "--floor", "0"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "errors 0, lost 0, cross-talk 0" in ended.stdout
    assert "translate" in ended.stdout and "memory of the server" in ended.stdout
