"""Whose work is being done: visitors take turns, and share what is remembered (explorer/recording/remembering.py)."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

VISITOR: ContextVar[str] = ContextVar("visitor", default="")


@contextmanager
def visited_by(visitor: str) -> Iterator[None]:
    """In its block, and in what that calls, the work is this visitor's."""
    before = VISITOR.set(visitor)
    try:
        yield
    finally:
        VISITOR.reset(before)
