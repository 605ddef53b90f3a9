"""Leave-one-out attribution: the effect on every German piece of hiding one English piece.

Neither the encoder's other pieces nor the decoder attend to a hidden piece. It keeps its position, so that those
of the others do not change. Every step is fed the original translation; the effect is the change of the original next
piece's log-probability (Li, Monroe and Jurafsky 2016, arXiv:1612.08220).

Attention need not agree with it. The encoder spreads a piece's information to its neighbours, so that a position with
attention holds more than its own piece, and a piece without attention can be needed (Jain and Wallace 2019,
arXiv:1902.10186; Wiegreffe and Pinter 2019, arXiv:1908.04626).
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.forced import in_batches, log_probabilities
from explorer.recording.trace import Trace
from model.decoding import Translator
from model.probe import Probe, Site, Visit

MASKS = (Site("encoder", tensor="mask"), Site("decoder", tensor="memory_mask"))


def hide_rows(positions: Sequence[int]) -> Visit:
    """A probe visit that hides the source's positions[r] from all attention in row r of a batch."""

    def visit(site: Site, tensor: Tensor) -> Tensor | None:
        if site not in MASKS:
            return None
        mask = tensor.clone()
        mask[range(len(positions)), :, :, list(positions)] = False
        return mask

    return visit


def omission(translator: Translator, trace: Trace, positions: Sequence[int]) -> Float[np.ndarray, "step position"]:
    """The change of every target piece's log-probability, in nats, when one of the source's positions is hidden.

    Below 0, the target piece needs the hidden one. The end of the source is a position, too. Raises IndexError if the
    source has no such position.
    """
    src, tgt_out = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    unchanged = log_probabilities(translator, src, tgt_out)
    probes = [(Probe(hide_rows(part)), range(len(part))) for part in in_batches(positions, src, tgt_out)]
    rows = [log_probabilities(translator, src, tgt_out, each, encoder=one, decoder=one) for one, each in probes]
    return np.concatenate([np.zeros((0, len(tgt_out))), *(row - unchanged for row in rows)]).T
