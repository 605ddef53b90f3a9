"""What the page answers: to a sentence its trace, or the reason why there is none; to a choice a head's numbers."""

from functools import lru_cache

from explorer.forward_pass import Pass, record_pass
from explorer.head import head_of
from explorer.inside_prose import BATCH_SIZE
from explorer.masks import masks
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

REMEMBERED = 8  # sentences: a class that clicks the same example is translated once
PASSES = 4  # sentences: all tensors of one take about 10 MB in the shipped model, 40 MB in the paper's


class Answers:
    """Records sentences and remembers the last few traces. Visitors share it; traces never change."""

    def __init__(self, translator: Translator):
        self.translator = translator
        self.trace = lru_cache(REMEMBERED)(self.recorded)
        self.passed = lru_cache(PASSES)(self.recorded_pass)  # of one sentence, or of a batch

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
