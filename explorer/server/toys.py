"""The route by which the page trains a toy model: POST /toys. Trained toys have pages (toy_pages.py).

A request is {"wish": "begin", "config": {...}}, or another wish with the "key" of a training, with "language" and
"visitor" as in /ask. The response is JSON at once, without waiting in the model's queue: the status of the training,
or {"error": a sentence}.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from anyio import to_thread
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.answer_service import validate_language
from explorer.server.http import UNCACHED, RequestError, error_response, parse_request
from explorer.server.toy_pages import OpenToys, ToyPages
from explorer.toys.about import about
from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.workshop import Limits, Workshop
from explorer.ui.language import LanguageContext, use_language
from model.checkpoints import checkpoint

ABSENT_TABS = ("lessons", "train")  # tabs that speak of the shipped model, or train another one
SHARE = 1 / 16  # of the memory that recordings of the page's own model may take
NO_REPORTS = 2**31  # no report has a greater number
CURVE_FIELDS = ("step", "seconds", "examples", "loss", "test_loss", "right")  # of every report


class ToyRequest(BaseModel):
    """What a visitor wants of a training."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    wish: Literal["begin", "look", "stop", "go on", "leave"]
    language: Annotated[str, AfterValidator(validate_language)]
    visitor: str = Field("", max_length=60)
    config: ToyConfig = ToyConfig()
    key: str = Field("", max_length=60)
    since: int = Field(0, ge=0, lt=2**31)  # the number of the last report that the page has


def carry_out(workshop: Workshop, request: ToyRequest) -> dict[str, Any]:
    """Carries out the wish; returns the status of the training. Raises ValueError, with a sentence, to refuse."""
    key = request.key
    actions: dict[str, Callable[[str], None]] = {
        "stop": workshop.stop,
        "go on": workshop.resume,
        "leave": workshop.leave,
    }
    if request.wish == "begin":
        key = workshop.begin(request.config, request.visitor, before=key)
    elif request.wish in actions:
        actions[request.wish](key)
    return {"left": True} if request.wish == "leave" else training_status(workshop, key, request.since)


def training_status(workshop: Workshop, key: str, since: int) -> dict[str, Any]:
    """State, new points of the curves, and the example of the last report."""
    look = workshop.look(key, since)
    last: Report | None = look.reports[-1] if look.reports else None
    return {
        "key": key,
        "config": look.config.model_dump(),
        "about": about(look.config),
        "state": look.state,
        "sentence": look.sentence,
        "ahead": look.ahead,
        "number": look.number,
        "saved": look.saved,
        "why": last.why if last else None,
        "points": [[getattr(report, name) for name in CURVE_FIELDS] for report in look.reports],
        "seen": last.seen.model_dump() if last and last.seen else None,
    }


def toy_routes(workshop: Workshop) -> list[Route]:
    """The route /toys, which comes before Gradio's own."""

    async def toys(http_request: Request) -> Response:
        try:
            request = await parse_request(ToyRequest, http_request)
            with use_language(LanguageContext(request.language)):
                return JSONResponse(await to_thread.run_sync(carry_out, workshop, request), headers=UNCACHED)
        except RequestError as error:
            return error_response(error.status, str(error), error.headers)
        except ValueError as reason:
            return error_response(400, str(reason), {})

    return [Route("/toys", toys, methods=["POST"])]


def toys(max_running: int) -> dict[str, Any]:
    """The options of `launch` with which visitors can train so many toys at once."""
    # On busy processors, as in a class, two threads wait for each other: 6 times slower than one.
    workshop = Workshop(Limits(max_running=max_running, threads=1))
    opened = OpenToys(partial(version, workshop), partial(load_toy, workshop))
    return {"routes": toy_routes(workshop), "middleware": [Middleware(ToyPages, toys=opened)]}


def version(workshop: Workshop, key: str) -> int | None:
    """The number of a toy's checkpoint; 0 where it has none yet, None for an unknown toy."""
    try:
        look = workshop.look(key, since=NO_REPORTS)
    except ValueError:
        return None
    return look.number if look.saved else 0


def load_toy(workshop: Workshop, key: str) -> AppContext:
    """The checkpoint of a toy, loaded. Raises ValueError for an unknown key."""
    folder, config = workshop.folder(key), workshop.look(key, since=NO_REPORTS).config
    recordings = Recordings(checkpoint.load(folder), cache_share=SHARE)
    return AppContext(recordings, folder, absent_tabs=ABSENT_TABS, about=partial(about, config))
