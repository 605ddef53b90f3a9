"""What was recorded for the last sentences; visitors share it, and what two ask for at once is recorded once."""

from threading import Condition

from cachetools import LRUCache, cached

from explorer.recording.forward_pass import Pass, record_pass
from explorer.recording.sentence import check
from explorer.recording.trace import Trace, record
from explorer.shared.limits import MAX_PIECES
from model.decoding import Translator

TRACES = 64  # sentences: each visitor of a class may look at another one
PASSES = 400e6  # bytes: in the shipped model a sentence of 16 pieces takes 6 MB, one of 128 pieces 60 MB


class Recordings:
    """`trace(sentence)` and `forward_pass(*sentences)` of one translator, remembered."""

    def __init__(self, translator: Translator):
        self.translator = translator
        self.trace = cached(LRUCache(TRACES), condition=Condition())(self.recorded)
        passes = LRUCache(PASSES, getsizeof=Pass.memory)
        self.forward_pass = cached(passes, condition=Condition())(self.recorded_pass)  # of one sentence, or of a batch

    def recorded(self, sentence: str) -> Trace:
        """Raises ValueError, with a sentence for the visitor, where the text is refused."""
        text = check(sentence, self.translator)
        limit = self.translator.limit(len(self.translator.source_ids(text)))
        return record(self.translator, text, max_steps=min(limit, MAX_PIECES))

    def recorded_pass(self, *sentences: str) -> Pass:
        return record_pass(self.translator, *map(self.trace, sentences))
