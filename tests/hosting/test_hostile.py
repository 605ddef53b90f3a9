"""Clients that mean no good: slow ones, lying ones; and that nothing said is written down."""

import asyncio
import json
import logging
import re
import socket
from urllib.parse import urlsplit

import pytest
from cases import each_case
from serving import PATIENCE, get, post
from starlette.requests import Request

from explorer.handout.inline import document
from explorer.server import class_keys, http, join, words
from explorer.server.log import JsonFormatter, PlainFormatter
from explorer.server.security_headers import PAGE_POLICY, PLAIN_POLICY
from explorer.site import site
from explorer.ui.component import PLOTLY_JS, url

QUESTION = {"question": "translate", "arguments": ["The cat sleeps."], "language": "en"}
JSON = "Content-Type: application/json\r\n"
CALL = '{"data": ["The cat sleeps."]}'
SAFE = {"x-content-type-options": "nosniff", "referrer-policy": "same-origin"}  # addresses hold sentences
OF_THIS_PAGE = {"'self'", "'none'", "data:", "blob:"}


def said(address: str, *parts: bytes, wait: float = PATIENCE) -> bytes:
    """What a server answers to bytes sent one part after the other, until it hangs up."""
    place = urlsplit(address)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=wait) as connection:
        for part in parts:
            connection.sendall(part)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def head(length: int, more: str = "") -> bytes:
    return f"POST /ask HTTP/1.1\r\nHost: localhost\r\n{JSON}{more}Content-Length: {length}\r\n\r\n".encode()


def error_in(answer: bytes) -> str:
    return json.loads(answer.partition(b"\r\n\r\n")[2])["error"]


@each_case("sent", [b"", b'{"question": '])
def test_whoever_never_says_his_question_is_sent_away(toy_page, monkeypatch, sent):
    monkeypatch.setattr(http, "READ_TIMEOUT_SECONDS", 0.5)
    answer = said(toy_page, head(500), *(bytes([letter]) for letter in sent))
    assert answer.startswith(b"HTTP/1.1 408 ") and b"connection: close" in answer.lower()
    assert error_in(answer) == words.REFUSALS["slow"].format(seconds=0.5)


def test_whoever_leaves_amid_his_question_leaves_no_trace_in_the_log(toy_page, capfd, caplog):
    place = urlsplit(toy_page)
    with socket.create_connection((place.hostname or "", place.port or 0)) as connection:
        connection.sendall(head(500) + b'{"question"')
    assert post(f"{toy_page}ask", json=QUESTION).status_code == 200  # the next one is answered
    assert "Traceback" not in "".join(capfd.readouterr()) + caplog.text


def test_a_large_question_is_refused_unread(toy_page):
    for length, status in (
        (http.MAX_REQUEST_BYTES + 1, b"413"),
        (10_000_000, b"413"),
        (10**30, b"400"),
    ):  # the last by h11
        answer = said(toy_page, head(length))
        assert answer.split()[1] == status and b"connection: close" in answer.lower()


@each_case("kind", ["", "application/jsonx"])
def test_a_question_is_sent_as_json(toy_page, kind):
    body = json.dumps(QUESTION)
    answer = post(f"{toy_page}ask", content=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()) == (400, {"error": words.REFUSALS["json"]})
    assert post(f"{toy_page}gradio_api/call/translate", content=CALL, headers={"Content-Type": kind}).is_client_error
    answer = post(f"{toy_page}ask", content=body, headers={"Content-Type": "Application/JSON ; charset=utf-8"})
    assert answer.status_code == 200


def test_whoever_refuses_gzip_gets_none_from_anyone(toy_page):
    for answer in (
        post(f"{toy_page}ask", json=QUESTION, headers={"Accept-Encoding": "gzip;q=0"}),
        get(toy_page, headers={"Accept-Encoding": "gzip;q=0"}),
    ):
        assert answer.status_code == 200 and "content-encoding" not in answer.headers


@each_case("path", ["", "de", "nothing", url(PLOTLY_JS)[2:]])
def test_every_answer_says_that_it_is_what_it_says(toy_page, path):
    headers = get(f"{toy_page}{path}").headers
    assert {name: headers[name] for name in SAFE} == SAFE
    assert headers.get("content-security-policy") == (PAGE_POLICY if path in ("", "de") else None)


def policies() -> dict[str, str]:
    (report,) = re.findall(r'Content-Security-Policy" content="([^"]*)', document("", "", "run();"))
    served = {"page": PAGE_POLICY, "document": PLAIN_POLICY, "join": join.POLICY}
    return {**served, "folder": site.POLICY.format(scripts="'sha256-x'"), "report": report}


def test_no_page_may_reach_another_machine_or_run_what_is_not_its_own():
    for name, policy in policies().items():
        directives = {directive: {*sources} for directive, *sources in map(str.split, policy.strip("; ").split(";"))}
        scripts, styles = directives.pop("script-src", set()), directives.pop("style-src")
        assert directives.keys() >= {"default-src", "base-uri", "form-action"}, name  # the last two have no default
        assert set().union(*directives.values()) <= OF_THIS_PAGE, name
        assert styles <= OF_THIS_PAGE | {"'unsafe-inline'"}, name
        unsafe = {"'unsafe-inline'", "'unsafe-eval'"} if name == "page" else set()  # Gradio needs both
        assert {source for source in scripts if not source.startswith("'sha256-")} <= {"'self'", "blob:", *unsafe}, name


def answered(address: str, endpoint: str, *data: object) -> str:
    """What Gradio's own endpoint says."""
    event = post(f"{address}gradio_api/call/{endpoint}", json={"data": data}).json()["event_id"]
    return get(f"{address}gradio_api/call/{endpoint}/{event}").text


def test_what_is_typed_is_nowhere_written_down(toy_page, capfd, caplog):
    for client in ("httpx", "httpcore"):  # this test's own
        caplog.set_level(logging.WARNING, client)
    caplog.set_level(logging.INFO)
    word = "Secretbird"
    typed = f"The {word} sleeps.", f"\x1b[31m{word}\nforged line", f"{word} " * 200
    for text in typed:
        for question, arguments in (
            ("translate", [text]),
            (word, [text]),
            ("translate", [text, 1]),
            ("translate", [{text: text}]),
        ):
            post(
                f"{toy_page}ask", json={"question": question, "arguments": arguments, "language": "en", "visitor": word}
            )
        get(toy_page, params={"sentence": text, "lang": word})
        answered(toy_page, "translate", text)
        assert "error" in answered(toy_page, "attention", text, text, None, None)
    assert "translation" in caplog.messages  # something is
    told = [f"{record.name} {record.getMessage()} {vars(record)}" for record in caplog.records]
    assert word not in "".join([*told, *capfd.readouterr()])
    assert not logging.getLogger("uvicorn.access").isEnabledFor(logging.INFO)


def test_a_line_of_the_log_is_one_line_of_what_can_be_read():
    record = logging.LogRecord("x", logging.INFO, "", 0, "a\nforged \x1b[31m", (), None)
    record.facts = {"name": "b\r\n\x07"}
    for form in (PlainFormatter(), JsonFormatter()):
        assert form.format(record).isprintable()


def test_a_body_without_a_length_is_refused_once_it_is_too_large():
    chunks = 0

    async def receive() -> dict[str, object]:
        nonlocal chunks
        chunks += 1
        return {"type": "http.request", "body": bytes(http.MAX_REQUEST_BYTES // 2), "more_body": chunks < 5}

    with pytest.raises(http.RequestError) as refused:
        asyncio.run(http.read_body(Request({"type": "http", "method": "POST", "headers": []}, receive)))
    assert refused.value.status == 413 and chunks == 3


def test_clients_behind_a_proxy_on_this_machine_are_told_apart(toy_page, monkeypatch):
    monkeypatch.setattr(class_keys, "BURST", 1)
    monkeypatch.setattr(class_keys, "INTERVAL_SECONDS", 1000)
    begun = [
        post(f"{toy_page}class", json={"language": "en"}, headers={"X-Forwarded-For": address}).status_code
        for address in ("10.0.0.1", "10.0.0.1", "10.9.9.9, 10.0.0.1", "10.0.0.2")
    ]
    assert begun == [200, 429, 429, 200]
