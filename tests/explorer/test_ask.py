"""The route by which the page asks: one answer a question, compressed once, sent in chunks, and cached."""

import json
import logging
import random
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from threading import Event, Thread

import pytest
import uvicorn
from anyio import run
from cases import each_case
from serving import until
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.engine.calls import ModelCalls
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.server import ask as ask_module
from explorer.server import http, words
from explorer.server.ask import CHUNK_BYTES, AnswerService, AskRequest, compress, gzip_body, plain_body, routes
from explorer.server.log import JsonFormatter, PlainFormatter
from explorer.ui import words as shared_words
from explorer.ui.fair_queue import QueueFull
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import is_error
from model.errors import UserError

SENTENCE = "The cat sleeps."


@pytest.fixture
def service(toy, monkeypatch):
    monkeypatch.setattr("explorer.ui.scheduler.POSITION_SECONDS", 60)  # on a busy machine too an answer is one line
    app = AppContext(Recordings(toy), None)
    ModelCalls(app).register(app.questions)
    app.questions.add("twice", lambda number: json.dumps(2 * number))
    return AnswerService(app)


@pytest.fixture
def client(service):
    with TestClient(Starlette(routes=routes(service))) as client:
        yield client


def ask(client, question, *arguments, language="en", **more):
    return client.post("/ask", json={"question": question, "arguments": arguments, "language": language, **more})


def last_line(answer):
    """The answer; whoever waits is told the queue position first."""
    return answer.text.splitlines()[-1]


def test_an_answer_is_one_line_that_any_program_can_read(client, service):
    answer = ask(client, "translate", SENTENCE)
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip" and answer.headers["cache-control"] == "no-store"
    assert last_line(answer) == json.dumps(trace_json(service.app.recordings.trace(SENTENCE)))


def test_a_second_who_asks_the_same_need_not_wait(client, service):
    first = last_line(ask(client, "translate", SENTENCE, visitor="ann"))
    service.app.scheduler.put = None  # so that nothing can get into line
    assert ask(client, "translate", SENTENCE, visitor="bob").text == first + "\n"


CALLS = {
    "translate": [SENTENCE],
    "run": [SENTENCE, {"off": [["cross", 1, 0]]}],
    "weights": [SENTENCE, {}, "cross"],
    "encode": [SENTENCE],
    "tensors": [SENTENCE, []],
    "head": [SENTENCE, "cross", 1, 2],
    "lens": [SENTENCE, 0],
    "norms": [SENTENCE, "encoder"],
    "contributions": [SENTENCE],
    "scores": [SENTENCE, [["cross", 1, 2]], "zero", [0]],
    "neurons": [SENTENCE],
    "directions": ["decoder", 1, 2],
    "overview": [SENTENCE, {}],
    "parameter": ["projection", 0],
    "patching": [SENTENCE, "The dog sleeps under the table.", "heads", 0],
    "beam": [SENTENCE, 2],
    "sample": [SENTENCE, {"temperature": 1.0, "top_k": None, "top_p": 1.0}, 7],
    "tokenize": ["Der Hund"],
}


def test_answers_have_no_words_so_that_one_is_for_all_languages(client, service):
    assert CALLS.keys() == service.app.questions.known.keys() - {"twice"}
    with use_language(LanguageContext("de")):
        german = {name: service.app.questions.answer(name, arguments) for name, arguments in CALLS.items()}
    assert not [name for name, answer in german.items() if is_error(answer)]
    assert german == {name: last_line(ask(client, name, *arguments)) for name, arguments in CALLS.items()}
    service.app.scheduler.put = None  # so that nothing can get into line
    assert ask(client, "translate", SENTENCE, language="zh").text == german["translate"] + "\n"


def test_a_refusal_is_a_sentence_in_the_language_of_the_page(client):
    english, german = (ask(client, "translate", " ", language=code).json()["error"] for code in ("en", "de"))
    assert english.endswith(".") and german.endswith(".") and english != german


def test_neither_refusals_nor_long_questions_fill_the_memory(client, service):
    for number in range(20):
        assert "error" in ask(client, "translate", f"{number} " + "a" * 50_000).json()
    assert len(service.cache.answers) == 0
    service.app.questions.add("length", lambda text: json.dumps(len(text)))
    ask(client, "length", "a" * 50_000)
    assert (len(service.cache.answers), service.cache.answers.currsize < 2000) == (1, True)


@each_case(
    ("body", "reason"),
    [
        (b"", "json"),
        (b"\xff\xfe", "json"),
        (b'{"question": "twice", "arguments": [' + b"[" * 100 + b"]" * 100 + b'], "language": "en"}', "json"),
        (b'{"question": "twice", "arguments": [NaN], "language": "en"}', "json"),
        (b'{"question": 5, "arguments": [], "language": "en"}', "malformed"),
        (b'{"question": "twice", "arguments": [], "language": "fr"}', "malformed"),
        (b'{"question": "twice", "arguments": [], "language": "en", "more": 1}', "malformed"),
    ],
)
def test_what_is_no_question_is_refused(client, body, reason):
    answer = client.post("/ask", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(words.REFUSALS[reason].split("{")[0])


def test_there_are_no_other_questions(client):
    answer = ask(client, "thrice", 1, language="de")
    assert answer.headers["cache-control"] == "no-store"
    with use_language(LanguageContext("de")):
        assert (answer.status_code, answer.json()["error"]) == (400, shared_words.REFUSALS["no_question"])


def test_a_full_line_is_said_and_when_to_come_again(client, service, monkeypatch):
    def put(*_, **__):
        raise QueueFull(7.2)

    monkeypatch.setattr(service.app.scheduler, "put", put)
    answer = ask(client, "twice", 1)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
    assert answer.json()["error"] == shared_words.REFUSALS["full"].format(seconds=7)


def test_turns_are_shared_by_the_address_of_the_client(service):
    service.app.questions.add("slow", lambda: json.dumps(time.sleep(0.01)))
    with TestClient(Starlette(routes=routes(service)), client=("203.0.113.9", 50000)) as client:
        ask(client, "slow", visitor="ann")
    # What an answer took is noted once it is given.
    until(lambda: ("203.0.113.9", "ann") in service.app.scheduler.queue.regulars)


def test_whoever_waits_as_the_server_stops_is_told_so_in_the_last_line(service, monkeypatch):
    monkeypatch.setattr("explorer.ui.scheduler.POSITION_SECONDS", 0.01)
    gate, closing = Event(), Thread(target=service.close)
    service.app.scheduler.put(gate.wait, "bob")

    async def heard() -> list[str]:
        lines = service.lines(AskRequest(question="twice", arguments=[2], language="de", visitor="ann"))
        first = await anext(lines)
        closing.start()
        return b"".join([chunk async for chunk in plain_body(first, lines, "de")]).decode().splitlines()

    first, *_, last = run(heard)
    gate.set()
    closing.join(60)
    with use_language(LanguageContext("de")):
        assert "queue_position" in first and json.loads(last) == {"error": shared_words.REFUSALS["stopping"]}


def test_the_server_says_how_it_is(client):
    health = client.get("/health").json()
    assert (health["status"], health["model"]["layers"], health["waiting"]) == ("ok", 2, 0)
    assert health["uptime_seconds"] >= 0


def test_a_translation_is_a_line_in_the_log_that_does_not_say_what_was_translated(client, caplog):
    caplog.set_level(logging.INFO, "explorer.server.log")
    for _ in range(2):
        ask(client, "translate", SENTENCE)
    ask(client, "twice", 1)
    ask(client, "translate", "a" * 5000)  # is refused
    lines = [PlainFormatter().format(record) for record in caplog.records if record.name == "explorer.server.log"]
    assert ["cached=False" in lines[0], "cached=True" in lines[1], len(lines)] == [True, True, 2]
    facts = json.loads(JsonFormatter().format(caplog.records[0]))
    assert facts["event"] == "translation"
    assert {"time", "seconds", "pieces", "cached", "waiting"} <= facts.keys()
    assert "cat" not in caplog.text + "".join(lines)


@each_case("language", [*LANGUAGES])
def test_only_what_was_written_for_visitors_is_shown_and_any_other_error_is_for_the_log(
    client, service, caplog, language
):
    def refuse(error):
        raise error

    caplog.clear()
    service.app.questions.add("refused", partial(refuse, UserError("The cat is out.")))
    service.app.questions.add("broken", partial(refuse, ValueError("operands could not be broadcast together")))
    assert json.loads(last_line(ask(client, "refused", language=language))) == {"error": "The cat is out."}
    answer = ask(client, "broken", language=language)
    with use_language(LanguageContext(language)):
        assert (answer.status_code, answer.json()) == (500, {"error": words.REFUSALS["bug"]})
    (record,) = (record for record in caplog.records if record.name == "explorer.server.log")
    plain, as_json = PlainFormatter().format(record), json.loads(JsonFormatter().format(record))
    assert "Traceback" in plain and plain.endswith("ValueError: operands could not be broadcast together")
    assert as_json["path"] == "/ask" and "broadcast" in as_json["traceback"]


def test_an_error_of_the_program_is_as_neutral_for_who_has_waited(client, service, caplog, monkeypatch):
    monkeypatch.setattr("explorer.ui.scheduler.POSITION_SECONDS", 0.01)
    service.app.questions.add("broken", lambda: time.sleep(0.2) or str(1 // 0))
    answer = ask(client, "broken")
    assert answer.text.startswith('{"queue_position"') and "ZeroDivisionError" in caplog.text
    assert json.loads(last_line(answer)) == {"error": words.REFUSALS["bug"]}


ANSWER = json.dumps("".join(random.Random(0).choices("äbcdefgh", k=200_000)))


async def lines_of(*lines):
    for line in lines:
        yield line


async def sent(body, *lines):
    others = lines_of(*lines)
    async with aclosing(body(await anext(others), others, "en")) as chunks:
        return [chunk async for chunk in chunks]


@each_case("before", [[], ['{"queue_position": 2}', '{"queue_position": 1}']])
def test_an_answer_comes_as_it_is_in_chunks_whether_somebody_waited_or_not(before):
    expected = "".join(f"{line}\n" for line in [*before, ANSWER]).encode()
    plain, zipped = (run(sent, body, *before, compress(ANSWER)) for body in (plain_body, gzip_body))
    assert b"".join(plain) == expected
    assert zlib.decompress(b"".join(zipped), wbits=31) == expected
    assert len(plain) > 5 and max(map(len, [*plain, *zipped])) <= CHUNK_BYTES


def test_an_answer_that_comes_at_once_is_not_compressed_again(monkeypatch):
    answer = compress(ANSWER)
    monkeypatch.setattr(ask_module.zlib, "compressobj", None)
    assert b"".join(run(sent, gzip_body, answer)) == answer.data
    assert str(answer) == ANSWER and len(answer) < len(ANSWER) / 2


class Long(AnswerService):
    """Answers with more than a system buffers."""

    answer = compress(json.dumps("x" * 30_000_000))

    def __init__(self):
        self.left = Event()

    async def lines(self, asked, address):
        try:
            yield self.answer
        finally:
            self.left.set()

    def health(self):
        return {}


@contextmanager
def serving(answering) -> Iterator[int]:
    """A port."""
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes(answering)), port=0, log_level="critical"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)


def test_whoever_does_not_read_the_answer_is_left(monkeypatch):
    monkeypatch.setattr(http, "SEND_TIMEOUT_SECONDS", 0.3)
    long, body = Long(), json.dumps({"question": "long", "arguments": [], "language": "en"}).encode()
    head = f"POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with serving(long) as port, socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head.encode() + body)
        assert long.left.wait(20)
        answer = b"".join(iter(lambda: connection.recv(1_000_000), b""))  # until the server hangs up
    assert answer.startswith(b"HTTP/1.1 200 ") and len(answer) < 30_000_000
