"""What is open to whoever reaches the server, and that all else is refused before it is read."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from cases import each_case
from serving import PATIENCE

from explorer.server.allowlist import MAX_BODY_BYTES, refusal_for
from explorer.ui.component import PLOTLY_JS, url
from explorer.ui.language import FIRST, LANGUAGES


@pytest.fixture(scope="module")
def visitor(toy_page: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=toy_page, timeout=PATIENCE) as client:
        yield client


def first_words(address: str, head: str) -> bytes:
    """What a server answers once it has the head of a request and nothing of its body, until it hangs up."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode())
        return b"".join(iter(lambda: connection.recv(4096), b""))


@each_case(
    "path",
    [
        "/",
        *(f"/{language}" for language in LANGUAGES if language != FIRST),
        "/config",
        "/theme.css",
        "/robots.txt",
        "/favicon.ico",
        "/manifest.json",
        "/static/js/iframeResizer.contentWindow.min.js",
        "/gradio_api/info",
        url(PLOTLY_JS).removeprefix("."),
    ],
)
def test_what_the_page_needs_is_open(visitor, path):
    assert visitor.get(path, headers={"accept-language": "en"}).status_code == 200


@each_case(
    ("method", "path"),
    [
        ("POST", "/gradio_api/upload"),
        ("POST", "/gradio_api/process_recording"),
        ("GET", "/gradio_api/file=https://example.org/x"),
        ("GET", "/gradio_api/file/etc/passwd"),
        ("POST", "/gradio_api/component_server"),
        ("GET", "/monitoring"),
        ("GET", "/openapi.json"),
        ("PUT", "/gradio_api/queue/join"),
        ("DELETE", "/"),
        ("GET", "/nothing"),
    ],
)
def test_everything_else_is_not_there(visitor, method, path):
    found = visitor.request(method, path)
    assert (found.status_code, found.text) == (404, "There is nothing at this address.\n")
    assert found.headers["content-type"].startswith("text/plain")


@each_case("method", ["GET", "PUT"])
def test_questions_are_sent_in_one_way(visitor, method):
    assert visitor.request(method, "/ask").status_code == 405


@each_case(
    ("length", "status"), [(f"Content-Length: {MAX_BODY_BYTES + 1}", b"413 "), ("Transfer-Encoding: chunked", b"411 ")]
)
def test_a_question_that_is_too_large_or_of_unknown_length_is_refused_before_it_is_read(toy_page, length, status):
    head = f"POST /gradio_api/queue/join HTTP/1.1\nHost: localhost\n{length}\n\n"
    assert first_words(toy_page, head).startswith(b"HTTP/1.1 " + status)


def test_behind_a_path_of_a_proxy_the_same_doors_are_open():
    scope = {"method": "GET", "root_path": "/x", "headers": []}
    assert (
        refusal_for({**scope, "path": "/x/de"}) is None and refusal_for({**scope, "path": "/x/gradio_api/info"}) is None
    )
    assert refusal_for({**scope, "path": "/x/gradio_api/upload"}) == (404, "There is nothing at this address.")
