"""Activation patching: which activations decide between the translations of two sentences.

One head's output or one position's stream of the donor's run replaces the same activation of the recipient's run: does
the translation follow the donor? (Vig et al. 2020, arXiv:2004.12265; Meng et al. 2022, arXiv:2202.05262; Heimersheim
and Nanda 2024, arXiv:2404.15255, on how to interpret it.)

The measure belongs to the first step at which the two translations differ. Both runs are fed the common beginning of
the translations, so that only the source differs. A run's *preference* is the log-probability of the donor's next piece
minus that of the recipient's, in nats. `share` maps the recipient's own run to 0 and the donor's to 1; below 0 a patch
moves the translation away from the donor, above 1 beyond it.

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

Target = HeadAt | CellAt
Grid = Literal["heads", "encoder", "decoder"]
GRIDS = get_args(Grid)
MIN_PREFERENCE_GAP = 1e-3  # nats; a smaller difference between the two runs is no scale to measure by
MAX_BATCH_ROWS = 64  # more are not faster and need more memory


@dataclass(frozen=True, eq=False)
class Divergence:
    """Two sentences, and the first step at which their translations differ. Made by `find_divergence`."""

    translator: Translator
    donor: tuple[int, ...]  # source ids
    recipient: tuple[int, ...]  # source ids
    tgt_in: tuple[int, ...]  # BOS and the common beginning of both translations
    donor_piece: int  # the next piece of the donor's translation
    recipient_piece: int

    @property
    def step(self) -> int:
        """The zero-based step that is measured."""
        return len(self.tgt_in) - 1

    @property
    def positions(self) -> dict[Stack, int]:
        """The number of positions that both runs have, in each stack."""
        return {"encoder": min(len(self.donor), len(self.recipient)), "decoder": len(self.tgt_in)}


def find_divergence(translator: Translator, donor: Trace, recipient: Trace) -> Divergence:
    """Finds the first step at which two translations differ.

    Raises UserError if they do not differ.
    """
    first, second = ([step.predicted.id for step in trace.steps] for trace in (donor, recipient))
    common = next((t for t, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if common is None:
        raise UserError(words.PATCHING["alike"])
    return Divergence(
        translator,
        tuple(piece.id for piece in donor.source),
        tuple(piece.id for piece in recipient.source),
        (translator.tokenizer.bos_id, *first[:common]),
        first[common],
        second[common],
    )


def cell_targets(divergence: Divergence, stack: Stack) -> list[CellAt]:
    """Every stream of a stack at the positions that both runs have, layer by layer, the embedding (-1) first."""
    layers = range(-1, divergence.translator.model.config.layers(stack))
    return [CellAt(stack, layer, position) for layer in layers for position in range(divergence.positions[stack])]


def grid_targets(divergence: Divergence, grid: str) -> Sequence[Target]:
    """All targets of a grid, which is "heads" or the streams of a stack."""
    if grid == "heads":
        return all_heads(divergence.translator.model.config)
    return cell_targets(divergence, "encoder" if grid == "encoder" else "decoder")


def patch_rows(targets: Sequence[Target], tensors: Mapping[Site, Tensor], positions: Mapping[Stack, int]) -> Visit:
    """A probe visit that replaces the activation at targets[r] in row r of a batch of the recipient's runs.

    `tensors` are those of the donor's run, a batch of one.
    """
    patches: dict[Site, list[tuple[int, Target]]] = {}
    for row, target in enumerate(targets):
        patches.setdefault(site_of(target), []).append((row, target))

    def visit(site: Site, tensor: Tensor) -> Tensor | None:
        if site not in patches:
            return None
        patched, donor, shared = tensor.clone(), tensors[site][0], slice(positions[site.stack])
        for row, target in patches[site]:
            part = (target.head, shared) if isinstance(target, HeadAt) else (target.position,)
            patched[row, *part] = donor[part]
        return patched

    return visit


def site_of(target: Target) -> Site:
    """The site in the model of a target."""
    if isinstance(target, CellAt):
        return layer_output(target.stack, target.layer)
    return ATTENTION[target.kind]._replace(layer=target.layer, tensor="heads")


def preference(
    divergence: Divergence, src: Int[Tensor, "batch src"], probe: Probe, *, repeats: int = 1
) -> Float[np.ndarray, "row"]:
    """The log-probability of the donor's next piece minus that of the recipient's, in nats, for every row of a batch.

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
    return (logits[:, divergence.donor_piece] - logits[:, divergence.recipient_piece]).double().cpu().numpy()


@dataclass(frozen=True, eq=False)
class Runs:
    """The unpatched runs: the donor's activations at every target that may be patched, and both preferences (nats)."""

    divergence: Divergence
    tensors: dict[Site, Tensor]  # of the donor's run: "heads" and the streams that leave a layer
    donor_preference: float
    recipient_preference: float

    def patched(self, targets: Sequence[Target]) -> Float[np.ndarray, "target"]:
        """The preference of the recipient's run with one target patched, for each of the targets."""
        with self.divergence.translator.inference():
            preferences = np.zeros(len(targets))
            for stack in ("encoder", "decoder"):
                rows = [row for row, target in enumerate(targets) if site_of(target).stack == stack]
                for start in range(0, len(rows), MAX_BATCH_ROWS):
                    batch = rows[start : start + MAX_BATCH_ROWS]
                    preferences[batch] = self.batch([targets[row] for row in batch], stack)
            return preferences

    def batch(self, targets: Sequence[Target], stack: Stack) -> Float[np.ndarray, "target"]:
        """The preferences for targets in one stack; patches in the decoder share one encoding."""
        probe = Probe(patch_rows(targets, self.tensors, self.divergence.positions))
        src = row_of(self.divergence, self.divergence.recipient)
        if stack == "encoder":
            return preference(self.divergence, src.expand(len(targets), -1), probe)
        return preference(self.divergence, src, probe, repeats=len(targets))

    def share(self, preferences: Float[np.ndarray, "*target"]) -> Float[np.ndarray, "*target"] | None:
        """How far each preference is from the recipient's (0) to the donor's (1); None if these are nearly the same."""
        gap = self.donor_preference - self.recipient_preference
        return None if abs(gap) < MIN_PREFERENCE_GAP else (preferences - self.recipient_preference) / gap


def runs(divergence: Divergence) -> Runs:
    """Runs both sentences unpatched, and keeps the donor's activations."""
    with divergence.translator.inference():
        heads = all_heads(divergence.translator.model.config)
        targets = [*heads, *cell_targets(divergence, "encoder"), *cell_targets(divergence, "decoder")]
        sites, tensors = {site_of(target) for target in targets}, {}

        def visit(site: Site, tensor: Tensor) -> None:
            if site in sites:
                tensors[site] = tensor

        donor = preference(divergence, row_of(divergence, divergence.donor), Probe(visit))
        recipient = preference(divergence, row_of(divergence, divergence.recipient), NO_PROBE)
        return Runs(divergence, tensors, float(donor[0]), float(recipient[0]))


def row_of(divergence: Divergence, ids: Sequence[int]) -> Int[Tensor, "1 src"]:
    return torch.tensor([list(ids)], device=divergence.translator.device)
