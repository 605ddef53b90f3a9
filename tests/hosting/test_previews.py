"""The picture of a link's preview: a link's own, without any visitor noticing it, and the default one otherwise."""

import io
import logging
from collections.abc import Iterator
from threading import Event

import pytest
from cases import each_case
from PIL import Image
from serving import until
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.laboratory import shared_laboratory
from explorer.page.link_preview import HEIGHT_PX, PICTURE, WIDTH_PX
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server import previews
from explorer.server.ask import AnswerService
from explorer.server.documents import DOCUMENTS
from explorer.server.previews import Previews, parse_shown, preview_routes

SENTENCE = "The cat sleeps."
DEFAULT = PICTURE.read_bytes()


@pytest.fixture
def service(toy, monkeypatch) -> AnswerService:
    monkeypatch.setattr(previews, "TIME_LIMIT_SECONDS", 30)  # on a busy machine too
    return AnswerService(AppContext(Recordings(toy), None))


@pytest.fixture
def client(service) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[*preview_routes(service), *DOCUMENTS])) as client:
        yield client


def fetch(client: TestClient, **query: str) -> bytes:
    response = client.get("/preview.png", params={"sentence": SENTENCE, **query})
    assert response.status_code == 200 and response.headers["content-type"] == "image/png"
    return response.content


def test_a_link_has_a_picture_of_its_own_sentence_step_change_and_language(client):
    queries = ({}, {"sentence": "The dog."}, {"step": "1"}, {"change": "off.cross.1.1"}, {"lang": "de"}, {"lang": "zh"})
    pictures = [fetch(client, **query) for query in queries]
    assert len({*pictures, DEFAULT}) == len(queries) + 1
    for picture in pictures:
        assert Image.open(io.BytesIO(picture)).size == (WIDTH_PX, HEIGHT_PX) and len(picture) < 120_000
    assert (
        fetch(client, change="off.cross.1.1", run="unchanged") == fetch(client, lang="fr", level="heads") == pictures[0]
    )


NONSENSE = (
    {"sentence": " "},
    {"sentence": "a" * 401},
    {"sentence": "the cat " * 49},
    {"sentence": "\x07"},
    {"sentence": "猫在睡觉"},
    {"change": "warp.9"},
    {"change": "off.cross.99.1"},
    {"change": "off.cross"},
    {"change": "x" * 5000},
    {"step": "-3"},
    {"step": "two"},
    {"step": "9" * 5000},
)


@each_case("query", NONSENSE)
def test_nonsense_has_the_default_picture(client, query):
    response = client.get("/preview.png", params={"sentence": SENTENCE, **query})
    assert response.status_code == 200 and response.content == DEFAULT
    assert response.headers["etag"] and "cache-control" not in response.headers  # it stays so
    assert response.headers["content-location"] == PICTURE.name  # it is another one's picture


def test_head_and_an_unchanged_picture_send_no_bytes(client):
    whole, head = client.get(f"/preview.png?sentence={SENTENCE}"), client.head(f"/preview.png?sentence={SENTENCE}")
    assert head.status_code == 200 and head.content == b""
    assert "content-location" not in whole.headers
    for name in ("content-length", "content-type", "etag", "cache-control"):
        assert head.headers[name] == whole.headers[name]
    assert whole.headers["cache-control"] == "public, max-age=3600"
    again = client.get(f"/preview.png?sentence={SENTENCE}", headers={"If-None-Match": whole.headers["etag"]})
    assert again.status_code == 304 and again.content == b""
    assert client.head("/preview.png").headers["etag"]


def test_a_busy_server_does_not_draw_and_the_queue_is_no_longer(client, service, caplog):
    begun, done = Event(), Event()
    service.app.scheduler.put(lambda: begun.set() or done.wait())
    begun.wait()
    service.app.scheduler.put = None  # nothing comes into the queue
    response = client.get(f"/preview.png?sentence={SENTENCE}")
    assert response.content == DEFAULT and response.headers["cache-control"] == "no-store"
    assert response.headers["content-location"] == PICTURE.name
    done.set()
    assert "failed" not in caplog.text


def test_what_takes_too_long_is_there_for_the_next_one(client, service, monkeypatch):
    monkeypatch.setattr(previews, "TIME_LIMIT_SECONDS", 0.01)
    begun, done = Event(), Event()
    record = service.app.recordings.record_traces
    monkeypatch.setattr(
        service.app.recordings, "record_traces", lambda *given: begun.set() or (done.wait() and record(*given))
    )
    assert fetch(client) == DEFAULT
    begun.wait()
    done.set()
    until(lambda: service.queue_length() == 0)
    service.app.scheduler.put = None  # nothing more is computed
    client.portal.call(lambda: None)  # the loop has taken the result by then
    assert fetch(client) != DEFAULT


@pytest.mark.thorough
def test_visitors_keep_their_cached_translations_and_these_are_used(client, service):
    recordings, laboratory = service.app.recordings, shared_laboratory(service.app)
    experiment = Experiment(off=(HeadAt("cross", 0, 0),))
    for sentence in (SENTENCE, "The dog."):
        recordings.trace(sentence)
        laboratory.trace(sentence, experiment)
    orders = [[*cache] for cache in (recordings.traces.cache, laboratory.traces)]
    own = fetch(client, sentence="The house.")
    fetch(client, sentence="The house.", change="off.cross.1.1")
    fetch(client, sentence="The house.", change="from.The dog._heads.cross.1.1")
    service.app.scheduler.put = None
    assert DEFAULT not in (fetch(client), fetch(client, change="off.cross.1.1")) and own != DEFAULT
    assert orders == [[*cache] for cache in (recordings.traces.cache, laboratory.traces)]


@pytest.mark.thorough
def test_the_caches_are_bounded(service, client, monkeypatch):
    monkeypatch.setattr(previews, "MAX_PICTURE_BYTES", 150_000)
    monkeypatch.setattr(previews, "MAX_TRACE_BYTES", 20_000)
    found = Previews(service)

    async def draw_all() -> None:
        for number in range(8):
            await found.picture(parse_shown({"sentence": f"The cat sleeps {number}."}))
            assert found.pictures.currsize <= 150_000 and found.traces.currsize <= 20_000

    assert client.portal
    client.portal.call(draw_all)
    assert 1 <= len(found.pictures) < 8 and len(found.traces) < 8


def test_a_fault_of_the_program_is_logged_and_has_the_default_picture(client, monkeypatch, caplog):
    monkeypatch.setattr(previews, "draw_preview", lambda *given, **more: 1 / 0)
    with caplog.at_level(logging.ERROR):
        assert fetch(client) == DEFAULT
    assert "ZeroDivisionError" in caplog.text
