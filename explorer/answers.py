"""What the page answers: to a sentence its trace, or the reason why there is none; to a choice a head's numbers."""

from threading import Condition

from cachetools import LRUCache, cached

from explorer.forward_pass import Pass, record_pass
from explorer.head import head_of
from explorer.masks import masks
from explorer.masks_prose import BATCH_SIZE
from explorer.payload import (
    KINDS,
    head_payload,
    masks_payload,
    packed_weights,
    refusal_payload,
    trace_payload,
)
from explorer.prose import MAX_PIECES
from explorer.sentence import check, notes
from explorer.trace import Kind, Trace, record
from model.decoding import Translator

REMEMBERED = 64  # sentences: each visitor of a class may look at another one
PASSES = 400e6  # bytes: in the shipped model a sentence of 16 pieces takes 6 MB, one of 128 pieces 60 MB


class Answers:
    """Records sentences and remembers the last ones. Visitors share it; what two ask for at once is recorded once."""

    def __init__(self, translator: Translator):
        self.translator = translator
        self.trace = cached(LRUCache(REMEMBERED), condition=Condition())(self.recorded)
        passes = LRUCache(PASSES, getsizeof=Pass.memory)
        self.passed = cached(passes, condition=Condition())(self.recorded_pass)  # of one sentence, or of a batch

    def recorded(self, sentence: str) -> Trace:
        """Raises ValueError, with a sentence for the visitor, where the text is refused."""
        text = check(sentence, self.translator)
        limit = self.translator.limit(len(self.translator.source_ids(text)))
        return record(self.translator, text, max_steps=min(limit, MAX_PIECES))

    def payload(self, text: str, request: int = 0) -> str:
        try:
            trace = self.trace(text.strip())
        except ValueError as reason:
            return refusal_payload(str(reason), request)
        return trace_payload(trace, notes(trace), request)

    def weights(self, sentence: str, kind: str) -> str:
        """The weights of one kind, for a trace too large to be sent at once."""
        wanted = known(kind)
        return packed_weights(self.trace(sentence), wanted)

    def recorded_pass(self, *sentences: str) -> Pass:
        return record_pass(self.translator, *map(self.trace, sentences))

    def head(self, sentence: str, kind: str, layer: int, head: int) -> str:
        """Every number of one head. Raises ValueError or IndexError where there is no such head."""
        wanted = known(kind)
        return head_payload(head_of(self.passed(sentence), wanted, layer, head))

    def masks(self, texts: list[str], kind: str, layer: int, head: int) -> str:
        """The masks of the sentences as one batch, or the reason why there are none."""
        wanted, sentences = known(kind), [text.strip() for text in texts if text.strip()]
        try:
            if not 2 <= len(sentences) <= 3:
                raise ValueError(BATCH_SIZE)
            traces = [self.trace(sentence) for sentence in sentences]
        except ValueError as reason:
            return refusal_payload(str(reason))
        whole = self.passed(*sentences)
        found = [masks(whole, wanted, layer, head, i) for i in range(len(traces))]
        (padding,) = self.translator.tokenizer.pieces([self.translator.tokenizer.pad_id])
        return masks_payload(list(zip(traces, found, strict=True)), wanted, padding)


def known(kind: str) -> Kind:
    if kind not in KINDS:
        raise ValueError(f"kind must be encoder, decoder or cross, not {kind!r}")
    return kind
