"""The route by which the page trains a toy, with processes that only pretend."""

import tempfile
from collections.abc import Iterator

import pytest
from cases import each_case
from fake_workshop import Process
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server.http import MAX_REQUEST_BYTES
from explorer.server.toys import toy_routes
from explorer.toys.report import Report
from explorer.toys.training import Training
from explorer.toys.workshop import Limits, Workshop

BEGIN = {"wish": "begin", "language": "en", "visitor": "ann", "config": {"task": "sort", "layers": 1}}
SEEN = {"source": ["1"], "fed": ["<s>"], "right": ["1"], "predicted": ["2"], "weights": {"cross": [[[[1.0]]]]}}


@pytest.fixture
def workshop(tmp_path, monkeypatch) -> Iterator[Workshop]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def start(self, assignment, told, ended):
        self.process, self.state = Process(), "starting"
        self.folder.mkdir()

    monkeypatch.setattr(Training, "start", start)
    monkeypatch.setattr(Training, "send", lambda self, line: None)
    workshop = Workshop(Limits(max_waiting=1))
    yield workshop
    workshop.close()


@pytest.fixture
def visitor(workshop) -> TestClient:
    return TestClient(Starlette(routes=toy_routes(workshop)))


def report(workshop: Workshop, key: str, number: int, state: str = "learning", why: str | None = None) -> None:
    figures = {"step": 20, "seconds": 1.5, "examples": 9, "loss": 1.0, "test_loss": 2.0, "right": 0.5}
    more = {"pieces_right": 0.9, "saved": state != "learning", "seen": SEEN}
    told = Report.model_validate({"number": number, "state": state, "why": why, **figures, **more})
    workshop.on_report(key, workshop.trainings[key], told)


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
    report(workshop, key, 1)
    report(workshop, key, 2)
    looked = said(visitor, wish="look", key=key, since=1)
    assert looked["points"] == [[20, 1.5, 9, 1.0, 2.0, 0.5]] and looked["seen"] == SEEN
    assert said(visitor, wish="look", key=key, since=2)["points"] == []
    assert said(visitor, wish="stop", key=key)["state"] == "learning"  # until its process says so
    report(workshop, key, 3, "stopped")
    assert said(visitor, wish="look", key=key)["saved"]
    assert said(visitor, wish="go on", key=key)["state"] == "learning"
    assert said(visitor, wish="leave", key=key) == {"left": True}
    assert "given up" in said(visitor, wish="look", key=key)["error"]


def test_beginning_anew_gives_up_the_training_before_and_what_is_finished_can_be_stopped(visitor, workshop):
    before = said(visitor, **BEGIN)["key"]
    key = said(visitor, **{**BEGIN, "visitor": "ann, loaded anew", "key": before})["key"]
    assert "began another" in said(visitor, wish="look", key=before)["error"]
    report(workshop, key, 1, "finished", "reached")
    for wish in ("stop", "go on"):
        assert said(visitor, wish=wish, key=key)["saved"]


def test_who_waits_is_told_so_in_his_language_and_too_many_are_refused(visitor):
    said(visitor, **BEGIN)
    second = said(visitor, **{**BEGIN, "visitor": "bob", "language": "de"})
    assert (second["state"], second["sentence"]) == ("waiting", "Wartet: Dieses Training beginnt als nächstes.")
    assert said(visitor, **{**BEGIN, "visitor": "eve"})["error"].startswith("As many trainings wait")


@each_case(
    ("wanted", "sentence"),
    [
        ({"wish": "sing", "language": "en"}, "wish: input should be 'begin', 'look', "),
        ({"wish": "begin", "language": "xx"}, "the language must be one of en, de, zh."),
        (
            {"wish": "begin", "language": "en", "config": {"layers": 4}},
            "layers: input should be less than or equal to",
        ),
        ({"wish": "look", "language": "en", "key": "k" * 61}, "key: string should have at most 60 characters"),
        ({"wish": "look", "language": "en", "key": "guessed"}, "There is no such training."),
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
