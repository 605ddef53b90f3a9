"""How an answer is sent: packed once, in slices, and not for ever to whoever does not read it."""

import json
import random
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from threading import Event, Thread

import uvicorn
from anyio import run
from cases import each_case
from starlette.applications import Starlette

from explorer.server import http
from explorer.server.answer_service import CHUNK_BYTES, compress
from explorer.server.http import gzip_lines, line_bytes, routes

ANSWER = json.dumps("".join(random.Random(0).choices("äbcdefgh", k=200_000)))


async def lines_of(*lines):
    for line in lines:
        yield line


async def sent(way, *lines):
    others = lines_of(*lines)
    async with aclosing(way(await anext(others), others)) as parts:
        return [part async for part in parts]


@each_case("before", [[], ['{"ahead": 2}', '{"ahead": 1}']])
def test_an_answer_comes_as_it_is_in_slices_whether_somebody_waited_or_not(before):
    expected = "".join(f"{line}\n" for line in [*before, ANSWER]).encode()
    plain, zipped = (run(sent, way, *before, compress(ANSWER)) for way in (line_bytes, gzip_lines))
    assert b"".join(plain) == expected
    assert zlib.decompress(b"".join(zipped), wbits=31) == expected
    assert len(plain) > 5 and max(map(len, [*plain, *zipped])) <= CHUNK_BYTES


def test_an_answer_that_comes_at_once_is_not_packed_again(monkeypatch):
    answer = compress(ANSWER)
    monkeypatch.setattr(http.zlib, "compressobj", None)
    assert b"".join(run(sent, gzip_lines, answer)) == answer.data
    assert str(answer) == ANSWER and len(answer) < len(ANSWER) / 2


class Long:
    """Answers with more than a system buffers."""

    answer = compress(json.dumps("x" * 30_000_000))

    def __init__(self):
        self.left = Event()

    async def lines(self, asked):
        try:
            yield self.answer
        finally:
            self.left.set()

    def health(self):
        return {}


@contextmanager
def serving(answering) -> Iterator[int]:
    """A port."""
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes(answering)), port=0, log_level="critical"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)


def test_whoever_does_not_read_the_answer_is_left(monkeypatch):
    monkeypatch.setattr(http, "SEND_TIMEOUT_SECONDS", 0.3)
    long, body = Long(), json.dumps({"question": "long", "given": [], "language": "en"}).encode()
    head = f"POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with serving(long) as port, socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head.encode() + body)
        assert long.left.wait(60)
        answer = b"".join(iter(lambda: connection.recv(1_000_000), b""))  # until the server hangs up
    assert answer.startswith(b"HTTP/1.1 200 ") and len(answer) < 30_000_000
