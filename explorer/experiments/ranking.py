"""The importance of every head for one translation: its drop of log-probability when that head alone is off.

The translation is forced (teacher forcing). Row r of a batch has head r off and no other, so that one pass serves many
heads; the first row is unchanged. Only encoder heads need an encoder row of their own: the others share the unchanged
memory.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.experiment import HeadAt, Off
from explorer.experiments.forced import in_batches, log_probabilities
from explorer.experiments.interventions import Change, Means, ablate_head
from explorer.experiments.running import example_means
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


def ablate_rows(heads: Sequence[HeadAt], first: int, by: Off, means: Means | None) -> Visit:
    """A probe visit that switches off heads[r] in row `first` + r of the batch only."""
    at: dict[Site, list[tuple[int, Change]]] = {}
    for row, head in enumerate(heads, first):
        site, change = ablate_head(head, by, means)
        at.setdefault(site, []).append((row, change))

    def visit(site: Site, tensor: Tensor) -> Tensor | None:
        if site not in at:
            return None
        changed = tensor.clone()
        for row, change in at[site]:
            changed[row : row + 1] = change(tensor[row : row + 1], 0)
        return changed

    return visit


def head_drops(
    translator: Translator,
    src: Sequence[int],
    tgt_out: Sequence[int],
    heads: Sequence[HeadAt] | None = None,
    *,
    by: Off = "zero",
    means: Means | None = None,
) -> Float[np.ndarray, "off step"]:
    """The drop of each target piece's log-probability, in nats, with each of some heads off, by default all.

    `src` are the ids of the sentence with EOS, `tgt_out` those of the translation; only "mean" needs `means`. The sum
    over the steps is the drop for the whole translation: below 0 if it is more probable without the head.
    """
    every = all_heads(translator.model.config)
    chosen = every if heads is None else heads
    ordered = [head for head in every if head in chosen]  # the encoder's first, as `batch_drops` needs them
    parts = [batch_drops(translator, src, tgt_out, batch, by, means) for batch in in_batches(ordered, src, tgt_out)]
    drops = np.concatenate([np.zeros((0, len(tgt_out))), *parts])
    return drops[[ordered.index(head) for head in chosen]]


def batch_drops(
    translator: Translator,
    src: Sequence[int],
    tgt_out: Sequence[int],
    heads: Sequence[HeadAt],
    by: Off,
    means: Means | None,
) -> Float[np.ndarray, "off step"]:
    """The drops of heads in the order of `all_heads`, in one batch."""
    n_encoder = sum(head.kind == "encoder" for head in heads)  # these come first; row 0 is unchanged
    encoder = Probe(ablate_rows(heads[:n_encoder], 1, by, means))
    decoder = Probe(ablate_rows(heads[n_encoder:], 1 + n_encoder, by, means))
    memory_of = [*range(1 + n_encoder), *[0] * (len(heads) - n_encoder)]
    scores = log_probabilities(translator, src, tgt_out, memory_of, encoder=encoder, decoder=decoder)
    return scores[0] - scores[1:]


def rank_heads(
    translator: Translator, trace: Trace, by: Off = "zero", means: Means | None = None
) -> list[tuple[HeadAt, float]]:
    """Every head with the drop of a translation's log-probability without it, in nats, the largest drop first.

    Only "mean" needs `means`: by default those of the example sentences.
    """
    if by == "mean" and means is None:
        means = example_means(translator)
    ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    lost = head_drops(translator, *ids, by=by, means=means).sum(axis=1)
    return sorted(zip(all_heads(translator.model.config), lost.tolist(), strict=True), key=lambda head: -head[1])
