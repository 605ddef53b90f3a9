"""Interventions: changes of a run's tensors through the model's probe. Parameters are never changed.

A head that is off still computes its weights, but its result is replaced (`Off`):

- zero: its output is 0 (zero ablation), so that W_O adds nothing for it;
- uniform: its scores are all 0, so that it averages all values it may attend to;
- mean: its output at every position is its mean over the example sentences (mean ablation);
- special: it attends to the special piece alone, `<s>` in the decoder and `</s>` in the source.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.experiment import Experiment, HeadAt, NeuronAt, Off, Patch, PositionChange
from explorer.recording.forward_pass import ForwardPass
from explorer.recording.head import layer_output, layers_by_kind
from model.decoding import Translator
from model.probe import ATTENTION, KINDS, Kind, Probe, Site, Stack

Change = Callable[[Tensor, int], Tensor]  # (tensor, position of its first row) -> tensor
Means = dict[Kind, Float[Tensor, "layer head d_value"]]


class Intervention:
    """A probe visit that replaces tensors of one unbatched run, with or without key-value cache."""

    def __init__(self, changes: Iterable[tuple[Site, Change]]):
        self.changes: dict[Site, list[Change]] = {}
        for site, change in changes:
            self.changes.setdefault(site, []).append(change)
        self.start = 0  # position of the first piece fed to the decoder in this call

    def __call__(self, site: Site, tensor: Tensor) -> Tensor | None:
        if site == Site("decoder", tensor="mask"):
            self.start = tensor.size(-1) - tensor.size(-2)
        changes = self.changes.get(site)
        if changes is None:
            return None
        for change in changes:
            tensor = change(tensor, self.start if site.stack == "decoder" else 0)
        return tensor


def ablate_head(head: HeadAt, by: Off, means: Means | None) -> tuple[Site, Change]:
    """The site and the change that switch a head off. Only "mean" needs `means`. Raises ValueError for another way."""
    if by not in get_args(Off):
        raise ValueError(f"A head is off by {', '.join(get_args(Off))}, not by {by!r}.")
    site = ATTENTION[head.kind]._replace(layer=head.layer)
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

    return site._replace(tensor="heads" if by in ("zero", "mean") else "scores"), change


def hold_neurons(neurons: Iterable[NeuronAt]) -> Iterable[tuple[Site, Change]]:
    """The change of each feed-forward network that has some of the neurons. Values for one position come last."""
    by_site: dict[Site, list[NeuronAt]] = {}
    for neuron in sorted(neurons, key=lambda neuron: neuron.position is not None):
        site = Site(neuron.stack, neuron.layer, "feed_forward", "hidden")
        by_site.setdefault(site, []).append(neuron)
    return [(site, hold_values(held)) for site, held in by_site.items()]


def hold_values(neurons: Iterable[NeuronAt]) -> Change:
    def change(hidden: Tensor, start: int) -> Tensor:
        hidden = hidden.clone()
        for neuron in neurons:
            if neuron.position is None:
                hidden[..., neuron.index] = neuron.value
            elif start <= neuron.position < start + hidden.size(1):
                hidden[:, neuron.position - start, neuron.index] = neuron.value
        return hidden

    return change


def hide_pieces(pieces: Sequence[int]) -> tuple[Site, Change]:
    """Masks source pieces as keys, in the encoder and in cross-attention, which share the mask."""

    def change(mask: Tensor, start: int) -> Tensor:
        mask = mask.clone()
        mask[..., list(pieces)] = False
        return mask

    return Site("encoder", tensor="mask"), change


def reposition(
    table: Float[Tensor, "position d_model"], stack: Stack, how: PositionChange, *, order: Sequence[int], shift: int
) -> tuple[Site, Change]:
    """Replaces positional encodings; positions beyond the end of a shuffled `order` stay as they are."""

    def change(positions: Tensor, start: int) -> Tensor:
        if how == "off":
            return torch.zeros_like(positions)
        indices = range(start, start + len(positions))
        if how == "shifted":
            return table[[index + shift for index in indices]]
        return table[[order[index] if index < len(order) else index for index in indices]]

    return Site(stack, tensor="positions"), change


def shuffled_order(length: int, seed: int) -> list[int]:
    """The numbers below `length`, shuffled with a seed."""
    order = list(range(length))
    random.Random(seed).shuffle(order)
    return order


def patches(patch: Patch, donor: ForwardPass) -> Iterable[tuple[Site, Change]]:
    """Changes that copy activations from the donor's pass, at the positions that the run has, too."""

    def donor_tensor(site: Site) -> Tensor:
        return torch.from_numpy(donor.tensors[site][0]).to(donor.translator.device)

    for kind, layer, head in patch.heads:
        site = ATTENTION[kind]._replace(layer=layer, tensor="heads")
        yield site, copy_head(donor_tensor(site), head)
    for stack, layer, position in patch.cells:
        site = layer_output(stack, layer)
        yield site, copy_cell(donor_tensor(site), position)


def copy_head(heads: Float[Tensor, "head query d_value"], head: int) -> Change:
    def change(tensor: Tensor, start: int) -> Tensor:
        tensor = tensor.clone()
        rows = heads[head, start : start + tensor.size(2)]
        tensor[:, head, : len(rows)] = rows
        return tensor

    return change


def copy_cell(stream: Float[Tensor, "position d_model"], position: int) -> Change:
    def change(tensor: Tensor, start: int) -> Tensor:
        if not start <= position < min(start + tensor.size(1), len(stream)):
            return tensor
        tensor = tensor.clone()
        tensor[:, position - start] = stream[position]
        return tensor

    return change


def experiment_changes(
    experiment: Experiment,
    translator: Translator,
    *,
    lengths: dict[Stack, int],
    means: Means | None,
    donor: ForwardPass | None,
) -> Iterable[tuple[Site, Change]]:
    """The changes of an experiment; `lengths` is the number of positions to shuffle in each stack."""
    if experiment.hidden:
        yield hide_pieces(experiment.hidden)
    stacks: tuple[tuple[Stack, PositionChange | None], ...]
    stacks = (("encoder", experiment.encoder_positions), ("decoder", experiment.decoder_positions))
    for stack, how in stacks:
        if how:
            table = getattr(translator.model, stack).embedding.positions
            order = shuffled_order(lengths[stack], experiment.seed)
            yield reposition(table, stack, how, order=order, shift=experiment.shift)
    for head in experiment.off:
        yield ablate_head(head, experiment.off_by, means)
    yield from hold_neurons(experiment.neurons)
    if experiment.patch:
        assert donor is not None
        yield from patches(experiment.patch, donor)


def head_means(translator: Translator, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> Means:
    """Every head's mean output over all positions of translations, which are pairs of source and decoder-input ids."""
    with translator.inference():
        config = translator.model.config
        layers = layers_by_kind(config)
        sums = {kind: torch.zeros(layers[kind], config.n_heads, config.d_value) for kind in KINDS}
        counts = dict.fromkeys(KINDS, 0)
        kinds: dict[Site, Kind] = {site: kind for kind, site in ATTENTION.items()}

        def visit(site: Site, tensor: Tensor) -> None:
            if site.tensor == "heads" and site.layer is not None:
                kind = kinds[site._replace(layer=None, tensor="")]
                sums[kind][site.layer] += tensor[0].sum(dim=1).cpu()
                counts[kind] += tensor.size(2) if site.layer == 0 else 0

        probe = Probe(visit)
        for src, tgt_in in pairs:
            translator.decode(tgt_in, translator.encode(src, probe), probe)
        return {kind: (sums[kind] / counts[kind]).to(translator.device) for kind in KINDS}
