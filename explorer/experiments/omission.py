"""Leave one out: what every German piece loses when one English piece is hidden, beside what was looked at.

A hidden piece is one that nothing attends to: neither the encoder's other pieces nor the decoder. It keeps its place,
so that the positions of the others stay as they are. Every step is fed the original German, and what changes is the
log-probability of the original next piece (Li, Monroe and Jurafsky 2016, arXiv:1612.08220).

Attention and this need not agree. What a piece means spreads to its neighbours in the encoder, so that a position that
is looked at holds more than its own piece, and a piece can be needed where nobody looks (Jain and Wallace 2019,
arXiv:1902.10186; Wiegreffe and Pinter 2019, arXiv:1908.04626).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.forced import in_batches, log_probabilities
from explorer.recording.trace import Trace
from model.decoding import Translator
from model.probe import Probe, Site

MASKS = (Site("encoder", tensor="mask"), Site("decoder", tensor="memory_mask"))


@dataclass(frozen=True)
class Hiding:
    """A visit that hides, in row r of a batch, the rth of some places of the source from all attention."""

    places: Sequence[int]

    def __call__(self, site: Site, tensor: Tensor) -> Tensor | None:
        if site not in MASKS:
            return None
        mask = tensor.clone()
        mask[range(len(self.places)), :, :, list(self.places)] = False
        return mask


def omission(translator: Translator, trace: Trace, places: Sequence[int]) -> Float[np.ndarray, "step place"]:
    """The change of every German piece's log-probability, in nats, when one of the source's places is hidden.

    Below 0 the German piece becomes less probable: it needs what was hidden. The end of the source is a place as well.
    Raises IndexError where the source has no such place.
    """
    src, tgt_out = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    unchanged = log_probabilities(translator, src, tgt_out)
    probes = [(Probe(Hiding(part)), range(len(part))) for part in in_batches(places, src, tgt_out)]
    rows = [log_probabilities(translator, src, tgt_out, each, encoder=one, decoder=one) for one, each in probes]
    return np.concatenate([np.zeros((0, len(tgt_out))), *(row - unchanged for row in rows)]).T
