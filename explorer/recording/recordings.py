"""A thread-safe cache of traces and forward passes, shared by all visitors; each is computed only once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from threading import Condition
from typing import Any, Generic, TypeVar

from cachetools import Cache, LRUCache, cached

from explorer.recording import MAX_PIECES
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, record_batch
from model.decoding import Translator
from model.errors import UserError

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

    def peek(self, key: Key) -> Value | None:
        """The cached value of a key, which counts as no use of it: the order of eviction stays."""
        with self.changed:
            return Cache.__getitem__(self.cache, key) if key in self.cache else None

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


RecordBatch = Callable[[Translator, Sequence[str], Sequence[int]], Sequence[Trace]]  # the type of `record_batch`

# All that a page keeps of what it computed: what is evicted is computed again alike. In the shipped model a sentence of
# 16 pieces takes 0.16 MB as a trace, 5.7 MB as a pass and 0.05 MB as a compressed answer, one of 128 6, 68 and 2.
MAX_BYTES = 160_000_000
SHARES = {"traces": 0.1, "passes": 0.45, "answers": 0.2, "changed": 0.1, "rescored": 0.1, "omissions": 0.05}


class Recordings:
    """`trace(sentence)` and `forward_pass(sentence)` of one translator, cached.

    `record_batch` records all traces, so it alone decides on which device the model decodes. `max_bytes` bounds all
    caches about this translator together, also those of a laboratory and of answers.
    """

    def __init__(self, translator: Translator, record_batch: RecordBatch = record_batch, max_bytes: int = MAX_BYTES):
        self.translator, self.record_batch, self.max_bytes = translator, record_batch, max_bytes
        traces: LRUCache[str, Trace] = LRUCache(self.share("traces"), Trace.memory)
        passes: LRUCache[tuple[str], ForwardPass] = LRUCache(self.share("passes"), ForwardPass.memory)
        self.traces = BatchCache(self.record_traces, traces)
        self.forward_pass = strip_arguments(cached(passes, condition=Condition())(self.record_pass))

    def share(self, cache: str) -> int:
        """The bytes that one of the caches in SHARES may hold."""
        return int(self.max_bytes * SHARES[cache])

    def trace(self, sentence: str) -> Trace:
        """The trace of a sentence. Raises UserError if the text is refused."""
        return self.traces(sentence.strip())

    def translate_batch(self, texts: Sequence[str]) -> None:
        """Records in one batch all texts that are not cached yet; skips refused ones (`trace` says why)."""
        self.traces.add_all([text.strip() for text in texts if self.is_accepted(text)])

    def is_accepted(self, sentence: str) -> bool:
        try:
            check_sentence(sentence, self.translator)
        except UserError:
            return False
        return True

    def record_traces(self, sentences: Sequence[str], record_batch: RecordBatch | None = None) -> Sequence[Trace]:
        """Traces that are not cached; `record_batch` is by default that of these recordings.

        Raises UserError if a text is refused.
        """
        texts = [check_sentence(sentence, self.translator) for sentence in sentences]
        limits = [self.translator.limit(len(self.translator.source_ids(text))) for text in texts]
        return (record_batch or self.record_batch)(self.translator, texts, [min(limit, MAX_PIECES) for limit in limits])

    def record_pass(self, sentence: str) -> ForwardPass:
        return record_pass(self.translator, self.trace(sentence))
