"""What an experiment does to the tensors of one run, through the model's probe; no weight is ever changed.

A head that is off still computes its weights, but something else stands for what it gives:

- zero: its output is 0, so that W_O adds nothing for it;
- uniform: its scores are all 0, so that it takes the mean of all values it may attend to;
- mean: its output is, at every position, its mean over the example sentences;
- special: it attends to the special piece alone, `<s>` in the decoder and `</s>` in the source.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.experiment import Experiment, HeadAt, Off, Patch, PositionChange
from explorer.recording.forward_pass import Pass
from explorer.recording.head import layer_output, layers_by_kind
from model.decoding import Translator
from model.probe import ATTENTION, KINDS, Kind, Probe, Site, Stack

Change = Callable[[Tensor, int], Tensor]  # of a tensor, in the decoder the position of its first row
Means = dict[Kind, Float[Tensor, "layer head d_value"]]


class Intervention:
    """A visit that replaces tensors of one run, unpadded and without company in its batch, cached or not."""

    def __init__(self, changes: Iterable[tuple[Site, Change]]):
        self.changes: dict[Site, list[Change]] = {}
        for site, change in changes:
            self.changes.setdefault(site, []).append(change)
        self.start = 0  # the position of the first piece that the decoder is fed

    def __call__(self, site: Site, tensor: Tensor) -> Tensor | None:
        if site == Site("decoder", tensor="mask"):
            self.start = tensor.size(-1) - tensor.size(-2)
        changes = self.changes.get(site)
        if changes is None:
            return None
        for change in changes:
            tensor = change(tensor, self.start if site.stack == "decoder" else 0)
        return tensor


def head_off(head: HeadAt, by: Off, means: Means | None) -> tuple[Site, Change]:
    """Where a head is switched off, and how. `means` are those of all heads, for "mean" alone."""
    place = ATTENTION[head.kind]._replace(layer=head.layer)
    special = 0 if head.kind == "decoder" else -1

    def change(tensor: Tensor, start: int) -> Tensor:
        tensor = tensor.clone()
        part = tensor[:, head.head]
        if by == "mean":
            assert means is not None
            part[:] = means[head.kind][head.layer, head.head]
        elif by == "special":
            part.fill_(-math.inf)
            part[..., special] = 0
        else:
            part.fill_(0)
        return tensor

    return place._replace(tensor="heads" if by in ("zero", "mean") else "scores"), change


def hide(pieces: Sequence[int]) -> tuple[Site, Change]:
    """Masks source pieces as keys; the memory's mask is the same one."""

    def change(mask: Tensor, start: int) -> Tensor:
        mask = mask.clone()
        mask[..., list(pieces)] = False
        return mask

    return Site("encoder", tensor="mask"), change


def reposition(
    table: Float[Tensor, "position d_model"], stack: Stack, how: PositionChange, *, order: Sequence[int], shift: int
) -> tuple[Site, Change]:
    """Other rows of the table of positions; beyond the end of a shuffled `order` each position is its own."""

    def change(positions: Tensor, start: int) -> Tensor:
        if how == "off":
            return torch.zeros_like(positions)
        places = range(start, start + len(positions))
        if how == "shifted":
            return table[[place + shift for place in places]]
        return table[[order[place] if place < len(order) else place for place in places]]

    return Site(stack, tensor="positions"), change


def shuffled_order(length: int, seed: int) -> list[int]:
    """The numbers below `length` in the random order of a seed."""
    order = list(range(length))
    random.Random(seed).shuffle(order)
    return order


def patches(patch: Patch, donor: Pass) -> Iterable[tuple[Site, Change]]:
    """Copies from the donor's pass, where the run has the position too."""

    def given(site: Site) -> Tensor:
        return torch.from_numpy(donor.tensors[site][0]).to(donor.translator.device)

    for kind, layer, head in patch.heads:
        site = ATTENTION[kind]._replace(layer=layer, tensor="heads")
        yield site, copied_head(given(site), head)
    for stack, layer, position in patch.cells:
        site = layer_output(stack, layer)
        yield site, copied_cell(given(site), position)


def copied_head(heads: Float[Tensor, "head query d_value"], head: int) -> Change:
    def change(tensor: Tensor, start: int) -> Tensor:
        tensor = tensor.clone()
        rows = heads[head, start : start + tensor.size(2)]
        tensor[:, head, : len(rows)] = rows
        return tensor

    return change


def copied_cell(stream: Float[Tensor, "position d_model"], position: int) -> Change:
    def change(tensor: Tensor, start: int) -> Tensor:
        if not start <= position < min(start + tensor.size(1), len(stream)):
            return tensor
        tensor = tensor.clone()
        tensor[:, position - start] = stream[position]
        return tensor

    return change


def changes_of(
    experiment: Experiment,
    translator: Translator,
    *,
    lengths: dict[Stack, int],
    means: Means | None,
    donor: Pass | None,
) -> Iterable[tuple[Site, Change]]:
    """All that an experiment changes; `lengths` are the positions to shuffle in each stack."""
    if experiment.hidden:
        yield hide(experiment.hidden)
    stacks: tuple[tuple[Stack, PositionChange | None], ...]
    stacks = (("encoder", experiment.encoder_positions), ("decoder", experiment.decoder_positions))
    for stack, how in stacks:
        if how:
            table = getattr(translator.model, stack).embedding.positions
            order = shuffled_order(lengths[stack], experiment.seed)
            yield reposition(table, stack, how, order=order, shift=experiment.shift)
    for head in experiment.off:
        yield head_off(head, experiment.off_by, means)
    if experiment.patch:
        assert donor is not None
        yield from patches(experiment.patch, donor)


@torch.inference_mode()
def head_means(translator: Translator, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> Means:
    """Every head's mean output over all positions of some translations, given as ids of source and decoder input."""
    config = translator.model.config
    layers = layers_by_kind(config)
    sums = {kind: torch.zeros(layers[kind], config.n_heads, config.d_value) for kind in KINDS}
    counts = dict.fromkeys(KINDS, 0)
    kinds: dict[Site, Kind] = {place: kind for kind, place in ATTENTION.items()}

    def visit(site: Site, tensor: Tensor) -> None:
        if site.tensor == "heads" and site.layer is not None:
            kind = kinds[site._replace(layer=None, tensor="")]
            sums[kind][site.layer] += tensor[0].sum(dim=1).cpu()
            counts[kind] += tensor.size(2) if site.layer == 0 else 0

    probe = Probe(visit)
    for src, tgt_in in pairs:
        translator.decode(tgt_in, translator.encode(src, probe), probe)
    return {kind: (sums[kind] / counts[kind]).to(translator.device) for kind in KINDS}
