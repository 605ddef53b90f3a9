"""Pages below /toy/: what is open there, for whom, for how long, and how many there are."""

import asyncio
from collections.abc import Iterator
from unittest.mock import AsyncMock, Mock
from urllib.parse import quote

import gradio as gr
import httpx
import pytest
from cases import each_case
from gradio.routes import App
from serving import served
from starlette.middleware import Middleware

from explorer.__main__ import parse
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.options import max_trainings
from explorer.server.toy_pages import pages as limits
from explorer.server.toy_pages.middleware import ToyPageMiddleware
from explorer.server.toy_pages.pages import RunningPage, ToyPages
from model.checkpoints.checkpoint import CheckpointError
from model.decoding import Translator

KEY, OTHER = "kEy-1_aaaaaaaaaaaaaaaa", "kEy-2_bbbbbbbbbbbbbbbb"
QUESTION = {"question": "translate", "given": ["The cat sleeps."], "language": "en"}


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
def pages(toy: Translator, keys: dict[str, int]) -> ToyPages:
    def found(key: str) -> AppContext:
        return AppContext(Recordings(toy), None, absent_tabs=("lessons",), about=lambda: f"reverse, number {keys[key]}")

    return ToyPages(keys.get, found, Clock())


@pytest.fixture(scope="module")
def visitor(toy: Translator, pages: ToyPages) -> Iterator[httpx.Client]:
    for address in served(toy, middleware=[Middleware(ToyPageMiddleware, pages=pages)]):
        with httpx.Client(base_url=address, headers={"accept-language": "en"}, timeout=60) as client:
            yield client


def test_a_page_stands_below_its_key_with_all_that_it_asks_for(visitor):
    found = visitor.get(f"/toy/{KEY}/")
    assert found.status_code == 200 and "Trained here: reverse" in found.text
    assert "connect-src 'self'" in found.headers["content-security-policy"]
    assert '"lessons-tab"' not in found.text and '"lab-tab"' in found.text
    assert f'"root":"http://{visitor.base_url.netloc.decode()}/toy/{KEY}"' in found.text.replace(" ", "")
    assert "Zur Hauptseite" in visitor.get(f"/toy/{KEY}/de").text
    assert visitor.get(f"/toy/{KEY}/gradio_api/info").status_code == 200
    answer = visitor.post(f"/toy/{KEY}/ask", json=QUESTION)
    assert answer.status_code == 200 and "steps" in answer.text
    assert visitor.get(f"/toy/{KEY}/health").json()["status"] == "ok"


def test_a_visitor_is_led_to_his_language_below_the_key(visitor):
    found = visitor.get(f"/toy/{KEY}/", headers={"accept-language": "de"})
    assert (found.status_code, found.headers["location"]) == (307, f"/toy/{KEY}/de")


@each_case(
    ("method", "path"), [("POST", "gradio_api/upload"), ("GET", "gradio_api/file=https://example.org/x"), ("PUT", "")]
)
def test_the_same_doors_are_shut_there(visitor, method, path):
    assert visitor.request(method, f"/toy/{KEY}/{path}").status_code == 404


@each_case("path", ["", "/", "/toy", "/toy/", "/toys", f"/toy/{KEY[:-1]}", f"/toy/{OTHER}/", "/toy/../x"])
def test_who_guesses_a_key_finds_nothing(visitor, path):
    if path in ("", "/"):
        assert KEY not in visitor.get(path).text  # nothing lists it
    else:
        assert visitor.get(path, follow_redirects=True).status_code == 404


def test_where_there_is_no_model_a_page_says_so_and_leads_back(visitor):
    found = visitor.get(f"/toy/{OTHER}/de")
    assert found.status_code == 404 and "Dieses Modell ist nicht da" in found.text and 'href="/de"' in found.text
    assert visitor.post(f"/toy/{OTHER}/ask", json=QUESTION).json()["error"].startswith("A model that was trained")
    assert visitor.get(f"/toy/{OTHER}/gradio_api/info").status_code == 404
    assert "default-src 'none'" in found.headers["content-security-policy"]


def test_without_the_slash_behind_its_key_a_visitor_is_led_to_it(visitor):
    for key in (KEY, "a:b"):
        found = visitor.get(f"/toy/{key}?tab=lab&x=a%20b")
        assert (found.status_code, found.headers["location"]) == (307, f"./{quote(key)}/?tab=lab&x=a%20b")
    assert visitor.post(f"/toy/{KEY}").status_code == 404


@each_case("error", [ValueError("gone"), FileNotFoundError("gone"), CheckpointError("damaged")])
def test_a_model_that_goes_before_its_page_is_built_has_none(error):
    def found(key: str) -> AppContext:
        raise error

    assert asyncio.run(ToyPages({KEY: 1}.get, found).page(KEY, "/toy")) is None


def test_a_model_that_goes_while_its_page_is_built_has_none(monkeypatch):
    page = Mock(spec=gr.Blocks, _queue=Mock(), run_extra_startup_events=AsyncMock())
    page_of = RunningPage(Mock(spec=AppContext, queue=Mock()), page, Mock(spec=App, stop_event=Mock()), 1, 0.0)
    versions = {KEY: 1}
    pages = ToyPages(versions.get, Mock(), Clock())

    def create(key: str, path: str, version: int) -> RunningPage:
        del versions[key]
        pages.gone(key)
        return page_of

    monkeypatch.setattr(pages, "create", create)
    assert asyncio.run(pages.page(KEY, "/toy")) is None
    assert not pages.running and page.is_running is False


def test_a_model_that_learnt_more_has_a_new_page_and_one_that_learns_keeps_its_old_one(visitor, pages, keys):
    assert "reverse, number 7" in visitor.get(f"/toy/{KEY}/").text
    first = pages.running[KEY]
    keys[KEY] = 0
    assert "reverse, number 7" in visitor.get(f"/toy/{KEY}/").text
    keys[KEY] = 9
    assert "reverse, number 9" in visitor.get(f"/toy/{KEY}/").text
    assert pages.running[KEY] is not first and first.page._queue.stopped


def test_pages_are_few_and_go_when_they_are_idle(visitor, pages, keys, monkeypatch):
    monkeypatch.setattr(limits, "MAX_PAGES", 1)
    keys[OTHER] = 1
    visitor.get(f"/toy/{KEY}/")
    first = pages.running[KEY]
    pages.clock.now = 1.0
    assert visitor.get(f"/toy/{OTHER}/").status_code == 200
    assert [*pages.running] == [OTHER] and first.page._queue.stopped
    pages.clock.now = 2.0 + limits.IDLE_SECONDS
    del keys[KEY]
    assert visitor.get(f"/toy/{KEY}/").status_code == 404
    assert not pages.running
    assert visitor.get(f"/toy/{OTHER}/").status_code == 200  # as long as its model is there, it is built again
    second = pages.running[OTHER]
    pages.gone(OTHER)
    visitor.get("/health")  # the loop has had its turn
    assert not pages.running and second.page._queue.stopped


@each_case(
    ("wanted", "environment", "found"),
    [(None, {}, 1), (None, {"SPACE_ID": "a/b"}, 0), (2, {"SPACE_ID": "a/b"}, 2), (0, {}, 0), (3, {}, 3)],
)
def test_toys_are_trained_unless_the_page_is_on_a_space(wanted, environment, found):
    assert max_trainings(wanted, environment) == found


@each_case("number", ["-1", "9", "many"])
def test_how_many_toys_is_bounded(number):
    with pytest.raises(SystemExit):
        parse("app.py", ["--toys", number])


def test_where_no_toys_are_trained_there_is_no_route_to_them(toy_page):
    found = httpx.post(f"{toy_page}toys", json={"wish": "begin", "language": "en"})
    assert found.status_code in (404, 405)
    assert httpx.get(f"{toy_page}toy/{KEY}/").status_code == 404


def test_a_model_that_has_nothing_to_open_yet_has_no_page(visitor, keys):
    keys[OTHER] = 0
    assert visitor.get(f"/toy/{OTHER}/").status_code == 404
    del keys[OTHER]
