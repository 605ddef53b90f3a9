"""Who asks through one page and has no answer yet."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from explorer.ui.queue import EACH, Full


class Hall:
    """How many may be in it is Ray's to say; how much of it one visitor takes, its own."""

    def __init__(self, each: int = EACH):
        self.each = each
        self.inside: dict[object, str] = {}  # visitors, in the order in which they came
        self.seconds = 0.1  # that an answer took lately, from the door on

    def __len__(self) -> int:
        return len(self.inside)

    @contextmanager
    def entered(self, visitor: str) -> Iterator[Callable[[], int]]:
        """The block gets a function that says how many came before and still wait. Raises Full."""
        if Counter(self.inside.values())[visitor] >= self.each:
            raise self.full()
        ticket, began = object(), time.perf_counter()
        self.inside[ticket] = visitor
        try:
            yield lambda: [*self.inside].index(ticket)
        finally:
            del self.inside[ticket]
            self.seconds += (time.perf_counter() - began - self.seconds) / 10

    def full(self) -> Full:
        """Those who are in it now will be gone when one of them has waited as long as others did."""
        return Full(max(1.0, self.seconds))
