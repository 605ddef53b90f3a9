"""Activation patching: which part of one sentence's run carries what makes its German another sentence's.

A part of sentence A's run, one head's output or one position's stream, replaces the same part of sentence B's run,
and it is seen whether the German follows A (Vig et al. 2020, arXiv:2004.12265; Meng et al. 2022, arXiv:2202.05262;
Heimersheim and Nanda 2024, arXiv:2404.15255, on what such a measure says).

What is measured belongs to the first step at which the two translations part. Both runs are fed what they have in
common, so that nothing but the sentence differs, and a run's *preference* is the log-probability of A's next piece
minus that of B's, in nats. On the scale of `share` B's own run has 0 and A's own run 1; below 0 a patch takes the
translation further away from A, above 1 it goes beyond A.

Sentences of different lengths: position i goes to position i, as far as both have it; what the longer one has beyond
stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.experiments import words
from explorer.experiments.experiment import CellAt, HeadAt
from explorer.experiments.ranking import all_heads
from explorer.recording.head import layer_output
from explorer.recording.trace import Trace
from model.decoding import Translator
from model.probe import ATTENTION, NO_PROBE, Probe, Site, Stack

Place = HeadAt | CellAt
NEARLY = 1e-3  # nats: two runs whose preferences are closer than this have nothing between them to measure by
ROWS = 64  # of one batch: more make nothing faster, and their tensors take their room


@dataclass(frozen=True, eq=False)
class Parting:
    """Two sentences, and the first step at which their translations part. Made by `parting`."""

    translator: Translator
    taken_from: tuple[int, ...]  # A's ids
    put_into: tuple[int, ...]  # B's ids
    tgt_in: tuple[int, ...]  # BOS and what both translations begin with
    toward: int  # the piece that A's translation goes on with
    away: int  # the piece that B's goes on with

    @property
    def step(self) -> int:
        """The zero-based step that is measured."""
        return len(self.tgt_in) - 1

    @property
    def positions(self) -> dict[Stack, int]:
        """How many positions both runs have, in each stack."""
        return {"encoder": min(len(self.taken_from), len(self.put_into)), "decoder": len(self.tgt_in)}


def parting(translator: Translator, taken_from: Trace, put_into: Trace) -> Parting:
    """Raises ValueError, with a sentence for the visitor, where no step tells the two translations apart."""
    first, second = ([step.predicted.id for step in trace.steps] for trace in (taken_from, put_into))
    common = next((t for t, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if common is None:
        raise ValueError(words.PATCHING["alike"])
    return Parting(
        translator,
        tuple(piece.id for piece in taken_from.source),
        tuple(piece.id for piece in put_into.source),
        (translator.tokenizer.bos_id, *first[:common]),
        first[common],
        second[common],
    )


def cell_places(found: Parting, stack: Stack) -> list[CellAt]:
    """Every stream of a stack at the positions that both runs have, layer by layer, the embedding (-1) first."""
    layers = range(-1, found.translator.model.config.layers(stack))
    return [CellAt(stack, layer, position) for layer in layers for position in range(found.positions[stack])]


@dataclass(eq=False)
class Grafting:
    """A visit that replaces, in row r of a batch of B's runs, the rth of some places by what A's run has there."""

    places: Sequence[Place]
    tensors: dict[Site, Tensor]  # of A's run, a batch of one
    positions: dict[Stack, int]
    rows: dict[Site, list[int]] = field(init=False)

    def __post_init__(self):
        self.rows = {}
        for row, place in enumerate(self.places):
            self.rows.setdefault(site_of(place), []).append(row)

    def __call__(self, site: Site, tensor: Tensor) -> Tensor | None:
        rows = self.rows.get(site)
        if rows is None:
            return None
        patched, donor = tensor.clone(), self.tensors[site][0]
        shared = self.positions[site.stack]
        for row in rows:
            place = self.places[row]
            part = (place.head, slice(shared)) if isinstance(place, HeadAt) else (place.position,)
            patched[row, *part] = donor[part]
        return patched


def site_of(place: Place) -> Site:
    """Where in the model a place is met."""
    if isinstance(place, CellAt):
        return layer_output(place.stack, place.layer)
    return ATTENTION[place.kind]._replace(layer=place.layer, tensor="heads")


def preference(
    found: Parting, src: Int[Tensor, "batch src"], probe: Probe, *, repeats: int = 1
) -> Float[np.ndarray, "row"]:
    """The log-probability of A's next piece minus that of B's, in nats, for every row of a batch.

    `src` of one row may stand for `repeats` rows that are alike in the encoder.
    """
    model = found.translator.model
    encoded = model.encode(src, probe)
    if repeats > 1:
        encoded = encoded.select(torch.zeros(repeats, dtype=torch.long, device=src.device))
    tgt_in = torch.tensor(found.tgt_in, device=src.device).expand(len(encoded.memory), -1)
    states = model.decoder(tgt_in, encoded, probe=probe).states[:, -1]
    # Both log-probabilities subtract the same logarithm of a sum, which the difference does not have.
    logits = model.projection(states)
    return (logits[:, found.toward] - logits[:, found.away]).double().cpu().numpy()


@dataclass(frozen=True, eq=False)
class Runs:
    """The unpatched runs of a parting: what A's has at every place that may be patched, and what both prefer."""

    found: Parting
    tensors: dict[Site, Tensor]  # of A's run: "heads" and the streams that leave a layer
    toward: float  # A's preference
    away: float  # B's

    @torch.inference_mode()
    def patched(self, places: Sequence[Place]) -> Float[np.ndarray, "place"]:
        """The preference of B's run with one place patched, for each of the places: `ROWS` of them in a batch."""
        preferences = np.zeros(len(places))
        for stack in ("encoder", "decoder"):
            rows = [row for row, place in enumerate(places) if site_of(place).stack == stack]
            for start in range(0, len(rows), ROWS):
                batch = rows[start : start + ROWS]
                preferences[batch] = self.batch([places[row] for row in batch], stack)
        return preferences

    def batch(self, places: Sequence[Place], stack: Stack) -> Float[np.ndarray, "place"]:
        """Of places in one stack; what is patched in the decoder needs one encoding only."""
        probe = Probe(Grafting(places, self.tensors, self.found.positions))
        src = row_of(self.found, self.found.put_into)
        if stack == "encoder":
            return preference(self.found, src.expand(len(places), -1), probe)
        return preference(self.found, src, probe, repeats=len(places))

    def share(self, preferences: Float[np.ndarray, "*place"]) -> Float[np.ndarray, "*place"] | None:
        """How far each goes from B (0) to A (1); None where both prefer nearly the same: there is no way to go."""
        if abs(self.toward - self.away) < NEARLY:
            return None
        return (preferences - self.away) / (self.toward - self.away)


@torch.inference_mode()
def runs(found: Parting) -> Runs:
    """Runs both sentences unpatched, and keeps what A's can give."""
    heads = all_heads(found.translator.model.config)
    places = [*heads, *cell_places(found, "encoder"), *cell_places(found, "decoder")]
    kept, tensors = {site_of(place) for place in places}, {}

    def visit(site: Site, tensor: Tensor) -> None:
        if site in kept:
            tensors[site] = tensor

    toward = preference(found, row_of(found, found.taken_from), Probe(visit))
    away = preference(found, row_of(found, found.put_into), NO_PROBE)
    return Runs(found, tensors, float(toward[0]), float(away[0]))


def row_of(found: Parting, ids: Sequence[int]) -> Int[Tensor, "1 src"]:
    return torch.tensor([list(ids)], device=found.translator.device)
