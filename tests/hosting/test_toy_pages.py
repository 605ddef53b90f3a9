"""Pages below /toy/: what is open there, for whom, for how long, and how many there are."""

import asyncio
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest
from cases import each_case
from serving import PATIENCE, get, post, served
from starlette.middleware import Middleware

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server import toys
from explorer.server.http import MAX_REQUEST_BYTES
from explorer.server.options import max_trainings
from explorer.server.toys import IDLE_SECONDS, MAX_OPEN, OpenToys, ToyPages
from explorer.ui.component import static_files
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Translator

KEY, OTHER = "kEy-1_aaaaaaaaaaaaaaaa", "kEy-2_bbbbbbbbbbbbbbbb"
QUESTION = {"question": "translate", "arguments": ["The cat sleeps."], "language": "en"}
JSON = {"content-type": "application/json"}


class Clock:
    """Seconds that pass when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def keys() -> dict[str, int]:
    """The versions of the models that are there."""
    return {KEY: 7}


@pytest.fixture(scope="module")
def opened(toy: Translator, keys: dict[str, int]) -> OpenToys:
    def found(key: str) -> AppContext:
        return AppContext(Recordings(toy), None, absent_tabs=("lessons",), about=lambda: f"reverse, number {keys[key]}")

    return OpenToys(keys.get, found, Clock())


@pytest.fixture(scope="module")
def visitor(toy: Translator, opened: OpenToys) -> Iterator[httpx.Client]:
    for address in served(toy, middleware=[Middleware(ToyPages, toys=opened)]):
        with httpx.Client(base_url=address, headers={"accept-language": "en"}, timeout=PATIENCE) as client:
            yield client


def test_a_page_stands_below_its_key_and_its_files_are_those_of_the_main_page(visitor):
    found = visitor.get(f"/toy/{KEY}/")
    assert found.status_code == 200 and "Trained here: reverse" in found.text
    assert "connect-src 'self'" in found.headers["content-security-policy"]
    assert "lessons-tab" not in found.text and "whole-tab" in found.text
    assert '"./gradio_api/' not in found.text
    for path in static_files():
        assert visitor.get(f"/toy/{KEY}/../../gradio_api/file={path}").status_code == 200
    assert f'import modules from "../../gradio_api/file={static_files()[0]}"' in found.text
    assert "Zur Hauptseite" in visitor.get(f"/toy/{KEY}/de").text
    answer = visitor.post(f"/toy/{KEY}/ask", json=QUESTION)
    assert answer.status_code == 200 and "steps" in answer.text


def test_a_visitor_is_led_to_his_language_below_the_key(visitor):
    found = visitor.get(f"/toy/{KEY}/", headers={"accept-language": "de"})
    assert (found.status_code, found.headers["location"]) == (307, "./de")


@each_case(
    ("method", "path", "status"),
    [("POST", "gradio_api/upload", 404), ("GET", "gradio_api/info", 404), ("PUT", "", 404), ("GET", "ask", 405)],
)
def test_the_same_doors_are_shut_there(visitor, method, path, status):
    assert visitor.request(method, f"/toy/{KEY}/{path}").status_code == status


def test_a_question_that_is_too_large_or_of_another_site_is_refused_there(visitor):
    large = visitor.post(f"/toy/{KEY}/ask", content=b"x" * (MAX_REQUEST_BYTES + 1), headers=JSON)
    assert large.status_code == 413
    foreign = visitor.post(f"/toy/{KEY}/ask", json=QUESTION, headers={"sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403


@each_case("path", ["", "/toy/", f"/toy/{KEY[:-1]}", f"/toy/{OTHER}/"])
def test_who_guesses_a_key_finds_nothing(visitor, path):
    if not path:
        assert KEY not in visitor.get(path).text  # nothing lists it
    else:
        assert visitor.get(path, follow_redirects=True).status_code == 404


def test_where_there_is_no_model_a_page_says_so_and_leads_back(visitor):
    found = visitor.get(f"/toy/{OTHER}/de")
    assert found.status_code == 404 and "Dieses Modell ist nicht da" in found.text and 'href="/de"' in found.text
    assert visitor.post(f"/toy/{OTHER}/ask", json=QUESTION).json()["error"].startswith("A model that was trained")
    assert "default-src 'none'" in found.headers["content-security-policy"]


def test_without_the_slash_behind_its_key_a_visitor_is_led_to_it(visitor):
    for key in (KEY, "a:b"):
        found = visitor.get(f"/toy/{key}?tab=whole&x=a%20b")
        assert (found.status_code, found.headers["location"]) == (307, f"./{quote(key)}/?tab=whole&x=a%20b")
    assert visitor.post(f"/toy/{KEY}").status_code == 404


@each_case("error", [FileNotFoundError("gone"), CheckpointError("damaged")])
def test_a_model_that_goes_before_it_is_opened_has_no_page(error):
    def found(key: str) -> AppContext:
        raise error

    assert asyncio.run(OpenToys({KEY: 1}.get, found).app(KEY)) is None


def test_a_model_that_learnt_more_has_a_new_page_and_one_that_learns_keeps_its_old_one(visitor, keys):
    assert "reverse, number 7" in visitor.get(f"/toy/{KEY}/").text
    keys[KEY] = 0
    assert "reverse, number 7" in visitor.get(f"/toy/{KEY}/").text
    keys[KEY] = 9
    assert "reverse, number 9" in visitor.get(f"/toy/{KEY}/").text


def test_a_model_that_has_nothing_to_open_yet_has_no_page(visitor, keys):
    keys[OTHER] = 0
    assert visitor.get(f"/toy/{OTHER}/").status_code == 404
    del keys[OTHER]


def test_open_models_are_few_and_idle_ones_are_closed(toy, monkeypatch):
    loaded: list[str] = []

    def load(key: str) -> AppContext:
        loaded.append(key)
        return AppContext(Recordings(toy), None)

    async def visits() -> None:
        opened = OpenToys(dict.fromkeys(keys, 1).get, load, clock := Clock())
        await asyncio.gather(*(opened.app(KEY) for _ in range(3)))
        assert loaded == [KEY]  # once, for all who came meanwhile
        for key in (*keys[1:MAX_OPEN], KEY, *keys[MAX_OPEN:]):
            clock.now += 1.0
            await opened.app(key)
        assert {*opened.found} == {*keys} - {keys[1]} and len(loaded) == len(keys)  # the one that was used longest ago
        clock.now += IDLE_SECONDS - 0.5
        opened.sweep()
        assert {*opened.found} == {keys[-1]}
        clock.now += 1.0
        opened.sweep()
        assert not opened.found

    monkeypatch.setattr(toys, "toy_app", lambda context: context)
    keys = [KEY, *(f"key-{number}" for number in range(MAX_OPEN))]
    asyncio.run(visits())


@each_case(
    ("wanted", "environment", "found"),
    [(None, {}, 1), (None, {"SPACE_ID": "a/b"}, 0), (2, {"SPACE_ID": "a/b"}, 2), (0, {}, 0), (3, {}, 3)],
)
def test_toys_are_trained_unless_the_page_is_on_a_space(wanted, environment, found):
    assert max_trainings(wanted, environment) == found


def test_where_no_toys_are_trained_there_is_no_route_to_them(toy_page):
    found = post(f"{toy_page}toys", json={"action": "begin", "language": "en"})
    assert found.status_code in (404, 405)
    assert get(f"{toy_page}toy/{KEY}/").status_code == 404
