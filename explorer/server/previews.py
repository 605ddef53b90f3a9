"""The picture of a link's preview, GET /preview.png: of the link's own sentence, else the one that comes with the page.

    /preview.png?sentence=A%20dog.&change=off.cross.4.1&step=3&lang=de

The names are those of the page's address (explorer/page/link_preview.py). Programs that show links fetch them unasked
and again and again, so that no visitor may notice it:

- A picture is computed while nothing else waits or runs, in the background of the queue, and for TIME_LIMIT_SECONDS;
  otherwise the response is the default picture, and the next request may find the work done.
- Visitors' cached translations are read, in a way that does not count as use, and nothing is put beside them: what is
  translated for a picture alone is kept here, within bounds of its own.

Nothing that a link contains is an error: it has the default picture then, too.
"""

import asyncio
import hashlib
from collections.abc import Hashable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

from anyio import CapacityLimiter, to_thread
from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import shared_laboratory
from explorer.lessons.url_state import parse_experiment, parse_number, parse_query
from explorer.page.first_view import first_view
from explorer.page.link_preview import MAX_CHANGE_CHARACTERS, PICTURE, shows_change
from explorer.page.preview_layout import Undrawable
from explorer.page.preview_picture import draw_preview, encode
from explorer.recording.trace import Trace, record_batch
from explorer.server.ask import ENTRY_BYTES, AnswerService
from explorer.server.client_address import client_address
from explorer.server.documents import default_picture
from explorer.server.log import log_bug
from explorer.ui.fair_queue import BACKGROUND_VISITOR, Unavailable
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, use_language
from model.errors import UserError

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Run = tuple[str, Experiment]  # a sentence, and what is changed
TIME_LIMIT_SECONDS = 0.15  # for a translation; drawing comes after it
MAX_PICTURE_BYTES = 6_000_000  # of pictures, 40 to 75 kB each
MAX_TRACE_BYTES = 6_000_000  # of translations that only pictures have asked for
MAX_AGE_SECONDS = 3600  # for which a program need not ask again; a server may have another model by then
DRAWN = {"Cache-Control": f"public, max-age={MAX_AGE_SECONDS}"}
FOR_NOW = {"Cache-Control": "no-store"}  # of the default picture in place of one that the next request may get


class NotNow(Exception):
    """The server is busy, or the translation takes too long."""


class Shown(NamedTuple):
    """What a link shows."""

    sentence: str
    experiment: Experiment
    step: int | None  # None: the default step
    language: str

    @property
    def run(self) -> Run:
        """What has to be computed for it."""
        return self.sentence, self.experiment


def parse_shown(query: Mapping[str, str]) -> Shown:
    """What a link with this query shows. Raises UserError or ValueError for what no link says."""
    change = query.get("change", "") if shows_change(query) else ""
    if len(change) > MAX_CHANGE_CHARACTERS:
        raise ValueError("too long a change")
    step = parse_number(query["step"]) if query.get("step") else None
    if step is not None and step < 0:
        raise ValueError("steps count from one")
    language = query.get("lang", FIRST)
    experiment = parse_experiment({"change": change})
    return Shown(query.get("sentence", "").strip(), experiment, step, language if language in LANGUAGES else FIRST)


class Previews:
    """Draws pictures of what a service can translate. Only the server's own loop reads and writes its caches."""

    def __init__(self, service: AnswerService):
        self.service, self.app = service, service.app
        self.pictures: LRUCache[Shown, bytes] = LRUCache(MAX_PICTURE_BYTES, lambda picture: len(picture) + ENTRY_BYTES)
        self.traces: LRUCache[Run, Trace] = LRUCache(MAX_TRACE_BYTES, Trace.memory)
        self.drawing = CapacityLimiter(1)

    async def picture(self, shown: Shown, address: str = "") -> bytes:
        """The picture as PNG; `address` is that of the client.

        Raises NotNow, UserError for what the model refuses, or Undrawable.
        """
        if shown not in self.pictures:
            trace = self.find(shown) or await self.compute(shown, address)
            if self.drawing.statistics().tasks_waiting:
                raise NotNow
            keep(self.pictures, shown, await to_thread.run_sync(self.draw, shown, trace, limiter=self.drawing))
        return self.pictures[shown]

    def find(self, shown: Shown) -> Trace | None:
        """The translation if anybody has asked for it lately."""
        if shown.run in self.traces:
            return self.traces[shown.run]
        if shown.experiment == Experiment():
            return self.app.recordings.traces.peek(shown.sentence)
        return shared_laboratory(self.app).peek(*shown.run)

    async def compute(self, shown: Shown, address: str) -> Trace:
        """Translates in the background. Raises NotNow after a while; work that has begun by then goes on."""
        scheduler = self.app.scheduler
        if self.service.queue_length() or len(scheduler.queue):
            raise NotNow
        try:
            job = scheduler.put(partial(self.translate, shown), BACKGROUND_VISITOR, address=address)
        except Unavailable as error:
            raise NotNow from error
        done = asyncio.wrap_future(job.done)
        done.add_done_callback(partial(self.keep_trace, shown.run))
        if not (await asyncio.wait([done], timeout=TIME_LIMIT_SECONDS))[0]:
            scheduler.queue.withdraw(job)
            job.done.cancel()
            raise NotNow
        return done.result()

    def translate(self, shown: Shown) -> Trace:
        """Past the caches of visitors, and never on a GPU that is lent to them. Raises UserError."""
        if shown.experiment != Experiment():
            return shared_laboratory(self.app).run_apart(*shown.run)
        (trace,) = self.app.recordings.record_traces([shown.sentence], record_batch)
        return trace

    def keep_trace(self, run: Run, done: asyncio.Future[Trace]) -> None:
        """Also where nobody waits for it any more."""
        if not done.cancelled() and done.exception() is None:
            keep(self.traces, run, done.result())

    def draw(self, shown: Shown, trace: Trace) -> bytes:
        """In the language of the link, or in the first if the font lacks its letters. Raises Undrawable."""
        subject = self.app.subjects.get(shown.sentence, "")
        off = {(head.layer, head.head) for head in shown.experiment.off if head.kind == "cross"}
        for language in (shown.language, FIRST):
            with use_language(LanguageContext(language, self.app.translator.languages)), suppress(Undrawable):
                view = first_view(trace, shown.step, subject=subject, off=off)
                return encode(draw_preview(view, is_changed=shown.experiment != Experiment()))
        raise Undrawable(shown.sentence)


def keep(cache: LRUCache[Key, Value], key: Key, value: Value) -> None:
    with suppress(ValueError):  # larger than the whole cache
        cache[key] = value


def preview_routes(service: AnswerService) -> list[Route]:
    """The route /preview.png of a page whose questions a service answers."""
    previews = Previews(service)

    async def preview(request: Request) -> Response:
        query = parse_query(request.url.query)
        if not query.get("sentence", "").strip():
            return default_picture()
        try:
            picture = await previews.picture(parse_shown(query), client_address(request))
        except NotNow:
            return default_picture(FOR_NOW)
        except (UserError, ValueError, Undrawable):
            return default_picture()
        except Exception:  # as in `with_error_responses`, but a picture is due
            log_bug(request.url.path)
            return default_picture(FOR_NOW)
        tag = f'"{hashlib.blake2b(picture, digest_size=16).hexdigest()}"'
        headers = {"ETag": tag, **DRAWN}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(picture, media_type="image/png", headers=headers)

    return [Route(f"/{PICTURE.name}", preview)]
