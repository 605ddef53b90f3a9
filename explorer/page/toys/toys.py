"""Toys on the page: who trains them, the route by which it is asked, and their pages."""

from functools import partial
from typing import Any

from starlette.middleware import Middleware

from explorer.page.toys.door import ToyDoor
from explorer.page.toys.pages import ToyPages
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.server.toys import toy_routes
from explorer.toys.about import about
from explorer.toys.workshop import Limits, Workshop
from model.checkpoints import checkpoint

AWAY = ("lessons", "catalogue")  # tabs that speak of the shipped model, or of what was measured with a command
SHARE = 1 / 16  # of the memory that recordings of the page's own model may take
NEWEST = 2**31  # no report has this number


def toys(at_once: int) -> dict[str, Any]:
    """What launch.py is to be given so that so many can be trained at once."""
    # Two threads wait for each other where the processors have other work, as in a class: 6 times slower than one.
    workshop = Workshop(Limits(most_running=at_once, threads=1))
    pages = ToyPages(partial(version, workshop), partial(opened_toy, workshop))
    workshop.gone = pages.gone
    return {"routes": toy_routes(workshop), "doors": [Middleware(ToyDoor, pages=pages)]}


def version(workshop: Workshop, key: str) -> int | None:
    """Which checkpoint of a toy is there; 0 where it has none to open, None where there is no such toy."""
    try:
        look = workshop.look(key, since=NEWEST)
    except ValueError:
        return None
    return look.number if look.saved else 0


def opened_toy(workshop: Workshop, key: str) -> Opened:
    """A toy as a checkpoint that is looked at. Raises ValueError where there is none."""
    folder, config = workshop.folder(key), workshop.look(key, since=NEWEST).config
    recordings = Recordings(checkpoint.load(folder), share=SHARE)
    return Opened(recordings, folder, away=AWAY, about=partial(about, config))
