"""What is remembered for visitors: bounded in bytes, fairly, and made once for all who ask at once.

remembered = Remembered(make, FairCache(48_000_000, Trace.memory))
remembered("Why?")                                               # makes it, or waits for whoever is making it
remembered.make_together({"Why?": "ann", "How?": "bob"}, make_all)  # what is not there yet, in one go
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from heapq import heapify, heappop, heappush
from itertools import count
from threading import Condition
from typing import Any, Generic, TypeVar

from explorer.ui.visitor import VISITOR, visited_by

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

ENTRY = 1000  # bytes that an entry takes besides its value and its key: the entry, its places, its visitors' names
NAMES = 8  # visitors besides its owner that an entry knows


@dataclass(slots=True)
class Entry(Generic[Value]):
    """Something that is remembered, how many bytes it takes, and whose they are."""

    value: Value
    size: int
    owner: str
    others: tuple[str, ...] = ()  # who used it too, at most NAMES


class FairCache(MutableMapping[Key, Value]):
    """Where there is no room, the visitor who holds most bytes gives up what has not been used for longest.

    So whoever asks for thousands of sentences flushes his own. An entry belongs to the visitor who had it made; a hit
    makes it young again. What its owner has to give up goes to another visitor who used it, to the one who holds
    least, and takes none of its room from anybody before: a class's sentence does not go with the one who asked first,
    and two who use the same things hold no more than any two. Visitors are told apart by name only: who comes under a
    thousand names holds a thousand shares.

    `getsizeof` says how many bytes a value takes; its key and what every entry takes are added. What is larger than the
    whole cache is not kept. Bytes never exceed `maxsize`. Whatever is done takes the time of one heap operation for
    every entry that is given up or goes to another. Not for several threads at once.
    """

    def __init__(self, maxsize: int, getsizeof: Callable[[Value], int]):
        self.maxsize, self.getsizeof = maxsize, getsizeof
        self.currsize = 0
        self.entries: dict[Key, Entry[Value]] = {}
        self.owned: dict[str, OrderedDict[Key, None]] = {}  # what every owner holds, used last, last
        self.held: Counter[str] = Counter()  # bytes of every owner
        self.heap: list[tuple[int, int, str]] = []  # who holds most first: -bytes, when it was noted, owner
        self.noted: dict[str, int] = {}  # when each owner's entry of the heap was noted; its other ones are out of date
        self.ticks = count()

    def size_of(self, key: Key, value: Value) -> int:
        """Bytes."""
        return ENTRY + len(repr(key)) + int(self.getsizeof(value))

    def __contains__(self, key: object) -> bool:
        """This is no hit."""
        return key in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.entries)

    def __getitem__(self, key: Key) -> Value:
        entry, visitor = self.entries[key], VISITOR.get()
        if visitor != entry.owner and visitor not in entry.others and len(entry.others) < NAMES:
            entry.others += (visitor,)
        self.owned[entry.owner].move_to_end(key)
        self.note(entry.owner)
        return entry.value

    def __setitem__(self, key: Key, value: Value) -> None:
        """A new value of something that is there stays its owner's."""
        before = self.entries.get(key)
        if before is not None:
            del self[key]
        owner, others = (before.owner, before.others) if before else (VISITOR.get(), ())
        entry = Entry(value, self.size_of(key, value), owner, others)
        if entry.size > self.maxsize:
            return
        while self.currsize + entry.size > self.maxsize:
            self.popitem()
        self.entries[key] = entry
        self.currsize += entry.size
        self.give(key, entry, entry.owner)

    def __delitem__(self, key: Key) -> None:
        entry = self.entries.pop(key)
        self.currsize -= entry.size
        self.take(key, entry)

    def popitem(self) -> tuple[Key, Value]:
        """Removes what is given up first; of owners who hold alike it is that of the one who used his the earliest."""
        while self.entries:
            owner = self.heaviest()
            key = next(iter(self.owned[owner]))
            entry = self.entries[key]
            if not entry.others:
                del self[key]
                return key, entry.value
            heir = min(entry.others, key=self.held.__getitem__)
            self.take(key, entry)
            entry.others = tuple(name for name in entry.others if name != heir)
            self.give(key, entry, heir)
        raise KeyError("nothing is remembered")

    def give(self, key: Key, entry: Entry[Value], owner: str) -> None:
        """The entry is this owner's, and the youngest that he has."""
        entry.owner = owner
        self.owned.setdefault(owner, OrderedDict())[key] = None
        self.held[owner] += entry.size
        self.note(owner)

    def take(self, key: Key, entry: Entry[Value]) -> None:
        """The entry is its owner's no more."""
        owner = entry.owner
        del self.owned[owner][key]
        self.held[owner] -= entry.size
        if self.owned[owner]:
            self.note(owner)
        else:
            del self.owned[owner], self.held[owner], self.noted[owner]

    def note(self, owner: str) -> None:
        """What he holds, or when he used it, has changed."""
        self.noted[owner] = next(self.ticks)
        heappush(self.heap, (-self.held[owner], self.noted[owner], owner))
        if len(self.heap) > 2 * len(self.noted) + 100:
            self.heap = [(-self.held[owner], tick, owner) for owner, tick in self.noted.items()]
            heapify(self.heap)

    def heaviest(self) -> str:
        """Who holds most bytes. Only while something is remembered."""
        while self.noted.get(self.heap[0][2]) != self.heap[0][1]:
            heappop(self.heap)
        return self.heap[0][2]


def stripped(function: Callable[..., Value]) -> Callable[..., Value]:
    """The function, whose texts lose the blanks around them, so that they are remembered once."""

    @wraps(function)
    def called(*given: Any) -> Value:
        return function(*(one.strip() if isinstance(one, str) else one for one in given))

    return called


class Remembered(Generic[Key, Value]):
    """`make(key)`, remembered; several threads may ask, and what two ask for at once is made once.

    `known_as` gives the same key for what is the same: a sentence without the blanks around it.
    """

    def __init__(
        self,
        make: Callable[[Key], Value],
        cache: FairCache[Key, Value],
        known_as: Callable[[Key], Key] = lambda key: key,
    ):
        self.make, self.cache, self.known_as = make, cache, known_as
        self.changed = Condition()  # guards the cache and what is being made
        self.being_made: set[Key] = set()

    def __call__(self, key: Key) -> Value:
        """Raises whatever `make` raises; nothing is remembered then."""
        key = self.known_as(key)
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
        asked = {self.known_as(key): visitor for key, visitor in asked.items()}
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
