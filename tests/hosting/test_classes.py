"""Classes on the server: who may do what, what pages are told, and when a class ends."""

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from html import escape

import pytest
from cases import each_case
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.__main__ import parse
from explorer.page import words as page_words
from explorer.page.toolbar import classroom_html
from explorer.server import class_keys, class_pages, words
from explorer.server import class_state as rules
from explorer.server.class_keys import CodeDerivations, TooManyKeys, code_of, new_key
from explorer.server.class_pages import Visit
from explorer.server.class_routes import class_link, class_routes
from explorer.server.class_state import Classroom, Classrooms
from explorer.server.join import POLICY
from explorer.server.polls import Question
from explorer.server.start import load_app
from explorer.ui.language import LANGUAGES, LanguageContext, tag_of, use_language
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


async def is_there() -> bool:
    """Whether a client has hung up: it has not."""
    return False


async def told(classroom: Classroom, visit: Visit) -> dict:
    """What a page is told."""
    return json.loads(await classroom.next_state(visit, is_there))


async def join(classroom: Classroom, *pages: str, client: str = "", is_teacher: bool = False) -> None:
    """Pages, each in a browser of its own name, that have got a state."""
    for page in pages:
        visit = Visit(page, browser=page, client=client, is_teacher=is_teacher)
        await classroom.next_state(visit, is_there)
        await classroom.next_state(replace(visit, number=0), is_there)


def waiting(classroom: Classroom, page: str, browser: str = "", **more) -> asyncio.Task[dict]:
    """A request that waits for a change, under way."""
    visit = Visit(page, browser or page, number=classroom.number, wait_seconds=20, **more)
    return asyncio.create_task(told(classroom, visit))


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
        ({"action": "sing"}, "action: input should be 'state'"),
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


def test_a_page_is_told_that_there_is_no_such_class_or_that_it_is_over(client, begun):
    ask = {"language": "en", "action": "state", "page": "a", "browser": "a"}
    assert client.post("/class/ABCDEF", json=ask).status_code == 404
    assert client.post(begun[0], json=ask).json()["state"]["place"] is None
    act(client, begun, "end")
    assert client.post(begun[0], json=ask).status_code == 410


def test_only_the_key_makes_a_page_the_teachers(client, begun):
    ask = {"language": "en", "action": "state", "page": "a", "browser": "a"}
    assert client.post(begun[0], json={**ask, "key": new_key()}).status_code == 403
    client.post(begun[0], json={**ask, "key": begun[1]})
    assert client.post(begun[0], json={**ask, "page": "b"}).json()["state"]["led"]


def test_pages_are_told_of_every_change_and_of_the_end(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "GATHER_SECONDS", 0.0)
    classroom = classrooms.add(new_key())

    async def watch() -> None:
        visit = Visit("ann", "ann")
        answer = await told(classroom, visit)
        assert answer["state"]["place"] is None and answer["state"]["following"] == 0  # it might not reach the page
        visit = replace(visit, number=answer["number"], wait_seconds=20)
        answer = await told(classroom, visit)
        assert answer["state"]["following"] == 1
        asked = asyncio.create_task(told(classroom, replace(visit, number=answer["number"])))
        await asyncio.sleep(0)
        assert not asked.done()
        classroom.show({"step": "2"})
        assert (await asked)["state"]["place"] == {"step": "2"}
        classroom.show({"step": "3"})
        classroom.show({"step": "4"})
        answer = await told(classroom, visit)
        assert answer["state"]["place"] == {"step": "4"}  # the one between is out of date
        asked = asyncio.create_task(told(classroom, replace(visit, number=answer["number"])))
        await asyncio.sleep(0)
        classrooms.end(classroom.code)
        assert await asked == {"over": True}

    asyncio.run(watch())


def test_where_nothing_changes_a_page_is_told_so_after_the_time_that_it_wants(classrooms, monkeypatch):
    monkeypatch.setattr(class_pages, "LOOK_SECONDS", 0.001)
    classroom = classrooms.add(new_key())

    async def wait() -> None:
        await join(classroom, "ann")
        classroom.notify()
        answer = await told(classroom, Visit("ann", "ann", number=classroom.number, wait_seconds=1))
        assert answer.keys() == {"number", "choice", "held", "again"} and answer["number"] == classroom.number

    with suppress(asyncio.CancelledError):
        asyncio.run(wait())


def test_one_request_of_a_browser_waits_and_its_other_pages_ask_again(classrooms):
    """Or six pages of a class would take the six connections that a browser opens to one server."""
    classroom = classrooms.add(new_key())

    async def open_pages() -> None:
        await join(classroom, "one", "two", "else")
        classroom.notify()
        first = waiting(classroom, "one", "browser")
        other = waiting(classroom, "else", "another browser")
        await asyncio.sleep(0)
        second = await asyncio.wait_for(waiting(classroom, "two", "browser"), 5)
        assert second["again"] == class_pages.AGAIN_SECONDS and "state" not in second
        assert not first.done() and not other.done()
        again = waiting(classroom, "one", "browser")  # its connection was gone
        assert (await asyncio.wait_for(first, 5))["again"] == 0
        classroom.show({"step": "2"})
        assert (await again)["state"]["following"] == 2  # browsers
        await other

    asyncio.run(open_pages())


def test_a_page_that_is_silent_is_gone(classrooms, clock, monkeypatch):
    """Closed, asleep, or behind a connection that died: the class counts it no longer, and knows that nobody leads."""
    monkeypatch.setattr(rules, "GATHER_SECONDS", 0.0)
    classroom = classrooms.add(new_key())

    async def fall_asleep() -> None:
        await join(classroom, "teacher", is_teacher=True)
        await join(classroom, "ann", "bob")
        clock[0] += class_pages.SILENT_SECONDS
        await join(classroom, "ann")
        assert (classroom.state()["following"], classroom.state()["led"]) == (3, True)
        classroom.notify()
        asked = waiting(classroom, "ann")
        await asyncio.sleep(0)
        clock[0] += 1
        classroom.look_around()
        state = (await asked)["state"]
        assert (state["following"], state["led"]) == (1, False)

    asyncio.run(fall_asleep())


def test_a_page_that_asks_and_is_not_reached_does_not_count(classrooms, clock):
    """As behind a filter that lets its requests out, and no response in."""
    classroom = classrooms.add(new_key())

    async def ask_in_vain() -> None:
        await join(classroom, "ann", "bob")
        old = classroom.number
        classroom.show({"step": "2"})
        for _ in range(5):
            clock[0] += 5
            await told(classroom, Visit("ann", "ann", number=old))
            await told(classroom, Visit("bob", "bob", number=classroom.number))
        assert classroom.state()["following"] == 1

    asyncio.run(ask_in_vain())


def test_a_request_whose_client_has_hung_up_waits_no_longer(classrooms, monkeypatch):
    monkeypatch.setattr(class_pages, "LOOK_SECONDS", 0.001)
    classroom = classrooms.add(new_key())

    async def hang_up() -> None:
        async def has_gone() -> bool:
            return True

        await join(classroom, "ann")
        classroom.notify()
        visit = Visit("ann", "ann", number=classroom.number, wait_seconds=20_000)
        await asyncio.wait_for(classroom.next_state(visit, has_gone), 5)
        assert classroom.pages.may_wait(class_pages.Page(Visit("other", "ann"), 0, 0))

    asyncio.run(hang_up())


def test_guesses_are_counted_once_for_each_browser_and_shown_with_the_models_answer(classrooms):
    classroom = classrooms.add(new_key())

    async def poll() -> None:
        await join(classroom, "ann", "bob", "eve")
        classroom.ask(Question.model_validate(ASKED))
        classroom.guess("ann", 1, 0)
        classroom.guess("bob", 1, 1)
        classroom.guess("ann", 1, 1)  # thought better of it
        assert (await told(classroom, Visit("ann's second page", "ann")))["choice"] == 1
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
        await join(classroom, "ann", "bob")
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
        await join(classroom, "ann")
        classroom.allow_sentences(True)
        with pytest.raises(UserError, match=sentence):
            classroom.send_sentence(page, text)

    asyncio.run(send())
    classrooms.end(classroom.code)


def test_one_client_cannot_keep_others_from_the_list_of_sentences(classrooms, monkeypatch):
    monkeypatch.setattr(rules, "MAX_SENTENCES", 4)
    classroom = classrooms.add(new_key())

    async def send() -> None:
        await join(classroom, "a", "b", client="flooder")
        await join(classroom, "ann", client="honest")
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
    classrooms.use(used.code)
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
    """In a full class the oldest page of the client that has most gives way; the teacher's is not counted."""
    monkeypatch.setattr(class_pages, "MAX_PAGES", 4)
    classroom = classrooms.add(new_key())

    async def fill() -> None:
        await join(classroom, "a", "b", "c", client="flooder")
        await join(classroom, "ann", client="honest")
        await join(classroom, "teacher", "at home", client="school", is_teacher=True)
        assert len(classroom.pages) == 6
        classroom.notify()
        displaced = waiting(classroom, "a", client="flooder")
        await asyncio.sleep(0)
        await join(classroom, "bob", client="school")
        assert await displaced == {"displaced": True}
        await join(classroom, "d", client="flooder")
        assert [*classroom.pages.by_name] == ["c", "ann", "teacher", "at home", "bob", "d"]

    asyncio.run(fill())


def test_one_client_has_only_so_many_guesses(classrooms, monkeypatch):
    """Pages that come, guess and go are forgotten first where one client has made up many."""
    monkeypatch.setattr(rules, "MAX_PAGES", 3)
    classroom = classrooms.add(new_key())

    async def flood() -> None:
        await join(classroom, "ann", client="honest")
        classroom.ask(Question.model_validate(ASKED))
        classroom.guess("ann", 1, 1, "honest")
        for i in range(10):
            await join(classroom, f"made up {i}", client="flooder")
            classroom.guess(f"made up {i}", 1, 0, "flooder")
            del classroom.pages.by_name[f"made up {i}"]
        assert [*classroom.polls[0].guesses] == ["ann", "made up 8", "made up 9"]
        for page in ("bob", "eve"):
            await join(classroom, page, client=page)
            classroom.guess(page, 1, 2, page)
        assert [*classroom.polls[0].guesses] == ["made up 9", "bob", "eve"]  # where each has one, the oldest

    asyncio.run(flood())


def test_a_class_of_many_clients_takes_no_more(classrooms, monkeypatch):
    monkeypatch.setattr(class_pages, "MAX_PAGES", 2)
    classroom = classrooms.add(new_key())

    async def fill() -> None:
        await join(classroom, "ann", client="one")
        await join(classroom, "bob", client="another")
        with pytest.raises(UserError, match="takes no more"):
            await join(classroom, "eve", client="a third")
        await join(classroom, "ann's second", client="one")  # its own old one gives way
        await join(classroom, "teacher", client="a third", is_teacher=True)
        assert [*classroom.pages.by_name] == ["bob", "ann's second", "teacher"]

    asyncio.run(fill())


def test_a_class_without_a_page_gives_way_to_a_new_one(classrooms, clock, monkeypatch):
    monkeypatch.setattr(rules, "MAX_CLASSES", 2)
    unused, used = classrooms.add(new_key()), classrooms.add(new_key())

    async def begin() -> None:
        await join(used, "ann")
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
        await join(flood[0], "ann")
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
        names = [*map(str, range(3 * class_pages.WAKE_BATCH))]
        await join(classroom, *names)
        classroom.notify()
        asked = [waiting(classroom, name) for name in names]
        await asyncio.sleep(0)
        classroom.show({"step": "2"})
        assert all([(await one)["state"] == {"place": {"step": "2"}} for one in asked])
        assert encoded.count({"step": "2"}) == 1

    asyncio.run(step())


def test_all_who_wait_are_answered_when_the_server_ends(classrooms):
    classroom = classrooms.add(new_key())

    async def stop() -> None:
        await join(classroom, "ann", "bob")
        classroom.notify()
        asked = [waiting(classroom, name) for name in ("ann", "bob")]
        await asyncio.sleep(0)
        classrooms.stop()
        assert [(await one)["again"] for one in asked] == [class_pages.AGAIN_SECONDS] * 2

    asyncio.run(stop())


@each_case(
    ("address", "hosts", "join", "reachable"),
    [
        ("http://localhost:7860/", ["192.168.1.17"], "192.168.1.17:7860/join", True),
        ("http://127.0.0.1:7860/", [], "127.0.0.1:7860/join", False),
        ("http://[::1]:7860/", ["10.0.0.1"], "10.0.0.1:7860/join", True),
        ("https://school.example/x/", [], "school.example/x/join", True),
        ("http://192.168.1.17:7860/?step=3#a", ["10.0.0.1"], "192.168.1.17:7860/join", True),
    ],
)
def test_the_poster_leads_others_to_this_machine(address, hosts, join, reachable):
    made = class_link("ABCDEF", address, hosts)
    assert (made["join"], made["reachable"]) == (join, reachable) and made["qr"].startswith("<svg")


@each_case("language", LANGUAGES)
def test_a_code_leads_to_the_page_that_follows_its_class(client, begun, language):
    code = begun[0].removeprefix("/class/")
    joining = {"Accept-Language": language}
    page = client.get("/join", headers=joining)
    assert f'lang="{tag_of(language)}"' in page.text and page.headers["content-security-policy"] == POLICY
    found = client.get("/join", params={"class": f" {code[:3].lower()} {code[3:]}"}, follow_redirects=False)
    assert found.headers["location"] == f"./class/{code}"
    asked = client.get(found.headers["location"], params={"lang": language}, follow_redirects=False)
    assert asked.headers["location"] == f"../?class={code}&lang={language}"
    with use_language(LanguageContext(language)):
        for typed in ("NOSUCH", "<b>"):
            refused = client.get("/join", params={"class": typed}, headers=joining)
            assert refused.status_code == 404 and f'value="{escape(typed)}"' in refused.text
            assert escape(words.JOIN["none"].format(code=typed)) in refused.text


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


@pytest.mark.parametrize("begins_class", [True, False])
def test_the_dialog_speaks_of_the_link_in_the_terminal_only_where_a_class_began_with_the_server(begins_class):
    app = load_app(parse("app.py", ["--class"] * begins_class), "cpu")
    hint = f"<p>{page_words.CLASS_HTML['led']}</p>"
    assert (hint in classroom_html(app.begins_class)) == begins_class
