"""Classes on the server: who may do what, what pages are told, and when a class ends."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from cases import each_case
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.server import class_keys, words
from explorer.server import class_state as rules
from explorer.server.class_keys import CodeDerivations, TooManyKeys, code_of, new_key
from explorer.server.class_routes import class_link, class_routes
from explorer.server.class_state import Classroom, Classrooms
from explorer.server.polls import Question
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.errors import UserError

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
    assert client.post(path, json={"language": "en", "action": "open", "key": made["key"]}).status_code == 200
    return path, made["key"]


async def connected(classroom: Classroom, *pages: str, client: str = "") -> list[AsyncGenerator[bytes | None, None]]:
    """The streams of pages, each behind its first state."""
    streams = [classroom.states(page, client, follows=True) for page in pages]
    for stream in streams:
        await anext(stream)
    return streams


async def last_state(stream: AsyncGenerator[bytes | None, None]) -> dict:
    """What a stream says before it ends."""
    return json.loads([state async for state in stream if state][-1])


def act(client: TestClient, begun: tuple[str, str], name: str, **more) -> dict:
    """An action of the teacher."""
    return client.post(begun[0], json={"language": "en", "action": name, "key": begun[1], **more}).json()


def test_a_class_can_be_opened_again_by_its_key_alone(client, classrooms, begun):
    path, key = begun
    code = path.removeprefix("/class/")
    assert code == code_of(key) and code_of(new_key()) != code and set(code) <= set(class_keys.LETTERS)
    act(client, begun, "show", place={"step": "3"})
    act(client, begun, "open")
    assert classrooms.classrooms[code].parts == {"step": "3"}
    classrooms.classrooms.clear()  # as after a restart
    assert client.post(path, json={"language": "en", "action": "status", "key": key}).status_code == 404
    refused = client.post(path, json={"language": "de", "action": "open", "key": new_key()})
    assert refused.status_code == 403 and refused.json()["error"] == "Das kann nur die Seite der Lehrkraft."
    assert act(client, begun, "open") == {"sentences": [], "polls": []} and code in classrooms.classrooms


@each_case("name", ["show", "ask", "status", "end"])
def test_only_the_teacher_leads(client, classrooms, begun, name):
    for key in ("", new_key()):
        refused = client.post(begun[0], json={"language": "en", "action": name, "key": key, "question": ASKED})
        assert refused.status_code == 403
    assert len(classrooms.classrooms) == 1


@each_case(
    ("request_json", "sentence"),
    [
        ({"action": "sing"}, "action: input should be 'find'"),
        ({"action": "ask", "question": {**ASKED, "model": [0.5]}}, "model needs a number for each choice"),
        ({"action": "ask", "question": {**ASKED, "choices": ["a" * 600] * 20, "model": [0] * 20}}, "at most 8000 char"),
        ({"action": "show", "place": {"sentence": "a" * 20_001}}, "place: too long"),
        ({"action": "send", "text": "a" * 401}, "text: string should have at most 400 characters"),
        ({"action": "link", "address": "javascript:alert(1)"}, "begins with http:// or https://"),
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
        assert not classroom.streams

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
            with pytest.raises(UserError, match="has lost its class" if page == "stranger" else "is over"):
                classroom.guess(page, number, choice)
        classroom.reveal()
        shown = classroom.state()["poll"]
        assert shown["counts"] == [0, 2, 0] and shown["model"] == ASKED["model"]
        with pytest.raises(UserError, match="is over"):
            classroom.guess("eve", 1, 0)
        classroom.close_question()
        assert classroom.state()["poll"] is None and classroom.teacher_json()["polls"][0]["counts"] == [0, 2, 0]

    asyncio.run(poll())


def test_sentences_reach_the_teacher_alone_and_a_page_cannot_send_many(classrooms):
    classroom = classrooms.add(new_key())

    async def send() -> None:
        await connected(classroom, "ann", "bob")
        with pytest.raises(UserError, match="cannot send sentences now"):
            classroom.send_sentence("ann", "Too early.")
        classroom.allow_sentences(True)
        for page, text in (("ann", "One."), ("ann", " Two \n lines.\t"), ("ann", "Three."), ("bob", "Mine.")):
            classroom.send_sentence(page, text)
        with pytest.raises(UserError, match="other sentences are still waiting"):
            classroom.send_sentence("ann", "Four.")
        sentences = classroom.teacher_json()["sentences"]
        assert [one["text"] for one in sentences] == ["One.", "Two lines.", "Three.", "Mine."]
        assert all(one.keys() == {"number", "text"} for one in sentences)
        classroom.drop_sentence(1)
        classroom.send_sentence("ann", "Four.")
        classroom.drop_sentences(last=4)  # what the teacher has seen; the fifth came meanwhile
        assert [one["text"] for one in classroom.teacher_json()["sentences"]] == ["Four."]

    asyncio.run(send())


@each_case(
    ("page", "text", "sentence"),
    [
        ("stranger", "Why?", words.CLASS["unconnected"]),
        ("ann", "", words.CLASS["empty"]),
        ("ann", " \u200b\u2063 ", words.CLASS["empty"]),
        ("ann", "a\x1b[31mb", "control character U\\+001B"),
    ],
)
def test_a_sentence_is_sent_from_a_page_of_the_class_and_says_something(classrooms, page, text, sentence):
    classroom = classrooms.add(new_key())

    async def send() -> None:
        await connected(classroom, "ann")
        classroom.allow_sentences(True)
        with pytest.raises(UserError, match=sentence):
            classroom.send_sentence(page, text)

    asyncio.run(send())
    classrooms.end(classroom.code)


def test_one_client_cannot_keep_others_from_the_list_of_sentences(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "MAX_SENTENCES", 4)
    classroom = classrooms.add(new_key())

    async def send() -> None:
        await connected(classroom, "a", "b", client="flooder")
        await connected(classroom, "ann", client="honest")
        classroom.allow_sentences(True)
        for page in ("a", "a", "b", "b"):
            classroom.send_sentence(page, "Spam.", "flooder")
        with pytest.raises(UserError, match="list is full"):
            classroom.send_sentence("a", "More.", "flooder")
        classroom.send_sentence("ann", "Why?", "honest")
        assert [sentence.text for sentence in classroom.sentences] == ["Spam."] * 3 + ["Why?"]

    asyncio.run(send())


def test_a_class_ends_two_hours_after_the_last_sign_of_life(classrooms, clock, caplog):
    used, idle = classrooms.add(new_key()), classrooms.add(new_key())
    clock[0] = rules.IDLE_SECONDS
    classrooms.find(used.code)
    classrooms.end_idle()
    assert len(classrooms.classrooms) == 2
    clock[0] += 1
    classrooms.end_idle()
    assert idle.is_over and [*classrooms.classrooms] == [used.code]


def test_there_are_only_so_many_questions(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "MAX_QUESTIONS", 1)
    classroom = classrooms.add(new_key())

    async def fill() -> None:
        classroom.ask(Question.model_validate(ASKED))
        with pytest.raises(UserError, match="at most 1 questions"):
            classroom.ask(Question.model_validate(ASKED))

    asyncio.run(fill())


def test_one_client_cannot_keep_others_from_a_class(classrooms, monkeypatch):
    """In a full class the oldest stream of the client that has most gives way; the teacher's is not counted."""
    monkeypatch.setattr(rules, "MAX_PAGES", 4)
    classroom = classrooms.add(new_key())

    async def fill() -> None:
        classroom.know_teacher("teacher")
        flood = await connected(classroom, "a", "b", "c", client="flooder")
        (ann,) = await connected(classroom, "ann", client="honest")
        await connected(classroom, "teacher", "teacher", client="school")
        assert len(classroom.streams) == 6
        await connected(classroom, "bob", client="school")
        assert await last_state(flood[0]) == {"displaced": True}
        await connected(classroom, "d", client="flooder")
        assert await last_state(flood[1]) == {"displaced": True}
        pages = [stream.page for stream in classroom.streams]
        assert pages == ["c", "ann", "teacher", "teacher", "bob", "d"] and await anext(ann)

    asyncio.run(fill())


def test_one_client_has_only_so_many_guesses(classrooms, monkeypatch):
    """Pages that come, guess and go are forgotten first where one client has made up many."""
    monkeypatch.setattr(rules, "MAX_PAGES", 3)
    classroom = classrooms.add(new_key())

    async def flood() -> None:
        await connected(classroom, "ann", client="honest")
        classroom.ask(Question.model_validate(ASKED))
        classroom.guess("ann", 1, 1, "honest")
        for i in range(10):
            (stream,) = await connected(classroom, f"made up {i}", client="flooder")
            classroom.guess(f"made up {i}", 1, 0, "flooder")
            await stream.aclose()
        assert [*classroom.polls[0].guesses] == ["ann", "made up 8", "made up 9"]
        for page in ("bob", "eve"):
            await connected(classroom, page, client=page)
            classroom.guess(page, 1, 2, page)
        assert [*classroom.polls[0].guesses] == ["made up 9", "bob", "eve"]  # where each has one, the oldest

    asyncio.run(flood())


def test_a_class_of_many_clients_takes_no_more(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "MAX_PAGES", 2)
    classroom = classrooms.add(new_key())

    async def fill() -> None:
        await connected(classroom, "ann", client="one")
        classroom.require_room("bob", "another")
        await connected(classroom, "bob", client="another")
        with pytest.raises(UserError, match="takes no more"):
            classroom.require_room("eve", "a third")
        classroom.require_room("ann", "one")  # its own old one gives way
        classroom.know_teacher("teacher")
        classroom.require_room("teacher", "a third")

    asyncio.run(fill())


def test_a_page_has_few_streams_and_the_oldest_gives_way(classrooms):
    classroom = classrooms.add(new_key())

    async def reload() -> None:
        streams = await connected(classroom, *["ann"] * (rules.MAX_STREAMS_PER_PAGE + 1))
        assert await last_state(streams[0]) == {"displaced": True} and await anext(streams[1])
        assert len(classroom.streams) == rules.MAX_STREAMS_PER_PAGE

    asyncio.run(reload())


def test_a_class_without_a_stream_gives_way_to_a_new_one(classrooms, clock, monkeypatch):
    monkeypatch.setattr(rules, "MAX_CLASSES", 2)
    unused, used = classrooms.add(new_key()), classrooms.add(new_key())

    async def begin() -> None:
        await connected(used, "ann")
        clock[0] = rules.UNUSED_SECONDS
        with pytest.raises(UserError, match="runs 2 classes"):
            classrooms.add(new_key())
        clock[0] += 1
        made = classrooms.add(new_key())
        assert unused.is_over and [*classrooms.classrooms] == [used.code, made.code]

    asyncio.run(begin())


def test_one_client_cannot_take_all_classes(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "MAX_CLASSES", 3)
    monkeypatch.setattr(rules, "MAX_CLASSES_PER_CLIENT", 1)
    honest = classrooms.add(new_key(), client="school")
    flood = [classrooms.add(new_key(), client="flooder") for _ in range(2)]

    async def begin() -> None:
        await connected(flood[0], "ann")
        with pytest.raises(UserError, match="runs 3 classes"):
            classrooms.add(new_key(), client="flooder")
        classrooms.add(new_key(), client="another")
        assert flood[1].is_over and not flood[0].is_over and not honest.is_over

    asyncio.run(begin())


def test_a_client_can_try_only_so_many_keys(clock, monkeypatch):
    """A key costs the server 10 ms: beyond a burst the client waits for its turn, and then is sent away."""
    monkeypatch.setattr(class_keys, "BURST", 2)
    derivations = CodeDerivations(lambda: clock[0])
    waits = [derivations.seconds_to_wait("flooder") for _ in range(4)]
    assert waits == pytest.approx([0, 0, class_keys.INTERVAL_SECONDS, 2 * class_keys.INTERVAL_SECONDS])
    with pytest.raises(TooManyKeys, match="Try again in 5 seconds"):
        [derivations.seconds_to_wait("flooder") for _ in range(100)]
    assert derivations.seconds_to_wait("honest") == 0
    clock[0] += 60
    assert derivations.seconds_to_wait("flooder") == 0


def test_false_keys_are_bounded_over_http(client, monkeypatch):
    monkeypatch.setattr(class_keys, "BURST", 1)
    monkeypatch.setattr(class_keys, "MAX_WAIT_SECONDS", 0.1)
    body = {"language": "de", "action": "open", "key": new_key()}
    assert [client.post("/class/ABCDEF", json=body).status_code for _ in range(2)] == [403, 429]


def test_a_state_is_encoded_once_for_all_pages(classrooms, monkeypatch):
    classroom = classrooms.add(new_key())
    encoded = []
    monkeypatch.setattr(rules, "GATHER_SECONDS", 0.0)
    monkeypatch.setattr(Classroom, "state", lambda self: encoded.append(self.parts) or {"place": self.parts})

    async def step() -> None:
        streams = await connected(classroom, *map(str, range(3 * rules.WAKE_BATCH)))
        await asyncio.sleep(0)  # those that have come are told of
        classroom.show({"step": "2"})
        states = [await anext(state async for state in stream if state and b"2" in state) for stream in streams]
        assert len({*states}) == 1 and encoded.count({"step": "2"}) == 1

    asyncio.run(step())


def test_streams_end_with_the_server(classrooms):
    classroom = classrooms.add(new_key())

    async def stop() -> None:
        streams = await connected(classroom, "ann", "bob")
        classrooms.stop()
        assert [[state async for state in stream] for stream in streams] == [[], []]

    asyncio.run(stop())


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


@each_case("address", ["http://[::1", "http://a:99999/", "http://a:x/", "ftp://a", "http://", ""])
def test_a_link_that_is_none_is_refused_in_the_language_of_the_page(client, begun, address):
    for language in LANGUAGES:
        refused = client.post(begun[0], json={"language": language, "action": "link", "address": address})
        with use_language(LanguageContext(language)):
            assert refused.json() == {"error": words.CLASS["address"]}


@each_case(
    ("language", "browser", "said", "fault"),
    [("de", "zh", "de", "/action"), ("zh", "de", "zh", "/action"), ("xx", "de", "de", "/language")],
)
def test_a_malformed_wish_is_refused_in_the_language_of_the_page(client, begun, language, browser, said, fault):
    body = {"action": "sing" if fault == "/action" else "status", "language": language}
    refused = client.post(begun[0], json=body, headers={"Accept-Language": browser}).json()
    with use_language(LanguageContext(said)):
        assert refused == {"error": words.REFUSALS["malformed"].format(fault=fault)}
