"""Gradio's open endpoints: a malformed call is refused with a sentence, and nothing of it is logged."""

import http.client
import json
import logging
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from cases import each_case
from fuzzing import is_sentence
from serving import PATIENCE, get, post

JSON = {"Content-Type": "application/json"}
EMPTY = b'{"data": []}'
UNPAIRED = rb'"\ud800"'  # half of a surrogate pair, which UTF-8 does not have


@pytest.fixture
def caller(toy_page: str) -> Iterator[http.client.HTTPConnection]:
    """One connection, which a refusal must not end."""
    place = urlsplit(toy_page)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    yield connection
    connection.close()


@each_case(
    ("path", "body", "status"),
    [
        ("call/v2/translate", b'{"x": 1}', 400),
        ("call/v2/translate", b'["A dog."]', 422),
        ("call/v2/js_fn", b"{}", 400),
        ("call/js_fn", EMPTY, 400),
        ("call/translate", b"{", 422),
        *((path, UNPAIRED, 400) for path in ("call/v2/translate", "queue/join", "reset")),
        ("queue/join", b'{"data": [], "session_hash": "a", "fn_index": 99999}', 400),
        ("reset", b"[]", 422),
        ("call/x/x", None, 200),  # a stream, which says that there is no such event
        ("queue/data?session_hash=x", None, 200),
    ],
)
def test_a_malformed_call_is_refused_nothing_is_logged_and_the_connection_is_kept(
    caller, capfd, caplog, path, body, status
):
    caplog.set_level(logging.INFO)
    caller.request("GET" if body is None else "POST", f"/gradio_api/{path}", body, JSON)
    answer = caller.getresponse()
    said = answer.read()
    assert answer.status == status
    if status == 400:
        is_sentence(json.loads(said)["error"], body or b"")
    assert status != 200 or b"404: Not Found" in said
    kept = caller.sock
    caller.request("GET", "/health")
    assert caller.getresponse().read().startswith(b'{"status":"ok"') and caller.sock is kept
    assert "".join([*capfd.readouterr(), caplog.text]) == ""


def test_a_call_with_too_few_arguments_says_so(toy_page):
    path = f"{toy_page}gradio_api/call/translate"
    event = post(path, json={"data": []}).json()["event_id"]
    assert "This takes 1 values, and got 0." in get(f"{path}/{event}").text


def test_a_call_with_named_arguments_is_answered(toy_page):
    path, body = f"{toy_page}gradio_api/call/", {"sentence": "A dog.", "layer": 0, "head": 0}
    event = post(f"{path}v2/attention", json=body).json()["event_id"]
    assert "event: complete" in get(f"{path}attention/{event}").text
