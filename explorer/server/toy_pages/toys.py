"""Training of toys on the page: the workshop, its route, and the pages of trained models."""

from functools import partial
from typing import Any

from starlette.middleware import Middleware

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.toy_pages.middleware import ToyPageMiddleware
from explorer.server.toy_pages.pages import ToyPages
from explorer.server.toys import toy_routes
from explorer.toys.about import about
from explorer.toys.workshop import Limits, Workshop
from model.checkpoints import checkpoint

ABSENT_TABS = ("lessons", "catalogue")  # tabs that speak of the shipped model, or of what was measured with a command
SHARE = 1 / 16  # of the memory that recordings of the page's own model may take
NO_REPORTS = 2**31  # no report has a greater number


def toys(max_running: int) -> dict[str, Any]:
    """The options of `launch` with which visitors can train so many toys at once."""
    # On busy processors, as in a class, two threads wait for each other: 6 times slower than one.
    workshop = Workshop(Limits(most_running=max_running, threads=1))
    pages = ToyPages(partial(version, workshop), partial(load_toy, workshop))
    workshop.gone = pages.gone
    return {"routes": toy_routes(workshop), "middleware": [Middleware(ToyPageMiddleware, pages=pages)]}


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
