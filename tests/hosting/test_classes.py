"""Classes on the server: who may do what, what pages are told, and when a class ends."""

import asyncio
import json
from contextlib import aclosing

import pytest
from cases import each_case
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server import classroom as rules
from explorer.server.classes import class_link, class_routes
from explorer.server.classroom import Classroom, Classrooms, Question, code_of, new_key

ASKED = {"ask": "Where?", "choices": ["a", "b", "c"], "model": [0.1, 0.7, 0.2]}


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def classrooms(clock: list[float]) -> Classrooms:
    return Classrooms(lambda: clock[0])


@pytest.fixture
def client(classrooms: Classrooms):
    with TestClient(Starlette(routes=class_routes(classrooms, ["192.168.1.17"]))) as client:
        yield client


@pytest.fixture
def begun(client: TestClient) -> tuple[str, str]:
    """The path and the key of a class."""
    made = client.post("/class", json={"language": "en"}).json()
    path = f"/class/{made['code']}"
    assert client.post(path, json={"language": "en", "wish": "open", "key": made["key"]}).status_code == 200
    return path, made["key"]


async def connected(classroom: Classroom, *pages: str) -> None:
    """Connects pages, which stay until the event loop ends."""
    for page in pages:
        await anext(classroom.states(page, follows=True))


def wish(client: TestClient, begun: tuple[str, str], name: str, **more) -> dict:
    """A wish of the teacher."""
    return client.post(begun[0], json={"language": "en", "wish": name, "key": begun[1], **more}).json()


def test_a_class_can_be_opened_again_by_its_key_alone(client, classrooms, begun):
    path, key = begun
    code = path.removeprefix("/class/")
    assert code == code_of(key) and code_of(new_key()) != code and set(code) <= set(rules.LETTERS)
    wish(client, begun, "show", place={"step": "3"})
    wish(client, begun, "open")
    assert classrooms.classrooms[code].place == {"step": "3"}
    classrooms.classrooms.clear()  # as after a restart
    assert client.post(path, json={"language": "en", "wish": "look", "key": key}).status_code == 404
    refused = client.post(path, json={"language": "de", "wish": "open", "key": new_key()})
    assert refused.status_code == 403 and refused.json()["error"] == "Das kann nur die Seite der Lehrkraft."
    assert wish(client, begun, "open") == {"sentences": [], "polls": []} and code in classrooms.classrooms


@each_case("name", ["show", "ask", "look", "end"])
def test_only_the_teacher_leads(client, classrooms, begun, name):
    for key in ("", new_key()):
        refused = client.post(begun[0], json={"language": "en", "wish": name, "key": key, "question": ASKED})
        assert refused.status_code == 403
    assert len(classrooms.classrooms) == 1


@each_case(
    ("request_json", "sentence"),
    [
        ({"wish": "sing"}, "wish: input should be 'open'"),
        ({"wish": "ask", "question": {**ASKED, "model": [0.5]}}, "model needs a number for each choice"),
        ({"wish": "ask", "question": {**ASKED, "choices": ["a" * 600] * 20, "model": [0] * 20}}, "at most 8000 char"),
        ({"wish": "show", "place": {"sentence": "a" * 20_001}}, "place: too long"),
        ({"wish": "send", "text": "a" * 401}, "text: string should have at most 400 characters"),
        ({"wish": "link", "address": "javascript:alert(1)"}, "begins with http:// or https://"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(client, begun, request_json, sentence):
    refused = client.post(begun[0], json={"language": "en", "key": begun[1], **request_json})
    assert refused.status_code == 400 and sentence in refused.json()["error"]


def test_a_page_is_told_that_there_is_no_such_class(client):
    assert client.get("/class/ABCDEF/events?page=a").status_code == 404


def test_pages_are_told_of_every_change_and_of_the_end(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "PING_SECONDS", 0.02)
    monkeypatch.setattr(rules, "GATHER_SECONDS", 0.0)
    classroom = classrooms.add(new_key())

    async def watch() -> None:
        async with aclosing(classroom.states("ann", follows=True)) as states:

            async def following_state() -> dict:
                return json.loads(await anext(state async for state in states if state))

            assert (await following_state())["place"] is None
            classroom.show({"step": "2"})
            state = await following_state()
            assert (state["place"], state["following"]) == ({"step": "2"}, 1)
            assert None in [await anext(states) for _ in range(4)]  # a sign of life
            async with aclosing(classroom.states("bob", follows=False)) as others:
                await anext(others)
                assert (await following_state())["following"] == 1
            classroom.show({"step": "3"})
            classroom.show({"step": "4"})
            assert (await following_state())["place"] == {"step": "4"}  # the one between is out of date
            classrooms.end(classroom.code)
            assert await following_state() == {"over": True}
            with pytest.raises(StopAsyncIteration):
                await anext(states)
        assert not classroom.connections

    asyncio.run(watch())


def test_guesses_are_counted_once_for_each_page_and_shown_with_the_models_answer(classrooms):
    classroom = classrooms.add(new_key())

    async def poll() -> None:
        await connected(classroom, "ann", "bob", "eve")
        classroom.ask(Question.model_validate(ASKED))
        classroom.guess("ann", 1, 0)
        classroom.guess("bob", 1, 1)
        classroom.guess("ann", 1, 1)  # thought better of it
        asked = classroom.state()["poll"]
        assert asked["answers"] == 2 and asked["counts"] is None and "model" not in asked
        for page, number, choice in (("stranger", 1, 0), ("eve", 2, 0), ("eve", 1, 3)):
            with pytest.raises(ValueError, match="has lost the class" if page == "stranger" else "is over"):
                classroom.guess(page, number, choice)
        classroom.reveal()
        shown = classroom.state()["poll"]
        assert shown["counts"] == [0, 2, 0] and shown["model"] == ASKED["model"]
        with pytest.raises(ValueError, match="is over"):
            classroom.guess("eve", 1, 0)
        classroom.close_question()
        assert classroom.state()["poll"] is None and classroom.teacher_json()["polls"][0]["counts"] == [0, 2, 0]

    asyncio.run(poll())


def test_sentences_reach_the_teacher_alone_and_a_page_cannot_send_many(client, begun):
    def send(page: str, text: str) -> str | None:
        body = {"language": "en", "wish": "send", "page": page, "text": text}
        return client.post(begun[0], json=body).json().get("error")

    assert send("ann", "Too early.") == "The class cannot send sentences now."
    wish(client, begun, "allow", allowed=True)
    assert [send("ann", f"Number {i}.") for i in range(3)] == [None] * 3
    assert "still wait" in (send("ann", "One more.") or "") and send("bob", "Mine.") is None
    sentences = wish(client, begun, "look")["sentences"]
    assert [sentence["text"] for sentence in sentences] == ["Number 0.", "Number 1.", "Number 2.", "Mine."]
    assert all(sentence.keys() == {"number", "text"} for sentence in sentences)
    wish(client, begun, "drop", number=sentences[0]["number"])
    assert send("ann", "One more.") is None


def test_a_class_ends_two_hours_after_the_last_sign_of_life(classrooms, clock, caplog):
    used, idle = classrooms.add(new_key()), classrooms.add(new_key())
    clock[0] = rules.IDLE_SECONDS
    classrooms.find(used.code)
    classrooms.end_idle()
    assert len(classrooms.classrooms) == 2
    clock[0] += 1
    classrooms.end_idle()
    assert idle.is_over and [*classrooms.classrooms] == [used.code]


def test_there_are_only_so_many_classes_pages_and_questions(classrooms, monkeypatch):
    for name in ("MAX_CLASSES", "MAX_PAGES", "MAX_QUESTIONS"):
        monkeypatch.setattr(rules, name, 1)
    classroom = classrooms.add(new_key())
    with pytest.raises(ValueError, match="keeps 1 classes"):
        classrooms.add(new_key())

    async def fill() -> None:
        classroom.require_room()
        await connected(classroom, "ann")
        with pytest.raises(ValueError, match="takes no more"):
            classroom.require_room()
        classroom.ask(Question.model_validate(ASKED))
        with pytest.raises(ValueError, match="at most 1 questions"):
            classroom.ask(Question.model_validate(ASKED))

    asyncio.run(fill())


@each_case(
    ("address", "hosts", "link", "reachable"),
    [
        ("http://localhost:7860/", ["192.168.1.17"], "http://192.168.1.17:7860/?class=ABCDEF", True),
        ("http://127.0.0.1:7860/", [], "http://127.0.0.1:7860/?class=ABCDEF", False),
        ("http://[::1]:7860/", ["10.0.0.1"], "http://10.0.0.1:7860/?class=ABCDEF", True),
        ("https://school.example/x/", [], "https://school.example/x/?class=ABCDEF", True),
        ("http://192.168.1.17:7860/?step=3#a", ["10.0.0.1"], "http://192.168.1.17:7860/?class=ABCDEF", True),
    ],
)
def test_the_link_leads_others_to_this_machine(address, hosts, link, reachable):
    made = class_link("ABCDEF", address, hosts)
    assert (made["link"], made["reachable"]) == (link, reachable) and made["qr"].startswith("<svg")
