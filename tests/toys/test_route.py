"""The route by which the page trains a toy, with processes that only pretend."""

import pytest
from cases import each_case
from fake_workshop import FakeWorkshop
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server.http import MAX_REQUEST_BYTES
from explorer.server.toys import toy_routes

BEGIN = {"action": "begin", "language": "en", "visitor": "ann", "config": {"task": "sort", "layers": 1}}
SEEN = {"source": ["1"], "fed": ["<s>"], "right": ["1"], "predicted": ["2"], "weights": {"cross": [[[[1.0]]]]}}


@pytest.fixture
def workshop(pretended) -> FakeWorkshop:
    return FakeWorkshop(max_waiting=1)


@pytest.fixture
def visitor(workshop) -> TestClient:
    return TestClient(Starlette(routes=toy_routes(workshop)))


def said(client: TestClient, **wanted) -> dict:
    answer = client.post("/toys", json={"language": "en", "visitor": "ann", **wanted})
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def test_a_training_is_begun_looked_at_stopped_and_left(visitor, workshop):
    begun = said(visitor, **BEGIN)
    key = begun["key"]
    assert (begun["state"], begun["about"], begun["points"], begun["seen"]) == (
        "starting",
        "Sort, 1 layer, 2 heads",
        [],
        None,
    )
    for number in (1, 2):
        workshop.report(key, number=number, seen=SEEN)
    looked = said(visitor, action="status", key=key, since=1)
    assert looked["points"] == [[20, 1.0, 9, 1.0, 2.0, 0.5]] and looked["seen"] == SEEN
    assert said(visitor, action="status", key=key, since=2)["points"] == []
    assert said(visitor, action="stop", key=key)["state"] == "learning"  # until its process says so
    workshop.report(key, "stopped", number=3)
    assert said(visitor, action="status", key=key)["saved"]
    assert said(visitor, action="go on", key=key)["state"] == "learning"
    assert said(visitor, action="leave", key=key) == {"left": True}
    assert "given up" in said(visitor, action="status", key=key)["error"]


def test_beginning_anew_gives_up_the_training_before_and_what_is_finished_can_be_stopped(visitor, workshop):
    before = said(visitor, **BEGIN)["key"]
    key = said(visitor, **{**BEGIN, "visitor": "ann, loaded anew", "key": before})["key"]
    assert "started another" in said(visitor, action="status", key=before)["error"]
    workshop.report(key, "finished", why="reached")
    for action in ("stop", "go on"):
        assert said(visitor, action=action, key=key)["saved"]


def test_who_waits_is_told_so_in_his_language_and_too_many_are_refused(visitor):
    said(visitor, **BEGIN)
    second = said(visitor, **{**BEGIN, "visitor": "bob", "language": "de"})
    assert (second["state"], second["sentence"]) == ("waiting", "Wartet: Dieses Training beginnt als nächstes.")
    assert said(visitor, **{**BEGIN, "visitor": "eve"})["error"].startswith("The queue is full")


@each_case(
    ("wanted", "sentence"),
    [
        ({"action": "sing", "language": "en"}, "action: input should be 'begin', 'status', "),
        ({"action": "begin", "language": "xx"}, "the language must be one of en, de, zh."),
        (
            {"action": "begin", "language": "en", "config": {"layers": 4}},
            "layers: input should be less than or equal to",
        ),
        ({"action": "status", "language": "en", "key": "k" * 61}, "key: string should have at most 60 characters"),
        ({"action": "status", "language": "en", "key": "guessed"}, "There is no such training."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(visitor, workshop, wanted, sentence):
    answer = visitor.post("/toys", json=wanted)
    assert answer.status_code == 400 and sentence in answer.json()["error"]
    assert not workshop.trainings


def test_what_is_too_large_or_no_json_is_refused(visitor, workshop):
    for content, kind, status in (
        (b"x" * (MAX_REQUEST_BYTES + 1), "application/json", 413),
        (b"{", "application/json", 400),
        (b"{}", "text/plain", 400),
    ):
        assert visitor.post("/toys", content=content, headers={"content-type": kind}).status_code == status
    assert visitor.get("/toys").status_code == 405
    assert not workshop.trainings
