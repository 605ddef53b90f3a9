"""Sampling: each next piece is drawn at random, from all pieces or from the most probable ones.

    draw(translator, src, Sampling(temperature=0.7, top_k=20), seeds=[1, 2, 3])

The temperature divides the logits (Ackley et al. 1985): below 1 it favours probable pieces, above 1 it flattens the
distribution, towards 0 it approaches greedy decoding. Then top-k keeps the k most probable pieces (Fan et al. 2018),
and top-p the fewest of these that have at least the share p of the probability (Holtzman et al. 2020). One of the rest
is drawn in proportion to its probability.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.cache import Cache
from model.decoding import Translator
from model.errors import UserError

MAX_SEED = 2**32 - 1
# Beyond these, numbers of 32 bits become 0 or infinite, and the distribution is none.
MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-6, 1e6
MIN_TOP_P = 1e-6


@dataclass(frozen=True)
class Sampling:
    """How pieces are drawn; by default from the unchanged distribution."""

    temperature: float = 1.0  # from MIN_TEMPERATURE to MAX_TEMPERATURE
    top_k: int | None = None  # number of pieces to draw from; None: all
    top_p: float = 1.0  # their share of the probability, from MIN_TOP_P

    def __post_init__(self):
        if not MIN_TEMPERATURE <= self.temperature <= MAX_TEMPERATURE:
            raise UserError(f"The temperature must be a number from 0.000001 to 1000000, not {self.temperature:g}.")
        if self.top_k is not None and self.top_k < 1:
            raise UserError(f"Top-k must be at least 1, not {self.top_k}.")
        if not MIN_TOP_P <= self.top_p <= 1:
            raise UserError(f"Top-p must be a number from 0.000001 to 1, not {self.top_p:g}.")


@dataclass(frozen=True)
class Sample:
    """A drawn translation: for each piece its id, its log-probability and how many pieces it was drawn from."""

    seed: int
    ids: tuple[int, ...]  # EOS included, unless the limit came first
    log_probabilities: tuple[float, ...]  # under the model itself, at temperature 1, in nats
    candidate_counts: tuple[int, ...]

    @property
    def total(self) -> float:
        return math.fsum(self.log_probabilities)


def candidate_distribution(
    log_probability: Float[Tensor, "batch vocab"], sampling: Sampling
) -> tuple[Float[Tensor, "batch vocab"], Int[Tensor, "batch vocab"]]:
    """The probabilities to draw with, in descending order and 0 for excluded pieces, and the ids in that order."""
    best, ids = log_probability.sort(dim=-1, descending=True, stable=True)
    # The best piece's logit becomes 0, so that a low temperature makes no logit infinite but those of other pieces.
    probability = ((best - best[:, :1]) / sampling.temperature).softmax(dim=-1)
    if sampling.top_k is not None:
        probability[:, sampling.top_k :] = 0
        probability = probability / probability.sum(dim=-1, keepdim=True)
    if sampling.top_p < 1:
        before = probability.cumsum(dim=-1) - probability
        probability = probability.masked_fill(before >= sampling.top_p, 0)
    return probability / probability.sum(dim=-1, keepdim=True), ids


def pick_places(probability: Float[Tensor, "batch vocab"], chances: Float[Tensor, "batch"]) -> Int[Tensor, "batch"]:
    """For each row the first index at which the cumulative probability exceeds its chance, a number in [0, 1)."""
    indices = (probability.cumsum(dim=-1) <= chances[:, None]).sum(dim=-1)
    # If rounding leaves the sum below the chance, it is the last piece that is not excluded.
    return indices.minimum((probability > 0).sum(dim=-1) - 1)


def draw(
    translator: Translator,
    src: Sequence[int],
    sampling: Sampling,
    seeds: Sequence[int],
    max_steps: int | None = None,
) -> list[Sample]:
    """Draws a sample for each seed, in one batch; a sample depends on its own seed alone.

    `max_steps` stops earlier than the limit of the source. Raises UserError if a seed is not from 0 to 4294967295.
    """
    with translator.inference():
        for seed in seeds:
            if not 0 <= seed <= MAX_SEED:
                raise UserError(f"A seed is a whole number from 0 to {MAX_SEED}, not {seed}.")
        tokenizer, batch = translator.tokenizer, len(seeds)
        chances = [torch.Generator().manual_seed(seed) for seed in seeds]
        rows = torch.zeros(batch, dtype=torch.long, device=translator.device)
        encoded, cache = translator.encode(src).select(rows), Cache(translator.model.config.n_decoder_layers)
        fed = torch.full((batch,), tokenizer.bos_id, device=translator.device)
        ids: list[list[int]] = [[] for _ in seeds]
        scores: list[list[float]] = [[] for _ in seeds]
        running: list[list[int]] = [[] for _ in seeds]
        limit = translator.limit(len(src))
        for _ in range(limit if max_steps is None else min(limit, max_steps)):
            logits = translator.model.decode(fed[:, None], encoded, cache).logits[:, -1]
            logits[:, translator.excluded_ids] = -math.inf
            log_probability = logits.log_softmax(dim=-1)
            probability, order = candidate_distribution(log_probability, sampling)
            chance = torch.cat([torch.rand(1, generator=generator) for generator in chances]).to(translator.device)
            fed = order.gather(1, pick_places(probability, chance)[:, None])[:, 0]
            score, counts = log_probability.gather(1, fed[:, None])[:, 0], (probability > 0).sum(dim=-1)
            for row in (row for row in range(batch) if tokenizer.eos_id not in ids[row][-1:]):
                ids[row].append(int(fed[row]))
                scores[row].append(float(score[row]))
                running[row].append(int(counts[row]))
            if all(row[-1] == tokenizer.eos_id for row in ids):
                break
        drawings = zip(seeds, ids, scores, running, strict=True)
        return [Sample(seed, tuple(row), tuple(score), tuple(counts)) for seed, row, score, counts in drawings]
