"""What was recorded for the last sentences; visitors share it, and what two ask for at once is recorded once."""

from collections.abc import Callable, Sequence
from threading import Condition

from cachetools import cached

from explorer.recording.forward_pass import Pass, record_pass
from explorer.recording.remembering import FairCache, Remembered, stripped
from explorer.recording.sentence import check
from explorer.recording.trace import Trace, record_together
from explorer.ui.limits import MAX_PIECES
from model.decoding import Translator

Together = Callable[[Translator, Sequence[str], Sequence[int]], Sequence[Trace]]  # as record_together

# Bytes. In the shipped model a sentence of 16 pieces takes 0.16 MB as a trace and 5.7 MB as a pass, one of 128 pieces
# 6 and 68 MB: hundreds of sentences are remembered, and 19 visitors look into usual ones at once.
TRACES = 32_000_000
PASSES = 112_000_000


class Recordings:
    """`trace(sentence)` and `forward_pass(*sentences)` of one translator, remembered.

    All traces are recorded by `together`, so that it alone decides where the model decodes. `share` is the part of the
    usual memory that it may take.
    """

    def __init__(self, translator: Translator, together: Together = record_together, share: float = 1.0):
        self.translator, self.together = translator, together
        self.trace = Remembered(self.recorded, FairCache(int(TRACES * share), Trace.memory), str.strip)
        passes = FairCache(int(PASSES * share), Pass.memory)
        self.forward_pass = stripped(cached(passes, condition=Condition())(self.recorded_pass))  # of one, or of a batch

    def remember(self, asked: Sequence[tuple[str, str]]) -> None:
        """Records in one batch what is not remembered yet of some visitors' sentences: pairs of visitor and sentence.

        A sentence that is refused is left out; `trace` says why. A sentence belongs to the first who asks for it.
        """
        wanted: dict[str, str] = {}
        for visitor, sentence in asked:
            if self.takes(sentence):
                wanted.setdefault(sentence, visitor)
        self.trace.make_together(wanted, self.recorded_together)

    def takes(self, sentence: str) -> bool:
        """Whether it is not refused."""
        try:
            check(sentence, self.translator)
        except ValueError:
            return False
        return True

    def recorded(self, sentence: str) -> Trace:
        """Raises ValueError, with a sentence for the visitor, where the text is refused."""
        (trace,) = self.recorded_together([sentence])
        return trace

    def recorded_together(self, sentences: Sequence[str]) -> Sequence[Trace]:
        """Raises ValueError, with a sentence for the visitor, where a text is refused."""
        texts = [check(sentence, self.translator) for sentence in sentences]
        limits = [self.translator.limit(len(self.translator.source_ids(text))) for text in texts]
        return self.together(self.translator, texts, [min(limit, MAX_PIECES) for limit in limits])

    def recorded_pass(self, *sentences: str) -> Pass:
        return record_pass(self.translator, *map(self.trace, sentences))
