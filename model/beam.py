"""Beam search as a tree: every hypothesis that was kept, the best of those that were pruned, and all scores.

The best leaf is the translation of `Translator.beam_search`, because both record the same `Translator.beam_steps`. Beam
search may end with a lower score than greedy decoding: it can prune the beginning of the greedy translation although
the end would have had the best score. A tree therefore contains the greedy translation as well, and `answer` is the
better of the two.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from model.decoding import BeamStep, Translator
from model.errors import UserError
from model.tokenizer import Tokenizer

N_PRUNED = 4


class Hypothesis(NamedTuple):
    """A partial translation: its last piece; the pieces before are those of its parent."""

    parent: int  # index among the hypotheses kept one step earlier; 0 at the first step
    piece: int  # its id; padding after a finished hypothesis
    log_probability: float  # of the piece, in nats; 0 for padding
    total: float  # log-probability of all its pieces
    length: int  # pieces, EOS included
    finished: bool

    @property
    def score(self) -> float:
        """The total divided by the length, by which hypotheses are ranked."""
        return self.total / self.length


class Level(NamedTuple):
    """One step of the search."""

    kept: tuple[Hypothesis, ...]  # best first
    pruned: tuple[Hypothesis, ...]  # the best of the others, best first


@dataclass(frozen=True)
class ScoredTranslation:
    """A complete translation, with the log-probabilities of its pieces."""

    ids: tuple[int, ...]  # EOS included, unless the limit came first
    log_probabilities: tuple[float, ...]  # of each piece, in nats

    @property
    def total(self) -> float:
        return math.fsum(self.log_probabilities)

    @property
    def score(self) -> float:
        return self.total / len(self.ids)


@dataclass(frozen=True)
class BeamTree:
    """A beam search for one source, and the greedy translation of the same source."""

    levels: tuple[Level, ...]
    greedy: ScoredTranslation
    pad_id: int

    def path(self, level: int, index: int, *, pruned: bool = False) -> list[Hypothesis]:
        """A hypothesis of a level after all its ancestors, the first piece first."""
        hypothesis = (self.levels[level].pruned if pruned else self.levels[level].kept)[index]
        return [*(self.path(level - 1, hypothesis.parent) if level else []), hypothesis]

    def translation(self, level: int, index: int, *, pruned: bool = False) -> ScoredTranslation:
        """The same as a translation, without padding."""
        path = [step for step in self.path(level, index, pruned=pruned) if step.piece != self.pad_id]
        return ScoredTranslation(tuple(step.piece for step in path), tuple(step.log_probability for step in path))

    @property
    def best(self) -> ScoredTranslation:
        """The translation of beam search."""
        return self.translation(len(self.levels) - 1, 0)

    @property
    def answer(self) -> ScoredTranslation:
        """The better of beam search's and greedy decoding's translations."""
        return max(self.best, self.greedy, key=lambda translation: translation.score)

    @property
    def greedy_places(self) -> list[int | None]:
        """At each level the index of the greedy translation among the kept hypotheses, None once it is pruned."""
        indices, index = [], 0
        for number, level in enumerate(self.levels):
            greedy_id = self.greedy.ids[number] if number < len(self.greedy.ids) else self.pad_id
            matching = (i for i, h in enumerate(level.kept) if h.parent == index and h.piece == greedy_id)
            index = None if index is None else next(matching, None)
            indices.append(index)
        return indices


def beam_tree(
    translator: Translator, src: Sequence[int], beam: int, n_pruned: int = N_PRUNED, max_steps: int | None = None
) -> BeamTree:
    """Runs beam search for one source and records all kept hypotheses, and the best `n_pruned` others of each step.

    A beam of 1 is greedy decoding. `max_steps` stops earlier than the limit of the source. Raises UserError if the
    beam is not positive.
    """
    if beam < 1:
        raise UserError(f"A beam needs at least 1 hypothesis, not {beam}.")
    levels = search_levels(translator, src, beam, n_pruned, max_steps)
    greedy = levels if beam == 1 else search_levels(translator, src, 1, 0, max_steps)
    pad_id = translator.tokenizer.pad_id
    return BeamTree(levels, BeamTree(greedy, ScoredTranslation((), ()), pad_id).best, pad_id)


def search_levels(
    translator: Translator, src: Sequence[int], beam: int, n_pruned: int, max_steps: int | None
) -> tuple[Level, ...]:
    source = torch.tensor([list(src)], device=translator.device)
    levels: list[Level] = []
    for step in translator.beam_steps(source, beam, max_steps):
        before = levels[-1].kept if levels else ()
        levels.append(make_level(step, before, n_pruned, translator.tokenizer))
    return tuple(levels)


def make_level(step: BeamStep, before: tuple[Hypothesis, ...], n_pruned: int, tokenizer: Tokenizer) -> Level:
    """The hypotheses that a step of the search kept and pruned, without impossible ones."""
    scores, vocab = step.score[0].flatten(), step.score.size(-1)
    others = scores.index_fill(0, step.kept[0], -math.inf)
    pruned = others.topk(min(n_pruned, len(others))).indices
    at_limit = bool(step.finished.all())

    def hypothesis(index: int) -> Hypothesis:
        parent, piece = divmod(index, vocab)
        log_probability, total = (float(x[0, parent, piece]) for x in (step.log_probability, step.total))
        length = (before[parent].length if before else 0) + (piece != tokenizer.pad_id)
        finished = at_limit or piece in (tokenizer.eos_id, tokenizer.pad_id)
        return Hypothesis(parent, piece, log_probability, total, length, finished)

    def possible(indices: Tensor, among: Tensor) -> tuple[Hypothesis, ...]:
        return tuple(hypothesis(index) for index in indices.tolist() if among[index] > -math.inf)

    return Level(possible(step.kept[0], scores), possible(pruned, others))
