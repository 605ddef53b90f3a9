"""How much every head matters for one translation: what its log-probability loses when the head alone is off.

The translation is fed as it was (teacher forcing). Row r of a batch has head r off and no other, so that many heads
take one pass; the first row is unchanged. Only rows of encoder heads need an encoder row of their own: the others
share the unchanged memory.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.experiment import HeadAt, Off
from explorer.experiments.forced import in_batches, log_probabilities
from explorer.experiments.interventions import Change, Means, head_off
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import Trace
from model.config import ModelConfig
from model.decoding import Translator
from model.probe import KINDS, Probe, Site, Visit


def all_heads(config: ModelConfig) -> tuple[HeadAt, ...]:
    """The heads of all kinds: first the encoder's, then the decoder's, then those of cross-attention, by layer."""
    layers = layers_by_kind(config)
    return tuple(
        HeadAt(kind, layer, head) for kind in KINDS for layer in range(layers[kind]) for head in range(config.n_heads)
    )


def rows_off(heads: Sequence[HeadAt], first: int, by: Off, means: Means | None) -> Visit:
    """The visit that switches heads[r] off in row `first` + r of the batch, and in no other."""
    at: dict[Site, list[tuple[int, Change]]] = {}
    for row, head in enumerate(heads, first):
        site, change = head_off(head, by, means)
        at.setdefault(site, []).append((row, change))

    def visit(site: Site, tensor: Tensor) -> Tensor | None:
        if site not in at:
            return None
        changed = tensor.clone()
        for row, change in at[site]:
            changed[row : row + 1] = change(tensor[row : row + 1], 0)
        return changed

    return visit


def drops(
    translator: Translator,
    src: Sequence[int],
    tgt_out: Sequence[int],
    part: slice = slice(None),
    *,
    by: Off = "zero",
    means: Means | None = None,
) -> Float[np.ndarray, "off step"]:
    """By how many nats each piece of a translation is less probable with a head off, for a part of `all_heads`.

    `src` are the sentence's ids with its end, `tgt_out` those of the translation; `means` are for "mean" alone. Summed
    over the steps it is the drop of the whole translation's log-probability: below 0 where the translation is likelier
    without the head.
    """
    heads = all_heads(translator.model.config)[part]
    batches = in_batches(heads, src, tgt_out)
    found = [drops_together(translator, src, tgt_out, batch, by, means) for batch in batches]
    return np.concatenate([np.zeros((0, len(tgt_out))), *found])


def drops_together(
    translator: Translator,
    src: Sequence[int],
    tgt_out: Sequence[int],
    heads: Sequence[HeadAt],
    by: Off,
    means: Means | None,
) -> Float[np.ndarray, "off step"]:
    """The drops of some heads that follow each other, in one batch."""
    own = sum(head.kind == "encoder" for head in heads)  # these come first; row 0 is unchanged
    encoder = Probe(rows_off(heads[:own], 1, by, means))
    decoder = Probe(rows_off(heads[own:], 1 + own, by, means))
    memory_of = [*range(1 + own), *[0] * (len(heads) - own)]
    found = log_probabilities(translator, src, tgt_out, memory_of, encoder=encoder, decoder=decoder)
    return found[0] - found[1:]


def rank_heads(
    translator: Translator, trace: Trace, by: Off = "zero", means: Means | None = None
) -> list[tuple[HeadAt, float]]:
    """Every head with what a recorded translation's log-probability loses without it, in nats, the largest loss first.

    `means` are those of `example_means`, for "mean" alone.
    """
    ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    lost = drops(translator, *ids, by=by, means=means).sum(axis=1)
    return sorted(zip(all_heads(translator.model.config), lost.tolist(), strict=True), key=lambda head: -head[1])
