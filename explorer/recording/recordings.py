"""A cache of traces and forward passes, shared by all visitors."""

from collections.abc import Callable, Sequence
from threading import Condition

from cachetools import LRUCache, cached

from explorer.recording.forward_pass import Pass, record_pass
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, record_batch
from explorer.recording.trace_cache import BatchCache, strip_arguments
from explorer.ui.limits import MAX_PIECES
from model.decoding import Translator

RecordBatch = Callable[[Translator, Sequence[str], Sequence[int]], Sequence[Trace]]  # the type of `record_batch`

# In the shipped model a sentence of 16 pieces takes 0.16 MB as a trace and 5.7 MB as a pass, one of 128 pieces 6 and
# 68 MB: the caches hold hundreds of usual sentences, and the passes of 19.
MAX_TRACE_BYTES = 32_000_000
MAX_PASS_BYTES = 112_000_000


class Recordings:
    """`trace(sentence)` and `forward_pass(*sentences)` of one translator, cached.

    `record_batch` records all traces, so it alone decides on which device the model decodes. `cache_share` is the part
    of MAX_TRACE_BYTES and MAX_PASS_BYTES that the caches may use.
    """

    def __init__(self, translator: Translator, record_batch: RecordBatch = record_batch, cache_share: float = 1.0):
        self.translator, self.record_batch = translator, record_batch
        traces: LRUCache[str, Trace] = LRUCache(int(MAX_TRACE_BYTES * cache_share), Trace.memory)
        passes: LRUCache[tuple[str, ...], Pass] = LRUCache(int(MAX_PASS_BYTES * cache_share), Pass.memory)
        self.traces = BatchCache(self.record_traces, traces)
        self.forward_pass = strip_arguments(cached(passes, condition=Condition())(self.record_pass))

    def trace(self, sentence: str) -> Trace:
        """The trace of a sentence. Raises ValueError, with a sentence for the visitor, if the text is refused."""
        return self.traces(sentence.strip())

    def translate_batch(self, sentences: Sequence[str]) -> None:
        """Records in one batch what is not cached yet; skips refused sentences (`trace` says why)."""
        self.traces.add_all([sentence.strip() for sentence in sentences if self.is_accepted(sentence)])

    def is_accepted(self, sentence: str) -> bool:
        try:
            check_sentence(sentence, self.translator)
        except ValueError:
            return False
        return True

    def record_traces(self, sentences: Sequence[str]) -> Sequence[Trace]:
        """Raises ValueError, with a sentence for the visitor, if a text is refused."""
        texts = [check_sentence(sentence, self.translator) for sentence in sentences]
        limits = [self.translator.limit(len(self.translator.source_ids(text))) for text in texts]
        return self.record_batch(self.translator, texts, [min(limit, MAX_PIECES) for limit in limits])

    def record_pass(self, *sentences: str) -> Pass:
        return record_pass(self.translator, *map(self.trace, sentences))
