"""How a visitor asks a server: with a question and lines of JSON, or as Gradio's own page does.

The second is for what the first is compared with: the page as it stood before it had a way of asking of its own, and a
page of Gradio's with a trivial function.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

try:
    import aiohttp
except ModuleNotFoundError:
    sys.exit('The load benchmark needs aiohttp: pip install -e ".[bench]"')

from explorer.bench.load.questions import Question

ROUTE = "/ask"
API = "/gradio_api"
LINE = 16 * 2**20  # bytes that one line of an answer may have; a trace that is sent in one piece has up to 5 million
# Under the five seconds after which uvicorn closes: a question that meets a closing connection would count as lost.
KEPT_OPEN = 2  # seconds that an idle connection is kept
# With Gradio's own page: the component whose function answers, and that function's name.
FUNCTIONS = {
    "head": ("inside", "head"),
    "masks": ("masks", "masks"),
    "prediction": ("predictions", "prediction"),
    "lab.run": ("lab", "lab"),
    "lab.ranking": ("lab", "lab"),
}


class Refused(Exception):
    """The server is full; `wait` is in how many seconds it says to come again."""

    def __init__(self, wait: float):
        super().__init__(f"come again in {wait:g} s")
        self.wait = wait


class Failed(Exception):
    """An answer that is none; the text names its kind."""


class Reply(NamedTuple):
    text: str
    ahead: int  # the most that were said to be ahead


def new_session(buffer: int = LINE, **options: Any) -> aiohttp.ClientSession:
    """Without limits of its own: how many ask at once, and how long they wait, is what is measured.

    Of an answer that nobody reads it takes some `buffer` bytes.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT_OPEN, **options),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
        read_bufsize=buffer,
    )


async def accepted(response: aiohttp.ClientResponse) -> aiohttp.ClientResponse:
    """Raises Refused or Failed, and lets the connection go, where the status says no."""
    if response.status == 200:
        return response
    async with response:
        if response.status == 503:
            raise Refused(float(response.headers.get("Retry-After", 1)))
        raise Failed(f"status {response.status}: {(await response.text())[:60]}")


@dataclass(frozen=True)
class Lines:
    """Our own route: a question, and lines of which the last is the answer."""

    address: str

    async def begin(self, session: aiohttp.ClientSession, question: Question, visitor: str) -> aiohttp.ClientResponse:
        asked = {"question": question.name, "given": question.given, "language": "en", "visitor": visitor}
        return await accepted(await session.post(f"{self.address}{ROUTE}", json=asked))

    async def read(self, response: aiohttp.ClientResponse) -> Reply:
        ahead = 0
        async with response:
            async for line in response.content:
                if not line.startswith(b'{"ahead"'):
                    return Reply(line.decode(), ahead)
                ahead = max(ahead, json.loads(line)["ahead"])
        raise Failed("the answer has no last line")


@dataclass(frozen=True)
class GradioPage:
    """An event of Gradio's queue for a translation, a server function of a component for everything else."""

    address: str
    event: int  # the page's event that translates
    button: int  # the component whose click it is
    components: Mapping[str, int]  # by their element's id

    @classmethod
    async def at(cls, session: aiohttp.ClientSession, address: str) -> "GradioPage":
        async with session.get(f"{address}/config") as response:
            config = await response.json()
        ids = {part["props"].get("elem_id"): part["id"] for part in reversed(config["components"])}
        button = ids["translate"]
        event = next(event["id"] for event in config["dependencies"] if [button, "click"] in event["targets"])
        return cls(address, event, button, {name: number for name, number in ids.items() if name})

    async def begin(self, session: aiohttp.ClientSession, question: Question, visitor: str) -> aiohttp.ClientResponse:
        if question.name in FUNCTIONS:
            return await accepted(
                await session.post(f"{self.address}{API}/component_server", json=self.call(question, visitor))
            )
        asked = {
            "data": [*question.given, 0],
            "event_data": None,
            "fn_index": self.event,
            "trigger_id": self.button,
            "session_hash": visitor,
        }
        async with await accepted(await session.post(f"{self.address}{API}/queue/join", json=asked)) as joined:
            await joined.read()
        return await accepted(await session.get(f"{self.address}{API}/queue/data", params={"session_hash": visitor}))

    def call(self, question: Question, visitor: str) -> dict[str, Any]:
        component, name = FUNCTIONS[question.name]
        _, _, station = question.name.partition(".")
        given = [station, *question.given] if station else question.given
        return {"session_hash": visitor, "component_id": self.components[component], "fn_name": name, "data": given}

    async def read(self, response: aiohttp.ClientResponse) -> Reply:
        async with response:
            if not response.content_type.startswith("text/event-stream"):
                return Reply(await response.json(), 0)
            return await self.completed(response)

    async def completed(self, response: aiohttp.ClientResponse) -> Reply:
        """Reads to the end of the stream: what is not read would close the connection."""
        ahead, text = 0, None
        async for line in response.content:
            if not line.startswith(b"data: "):
                continue
            message = json.loads(line.removeprefix(b"data: "))
            if message["msg"] == "estimation":
                ahead = max(ahead, message["rank"])
            elif message["msg"] == "process_completed":
                if not message["success"]:
                    raise Failed(f"Gradio: {message['output']}"[:80])
                text = message["output"]["data"][0]
        if text is None:
            raise Failed("the stream ends without an answer")
        return Reply(text, ahead)


# Both are asked by `begin`, which sends the question and raises Refused or Failed, and `read`, which waits for the
# answer and raises Failed where there is none.
Speaker = Lines | GradioPage


async def speaker_of(session: aiohttp.ClientSession, address: str) -> Speaker:
    """What the server at this address speaks: only one with our own route has /health."""
    async with session.get(f"{address}/health") as response:
        ours = response.status == 200
    return Lines(address) if ours else await GradioPage.at(session, address)
