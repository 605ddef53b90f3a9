"""Beam search as a tree: every hypothesis that was kept, the best of those that were pruned, and all scores.

It records the search that translates (`Translator.beam_steps`), so its best leaf is the translation of that search.
Keeping the most probable beginnings does not promise a better end than greedy decoding: the beam may prune the
beginning of the greedy translation and never come back to it, though its score would have been the best in the end. A
tree therefore holds the greedy translation as well, and `answer` is the better of the two.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from model.decoding import BeamStep, Translator
from model.tokenizer import Tokenizer

N_PRUNED = 4


class Hypothesis(NamedTuple):
    """A beginning of a translation, by its last piece; the others are its parent's."""

    parent: int  # its place among the hypotheses kept one step before; 0 at the first step
    piece: int  # its id; the padding's where a finished hypothesis waits for the others
    log_probability: float  # of the piece, in nats; 0 where it waits
    total: float  # log-probability of all its pieces
    length: int  # pieces, EOS included
    finished: bool

    @property
    def score(self) -> float:
        """What hypotheses are ranked by: the total divided by the length."""
        return self.total / self.length


class Level(NamedTuple):
    """One step of the search."""

    kept: tuple[Hypothesis, ...]  # best first
    pruned: tuple[Hypothesis, ...]  # the best of the others, best first


@dataclass(frozen=True)
class ScoredTranslation:
    """A whole translation as a search found it."""

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
    """A search for one source, and what greedy decoding makes of the same source."""

    levels: tuple[Level, ...]
    greedy: ScoredTranslation
    pad_id: int

    def path(self, level: int, place: int, *, pruned: bool = False) -> list[Hypothesis]:
        """A hypothesis of a level with those that it grew from, the first piece first."""
        hypothesis = (self.levels[level].pruned if pruned else self.levels[level].kept)[place]
        return [*(self.path(level - 1, hypothesis.parent) if level else []), hypothesis]

    def translation(self, level: int, place: int, *, pruned: bool = False) -> ScoredTranslation:
        """The same as pieces, without those that only wait."""
        path = [step for step in self.path(level, place, pruned=pruned) if step.piece != self.pad_id]
        return ScoredTranslation(tuple(step.piece for step in path), tuple(step.log_probability for step in path))

    @property
    def best(self) -> ScoredTranslation:
        """What beam search answers."""
        return self.translation(len(self.levels) - 1, 0)

    @property
    def answer(self) -> ScoredTranslation:
        """The better of beam search's and greedy decoding's translations, so that it is never below the greedy one."""
        return max(self.best, self.greedy, key=lambda found: found.score)

    @property
    def greedy_places(self) -> list[int | None]:
        """At each level the place of the greedy translation's beginning among the kept, None from where it is lost."""
        places, place = [], 0
        for number, level in enumerate(self.levels):
            wanted = self.greedy.ids[number] if number < len(self.greedy.ids) else self.pad_id
            matching = (i for i, h in enumerate(level.kept) if h.parent == place and h.piece == wanted)
            place = None if place is None else next(matching, None)
            places.append(place)
        return places


def beam_tree(
    translator: Translator, src: Sequence[int], beam: int, n_pruned: int = N_PRUNED, max_steps: int | None = None
) -> BeamTree:
    """Searches with a beam for the translation of one source and keeps everything; `n_pruned` for each step.

    A beam of 1 is greedy decoding. `max_steps` stops earlier than the limit of the source. Raises ValueError where the
    beam is not positive.
    """
    if beam < 1:
        raise ValueError(f"A beam needs at least 1 hypothesis, not {beam}.")
    levels = search_levels(translator, src, beam, n_pruned, max_steps)
    alone = levels if beam == 1 else search_levels(translator, src, 1, 0, max_steps)
    pad_id = translator.tokenizer.pad_id
    return BeamTree(levels, BeamTree(alone, ScoredTranslation((), ()), pad_id).best, pad_id)


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
    """What a step of the search kept and pruned; what is impossible, in a tiny vocabulary, is in neither."""
    scores, vocab = step.score[0].flatten(), step.score.size(-1)
    others = scores.index_fill(0, step.kept[0], -math.inf)
    pruned = others.topk(min(n_pruned, len(others))).indices
    at_limit = bool(step.finished.all())

    def hypothesis(place: int) -> Hypothesis:
        parent, piece = divmod(place, vocab)
        log_probability, total = (float(x[0, parent, piece]) for x in (step.log_probability, step.total))
        length = (before[parent].length if before else 0) + (piece != tokenizer.pad_id)
        finished = at_limit or piece in (tokenizer.eos_id, tokenizer.pad_id)
        return Hypothesis(parent, piece, log_probability, total, length, finished)

    def possible(places: Tensor, among: Tensor) -> tuple[Hypothesis, ...]:
        return tuple(hypothesis(place) for place in places.tolist() if among[place] > -math.inf)

    return Level(possible(step.kept[0], scores), possible(pruned, others))
