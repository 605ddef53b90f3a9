"""The route by which the page trains a toy: POST /toys.

It takes {"wish": "begin", "config": {...}}, or another wish of a training by its "key", with "language" and "visitor"
as /ask does, and answers at once with JSON: how the training stands, or {"error": a sentence}. Whoever looks again
and again does not wait behind the model's one worker. Another site's page is not answered.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from anyio import to_thread
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from explorer.server.desk import spoken
from explorer.server.http import FRESH, Refused, read_as
from explorer.toys.about import about
from explorer.toys.recipe import ToyConfig
from explorer.toys.report import Report
from explorer.toys.workshop import Workshop
from explorer.ui.faults import shortened
from explorer.ui.language import LanguageContext, use_language

POINTS = ("step", "seconds", "examples", "loss", "test_loss", "right")  # of every report, for the curves


class Wanted(BaseModel):
    """What a visitor wants of a training."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    wish: Literal["begin", "look", "stop", "go on", "leave"]
    language: Annotated[str, AfterValidator(spoken)]
    visitor: str = Field("", max_length=60)
    config: ToyConfig = ToyConfig()
    key: str = Field("", max_length=60)
    since: int = Field(0, ge=0, lt=2**31)  # the number of the last report that the page has


def answer(workshop: Workshop, wanted: Wanted) -> dict[str, Any]:
    """Does what is wanted, and tells how it stands. Raises ValueError, with a sentence, where that cannot be."""
    key = wanted.key
    wishes: dict[str, Callable[[str], None]] = {
        "stop": workshop.stop,
        "go on": workshop.go_on,
        "leave": workshop.leave,
    }
    if wanted.wish == "begin":
        key = workshop.begin(wanted.config, wanted.visitor, before=key)
    elif wanted.wish in wishes:
        wishes[wanted.wish](key)
    return {"left": True} if wanted.wish == "leave" else told(workshop, key, wanted.since)


def told(workshop: Workshop, key: str, since: int) -> dict[str, Any]:
    """How a training stands, with what its new reports say, and the example as the last of them sees it."""
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
        "points": [[getattr(report, name) for name in POINTS] for report in look.reports],
        "seen": last.seen.model_dump() if last and last.seen else None,
    }


def toy_routes(workshop: Workshop) -> list[Route]:
    """What is to be put before Gradio's own routes where toys may be trained."""

    async def toys(request: Request) -> Response:
        try:
            wanted = await read_as(Wanted, request)
            with use_language(LanguageContext(wanted.language)):
                return JSONResponse(await to_thread.run_sync(answer, workshop, wanted), headers=FRESH)
        except Refused as refusal:
            headers = {**FRESH, **refusal.headers}
            return JSONResponse({"error": shortened(str(refusal))}, refusal.status, headers)
        except ValueError as reason:
            return JSONResponse({"error": shortened(str(reason))}, 400, FRESH)

    return [Route("/toys", toys, methods=["POST"])]
