"""The importance of feed-forward neurons for one translation: its drop of log-probability when one alone is held.

The translation is forced (teacher forcing). Neuron j of a layer adds h_j W_2[:, j] to the stream, so that holding it at
v adds (v - h_j) W_2[:, j] to the sum that the unchanged pass normalised. A run begins with that sum: only the layers
after it are computed again, for many neurons in a batch.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import get_args

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.experiments.experiment import NeuronAt
from explorer.experiments.forced import in_batches, read_pieces
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.trace import Trace
from model.cache import Cache
from model.decoding import Translator
from model.probe import Site, Stack
from model.transformer import Encoded

STACKS: tuple[Stack, ...] = get_args(Stack)
TRIED = 640  # neurons: among them are nearly all of the twenty strongest


def neuron_reach(forward_pass: ForwardPass, stack: Stack) -> Float[np.ndarray, "layer d_ff"]:
    """By how much each neuron moves the stream after its layer at most, to first order; 0 where it does not fire.

    At a position it is |h_j| ||g (w - mean(w))|| / s: w is its column of W_2, g the weight of the normalisation and s
    what that divides by. Neurons of different layers can be compared by it.
    """
    reach = []
    for number, layer in enumerate(getattr(forward_pass.model, stack).layers):
        site, norm = Site(stack, number, "feed_forward"), layer.feed_forward_norm.norm
        hidden, total = (forward_pass.tensors[site._replace(tensor=name)][0] for name in ("hidden", "sum"))
        scale = np.sqrt(total.var(axis=-1) + norm.eps)
        column = layer.feed_forward.w_2.weight.detach().cpu().numpy()
        moved = (column - column.mean(axis=0)) * norm.weight.detach().cpu().numpy()[:, None]
        reach.append((np.abs(hidden) / scale[:, None]).max(axis=0) * np.linalg.norm(moved, axis=0))
    return np.stack(reach)


def firing_neurons(forward_pass: ForwardPass) -> list[NeuronAt]:
    """The neurons that are above or below 0 somewhere, switched off; first those that move the stream most."""
    reach = {
        NeuronAt(stack, layer, index, 0.0): number
        for stack in STACKS
        for layer, row in enumerate(neuron_reach(forward_pass, stack).tolist())
        for index, number in enumerate(row)
        if number > 0
    }
    return sorted(reach, key=lambda neuron: -reach[neuron])


class HeldRuns:
    """Runs of the translation of a pass, each with one neuron held."""

    def __init__(self, forward_pass: ForwardPass):
        trace = forward_pass.trace
        self.forward_pass, self.translator, self.model = forward_pass, forward_pass.translator, forward_pass.model
        self.src, self.tgt_in = ([piece.id for piece in side] for side in (trace.source, trace.target))
        self.tgt_out = [step.predicted.id for step in trace.steps]

    def drops(self, neurons: Sequence[NeuronAt]) -> Float[np.ndarray, "held step"]:
        """The drop of each target piece's log-probability, in nats, with each of the neurons held alone."""
        with self.translator.inference():
            logits = self.tensor(Site("decoder", tensor="logits")).clone()
            unchanged = read_pieces(self.translator, logits, self.tgt_out)
            drops = np.zeros((len(neurons), len(self.tgt_out)))
            by_layer = sorted(range(len(neurons)), key=lambda row: neurons[row][:2])
            for _, rows in groupby(by_layer, lambda row: neurons[row][:2]):
                for batch in in_batches([*rows], self.src, self.tgt_out):
                    logits = self.logits([neurons[row] for row in batch])
                    drops[batch] = unchanged - read_pieces(self.translator, logits, self.tgt_out)
            return drops

    def logits(self, neurons: Sequence[NeuronAt]) -> Float[Tensor, "held step vocab"]:
        """The logits of a batch of runs: neurons[r], all of one layer, is held in row r."""
        stack, layer = neurons[0].stack, neurons[0].layer
        x, rows = self.streams(stack, layer, neurons), torch.zeros(len(neurons), dtype=torch.long)
        mask = self.tensor(Site(stack, tensor="mask"))[rows]
        if stack == "encoder":
            encoded = self.model.encoder.forward_from(layer + 1, x, mask)
            tgt_in = torch.tensor([self.tgt_in], device=self.translator.device)[rows]
            return self.model.decode(tgt_in, encoded).logits
        memory, memory_mask = (self.tensor(Site("decoder", tensor=name))[rows] for name in ("memory", "memory_mask"))
        encoded, cache = Encoded(memory, memory_mask, []), Cache(len(self.model.decoder.layers))
        output = self.model.decoder.forward_from(layer + 1, x, encoded=encoded, mask=mask, cache=cache)
        return self.model.projection(output.states)

    def streams(self, stack: Stack, layer: int, neurons: Sequence[NeuronAt]) -> Float[Tensor, "held position d_model"]:
        """The stream that leaves the neurons' layer, in row r with neurons[r] held and no other."""
        module, site = getattr(self.model, stack).layers[layer], Site(stack, layer, "feed_forward")
        indices = [neuron.index for neuron in neurons]
        hidden = self.tensor(site._replace(tensor="hidden"))[0, :, indices].T
        held = hidden.clone()
        for row, (*_, value, position) in zip(held, neurons, strict=True):
            row[slice(None) if position is None else slice(position, position + 1)] = value
        added = (held - hidden)[..., None] * module.feed_forward.w_2.weight[:, indices].T[:, None]
        return module.feed_forward_norm.norm(self.tensor(site._replace(tensor="sum")) + added)

    def tensor(self, site: Site) -> Tensor:
        return torch.from_numpy(self.forward_pass.tensors[site]).to(self.translator.device)


def rank_neurons(translator: Translator, trace: Trace, tried: int | None = TRIED) -> list[tuple[NeuronAt, float]]:
    """Neurons with the drop of a translation's log-probability, in nats, when each alone is off; the largest first.

    Of those that fire, only as many are tried as `tried` says: those that move the stream most. None tries all.
    """
    forward_pass = record_pass(translator, trace)
    neurons = firing_neurons(forward_pass)[:tried]
    lost = HeldRuns(forward_pass).drops(neurons).sum(axis=1)
    return sorted(zip(neurons, lost.tolist(), strict=True), key=lambda neuron: -neuron[1])
