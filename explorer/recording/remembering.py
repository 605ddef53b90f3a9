"""What is remembered for visitors: bounded in bytes, fairly, and made once for all who ask at once.

remembered = Remembered(make, FairCache(48_000_000, Trace.memory))
remembered("Why?")                                               # makes it, or waits for whoever is making it
remembered.make_together({"Why?": "ann", "How?": "bob"}, make_all)  # what is not there yet, in one go
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import Generic, NamedTuple, TypeVar

from cachetools import Cache

from explorer.shared.visitor import VISITOR, visited_by

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

EVERYBODY = None  # the owner of what more than one visitor has asked for


class Entry(NamedTuple):
    """Who holds something that is remembered, and how many bytes it takes."""

    owner: str | None
    size: int


class FairCache(Cache[Key, Value]):
    """Where there is no room, the visitor who holds most bytes gives up what he has not used for longest.

    So whoever asks for thousands of sentences flushes his own. An entry belongs to the visitor who had it made; a hit
    makes it young again, and one by another visitor makes it everybody's: a class's sentence does not go with the
    one who asked first. What is everybody's weighs as if all visitors who hold something held it in equal parts, so
    that one who fills the cache gives up his own first. Visitors are told apart by name only: who comes under a
    thousand names holds a thousand shares.

    What is larger than the whole cache is not kept. Bytes never exceed `maxsize`. Not for several threads at once.
    """

    def __init__(self, maxsize: int, getsizeof: Callable[[Value], int]):
        super().__init__(maxsize, getsizeof)
        self.entries: OrderedDict[Key, Entry] = OrderedDict()  # used last, last
        self.held: Counter[str | None] = Counter()  # bytes of every owner

    def __getitem__(self, key: Key) -> Value:
        value = super().__getitem__(key)
        owner, size = self.entries[key]
        if owner not in (VISITOR.get(), EVERYBODY):
            self.forget(key)
            self.note(key, Entry(EVERYBODY, size))
        self.entries.move_to_end(key)
        return value

    def __setitem__(self, key: Key, value: Value) -> None:
        owner = self.entries[key].owner if key in self else VISITOR.get()
        if key in self:
            del self[key]
        size = int(self.getsizeof(value))
        if size <= self.maxsize:
            super().__setitem__(key, value)
            self.note(key, Entry(owner, size))

    def __delitem__(self, key: Key) -> None:
        super().__delitem__(key)
        self.forget(key)

    def note(self, key: Key, entry: Entry) -> None:
        self.entries[key] = entry
        self.held[entry.owner] += entry.size

    def forget(self, key: Key) -> None:
        owner, size = self.entries.pop(key)
        self.held[owner] -= size
        if self.held[owner] <= 0:
            del self.held[owner]

    def weights(self) -> dict[str | None, float]:
        """What every owner is measured by: bytes, those of everybody divided by the number of visitors."""
        visitors = max(1, len(self.held) - (EVERYBODY in self.held))
        return {owner: size / (visitors if owner is EVERYBODY else 1) for owner, size in self.held.items()}

    def popitem(self) -> tuple[Key, Value]:
        """Removes what is given up first; of owners who hold alike the one whose entry is the older gives it up."""
        if not self.entries:
            raise KeyError("nothing is remembered")
        weights = self.weights()
        most = max(weights.values(), default=0)
        key = next(key for key, entry in self.entries.items() if weights.get(entry.owner, 0) == most)
        value = super().__getitem__(key)
        del self[key]
        return key, value

    def clear(self) -> None:
        super().clear()
        self.entries.clear()
        self.held.clear()


class Remembered(Generic[Key, Value]):
    """`make(key)`, remembered; several threads may ask, and what two ask for at once is made once."""

    def __init__(self, make: Callable[[Key], Value], cache: FairCache[Key, Value]):
        self.make, self.cache = make, cache
        self.changed = Condition()  # guards the cache and what is being made
        self.being_made: set[Key] = set()

    def __call__(self, key: Key) -> Value:
        """Raises whatever `make` raises; nothing is remembered then."""
        with self.changed:
            self.changed.wait_for(lambda: key not in self.being_made)
            if key in self.cache:
                return self.cache[key]
            self.being_made.add(key)
        with self.released([key]):
            value = self.make(key)
            self.keep(key, value, VISITOR.get())
            return value

    def make_together(self, asked: Mapping[Key, str], make: Callable[[Sequence[Key]], Sequence[Value]]) -> None:
        """Makes in one go what is neither remembered nor being made; `asked` says who wants each."""
        with self.changed:
            new = [key for key in asked if key not in self.cache and key not in self.being_made]
            self.being_made.update(new)
        with self.released(new):
            for key, value in zip(new, make(new) if new else (), strict=True):
                self.keep(key, value, asked[key])

    def keep(self, key: Key, value: Value, visitor: str) -> None:
        with self.changed, visited_by(visitor):
            self.cache[key] = value

    @contextmanager
    def released(self, keys: Sequence[Key]) -> Iterator[None]:
        """Whatever happens, nobody goes on waiting for these."""
        try:
            yield
        finally:
            with self.changed:
                self.being_made.difference_update(keys)
                self.changed.notify_all()
