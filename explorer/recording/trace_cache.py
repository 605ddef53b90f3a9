"""A thread-safe cache that computes batches, and each key only once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from threading import Condition
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def strip_arguments(function: Callable[..., Value]) -> Callable[..., Value]:
    """Wraps a function to strip its text arguments, so that equal sentences share a cache entry."""

    @wraps(function)
    def call(*arguments: Any) -> Value:
        return function(*(one.strip() if isinstance(one, str) else one for one in arguments))

    return call


class BatchCache(Generic[Key, Value]):
    """A cache of `compute_all(keys)`; threads that ask for a pending key wait for it."""

    def __init__(self, compute_all: Callable[[Sequence[Key]], Sequence[Value]], cache: LRUCache[Key, Value]):
        self.compute_all, self.cache = compute_all, cache
        self.changed = Condition()  # guards the cache and the pending keys
        self.pending: set[Key] = set()

    def __call__(self, key: Key) -> Value:
        """The value of a key. Raises whatever `compute_all` raises, and caches nothing then."""
        with self.changed:
            self.changed.wait_for(lambda: key not in self.pending)
            if key in self.cache:
                return self.cache[key]
            self.pending.add(key)
        with self.finishing([key]):
            (value,) = self.compute_all([key])
            self.put(key, value)
            return value

    def add_all(self, keys: Sequence[Key]) -> None:
        """Computes in one batch the keys that are neither cached nor pending."""
        with self.changed:
            new = [key for key in dict.fromkeys(keys) if key not in self.cache and key not in self.pending]
            self.pending.update(new)
        with self.finishing(new):
            for key, value in zip(new, self.compute_all(new) if new else (), strict=True):
                self.put(key, value)

    def put(self, key: Key, value: Value) -> None:
        with self.changed, suppress(ValueError):  # larger than the whole cache
            self.cache[key] = value

    @contextmanager
    def finishing(self, keys: Sequence[Key]) -> Iterator[None]:
        """Removes the keys from the pending ones on exit, also after an error, and wakes waiting threads."""
        try:
            yield
        finally:
            with self.changed:
                self.pending.difference_update(keys)
                self.changed.notify_all()
