"""Activation patching: which activations decide between the translations of two sentences.

One head's output or one position's stream of sentence A's run replaces the same activation of sentence B's run: does
the translation follow A? (Vig et al. 2020, arXiv:2004.12265; Meng et al. 2022, arXiv:2202.05262; Heimersheim and Nanda
2024, arXiv:2404.15255, on how to interpret it.)

The measure belongs to the first step at which the two translations differ. Both runs are fed the common beginning of
the translations, so that only the source differs. A run's *preference* is the log-probability of A's next piece minus
that of B's, in nats. `share` maps B's own run to 0 and A's own run to 1; below 0 a patch moves the translation away
from A, above 1 beyond A.

For sentences of different lengths, position i is copied to position i as far as both have it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

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
from model.errors import UserError
from model.probe import ATTENTION, NO_PROBE, Probe, Site, Stack, Visit

Place = HeadAt | CellAt
Grid = Literal["heads", "encoder", "decoder"]
GRIDS = get_args(Grid)
MIN_PREFERENCE_GAP = 1e-3  # nats; a smaller difference between the two runs is no scale to measure by
MAX_BATCH_ROWS = 64  # more are not faster and need more memory


@dataclass(frozen=True, eq=False)
class Parting:
    """Two sentences, and the first step at which their translations differ. Made by `parting`."""

    translator: Translator
    taken_from: tuple[int, ...]  # A's ids
    put_into: tuple[int, ...]  # B's ids
    tgt_in: tuple[int, ...]  # BOS and the common beginning of both translations
    toward: int  # A's next piece
    away: int  # B's next piece

    @property
    def step(self) -> int:
        """The zero-based step that is measured."""
        return len(self.tgt_in) - 1

    @property
    def positions(self) -> dict[Stack, int]:
        """The number of positions that both runs have, in each stack."""
        return {"encoder": min(len(self.taken_from), len(self.put_into)), "decoder": len(self.tgt_in)}


def parting(translator: Translator, taken_from: Trace, put_into: Trace) -> Parting:
    """Finds the first step at which two translations differ.

    Raises UserError if they do not differ.
    """
    first, second = ([step.predicted.id for step in trace.steps] for trace in (taken_from, put_into))
    common = next((t for t, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if common is None:
        raise UserError(words.PATCHING["alike"])
    return Parting(
        translator,
        tuple(piece.id for piece in taken_from.source),
        tuple(piece.id for piece in put_into.source),
        (translator.tokenizer.bos_id, *first[:common]),
        first[common],
        second[common],
    )


def cell_places(divergence: Parting, stack: Stack) -> list[CellAt]:
    """Every stream of a stack at the positions that both runs have, layer by layer, the embedding (-1) first."""
    layers = range(-1, divergence.translator.model.config.layers(stack))
    return [CellAt(stack, layer, position) for layer in layers for position in range(divergence.positions[stack])]


def grid_places(divergence: Parting, grid: str) -> Sequence[Place]:
    """All places of a grid, which is "heads" or the streams of a stack."""
    if grid == "heads":
        return all_heads(divergence.translator.model.config)
    return cell_places(divergence, "encoder" if grid == "encoder" else "decoder")


def patch_rows(places: Sequence[Place], tensors: Mapping[Site, Tensor], positions: Mapping[Stack, int]) -> Visit:
    """A probe visit that replaces places[r] in row r of a batch of B's runs by the activation of A's run.

    `tensors` are those of A's run, a batch of one.
    """
    at: dict[Site, list[tuple[int, Place]]] = {}
    for row, place in enumerate(places):
        at.setdefault(site_of(place), []).append((row, place))

    def visit(site: Site, tensor: Tensor) -> Tensor | None:
        if site not in at:
            return None
        patched, donor, shared = tensor.clone(), tensors[site][0], slice(positions[site.stack])
        for row, place in at[site]:
            part = (place.head, shared) if isinstance(place, HeadAt) else (place.position,)
            patched[row, *part] = donor[part]
        return patched

    return visit


def site_of(place: Place) -> Site:
    """The site in the model of a place."""
    if isinstance(place, CellAt):
        return layer_output(place.stack, place.layer)
    return ATTENTION[place.kind]._replace(layer=place.layer, tensor="heads")


def preference(
    divergence: Parting, src: Int[Tensor, "batch src"], probe: Probe, *, repeats: int = 1
) -> Float[np.ndarray, "row"]:
    """The log-probability of A's next piece minus that of B's, in nats, for every row of a batch.

    With `repeats`, the single row of `src` is encoded once and decoded in that many rows.
    """
    model = divergence.translator.model
    encoded = model.encode(src, probe)
    if repeats > 1:
        encoded = encoded.select(torch.zeros(repeats, dtype=torch.long, device=src.device))
    tgt_in = torch.tensor(divergence.tgt_in, device=src.device).expand(len(encoded.memory), -1)
    states = model.decoder(tgt_in, encoded, probe=probe).states[:, -1]
    # The softmax denominator cancels in the difference of two log-probabilities.
    logits = model.projection(states)
    return (logits[:, divergence.toward] - logits[:, divergence.away]).double().cpu().numpy()


@dataclass(frozen=True, eq=False)
class Runs:
    """The unpatched runs: A's activations at every place that may be patched, and both preferences."""

    parting: Parting
    tensors: dict[Site, Tensor]  # of A's run: "heads" and the streams that leave a layer
    toward: float  # A's preference
    away: float  # B's

    def patched(self, places: Sequence[Place]) -> Float[np.ndarray, "place"]:
        """The preference of B's run with one place patched, for each of the places."""
        with self.parting.translator.inference():
            preferences = np.zeros(len(places))
            for stack in ("encoder", "decoder"):
                rows = [row for row, place in enumerate(places) if site_of(place).stack == stack]
                for start in range(0, len(rows), MAX_BATCH_ROWS):
                    batch = rows[start : start + MAX_BATCH_ROWS]
                    preferences[batch] = self.batch([places[row] for row in batch], stack)
            return preferences

    def batch(self, places: Sequence[Place], stack: Stack) -> Float[np.ndarray, "place"]:
        """The preferences for places in one stack; patches in the decoder share one encoding."""
        probe = Probe(patch_rows(places, self.tensors, self.parting.positions))
        src = row_of(self.parting, self.parting.put_into)
        if stack == "encoder":
            return preference(self.parting, src.expand(len(places), -1), probe)
        return preference(self.parting, src, probe, repeats=len(places))

    def share(self, preferences: Float[np.ndarray, "*place"]) -> Float[np.ndarray, "*place"] | None:
        """How far each preference is from B (0) to A (1); None if both runs have nearly the same preference."""
        if abs(self.toward - self.away) < MIN_PREFERENCE_GAP:
            return None
        return (preferences - self.away) / (self.toward - self.away)


def runs(divergence: Parting) -> Runs:
    """Runs both sentences unpatched, and keeps A's activations."""
    with divergence.translator.inference():
        heads = all_heads(divergence.translator.model.config)
        places = [*heads, *cell_places(divergence, "encoder"), *cell_places(divergence, "decoder")]
        sites, tensors = {site_of(place) for place in places}, {}

        def visit(site: Site, tensor: Tensor) -> None:
            if site in sites:
                tensors[site] = tensor

        toward = preference(divergence, row_of(divergence, divergence.taken_from), Probe(visit))
        away = preference(divergence, row_of(divergence, divergence.put_into), NO_PROBE)
        return Runs(divergence, tensors, float(toward[0]), float(away[0]))


def row_of(divergence: Parting, ids: Sequence[int]) -> Int[Tensor, "1 src"]:
    return torch.tensor([list(ids)], device=divergence.translator.device)
