"""When the neurons of a layer fire: how often, how strongly, and in which contexts.

A neuron's strength at a position is its value divided by its largest value in the corpus. Its contexts are the eight
strongest, one a sentence, and up to four more from each of three ranges of strength: above 2/3, above 1/3, and below.
The strongest alone mislead (Bolukbasi et al. 2021, arXiv:2104.07143).

The sentences are in random order, drawn with the seed of the corpus. A range's contexts are therefore those of the
first sentences that have one, counted cyclically from a sentence that differs from neuron to neuron (`first_sentence`);
if a sentence has several, a seeded hash chooses.
"""

from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from explorer.atlas.corpus import Positions
from explorer.atlas.recording import Firings

Range = Literal["strongest", "strong", "middle", "weak"]
BINS = 10  # of the histogram
STRONGEST, DRAWN = 8, 4  # contexts: strongest ones, and drawn ones of each range
RANGES: tuple[Range, ...] = ("strong", "middle", "weak")
# A context of a range is stronger than that, and at most as strong as that of the range before.
LOWEST: dict[Range, float] = {"strong": 2 / 3, "middle": 1 / 3, "weak": 0.0}
SLOT_RANGES: tuple[Range, ...] = tuple(np.repeat(["strongest", *RANGES], [STRONGEST, *[DRAWN] * len(RANGES)]).tolist())
SLOTS = len(SLOT_RANGES)
CHANCE_BITS = 16  # that decide among the positions of a sentence
LEVELS = 20  # the strength of a context is stored as a fraction of this; 0 means that there is no context


class Contexts(NamedTuple):
    """The contexts of a layer's neurons: eight strongest, four strong, four middle, four weak ones."""

    place: Integer[np.ndarray, "slot neuron"]  # among all positions of the stack (`Positions`)
    level: Integer[np.ndarray, "slot neuron"]  # 1 to LEVELS; 0 if there is no context


class Activity(NamedTuple):
    """How often and how strongly the neurons of a layer fire; 0 for one that never does."""

    largest: Float[np.ndarray, "neuron"]
    mean: Float[np.ndarray, "neuron"]  # of the values above 0
    histogram: Integer[
        np.ndarray, "neuron bin"
    ]  # counts of values above 0, from 0 to the largest in bins of equal width


class SortedFirings(NamedTuple):
    """Firings in the order of the neurons, those of a neuron in the order of the positions."""

    neuron: Integer[np.ndarray, "firing"]
    position: Integer[np.ndarray, "firing"]
    value: Float[np.ndarray, "firing"]
    strength: Float[np.ndarray, "firing"]  # the value divided by the neuron's largest, in double precision


def largest_values(firings: "Firings | SortedFirings", d_ff: int) -> Float[np.ndarray, "neuron"]:
    """The largest value of every neuron; 0 for one that never fires."""
    largest = np.zeros(d_ff, np.float32)
    np.maximum.at(largest, firings.neuron, firings.value)
    return largest


def sort_firings(firings: Firings, d_ff: int) -> SortedFirings:
    """The same firings, neuron by neuron."""
    order = np.argsort(firings.neuron, kind="stable")
    neuron, value = firings.neuron[order].astype(np.int64), firings.value[order]
    strength = value.astype(np.float64) / largest_values(firings, d_ff)[neuron]
    return SortedFirings(neuron, firings.position[order].astype(np.int64), value, strength)


def measure_activity(firings: SortedFirings, d_ff: int) -> Activity:
    """Counts, means and largest values of every neuron."""
    bins = np.minimum((firings.strength * BINS).astype(np.int64), BINS - 1)
    histogram = np.bincount(firings.neuron * BINS + bins, minlength=d_ff * BINS).reshape(d_ff, BINS)
    total = np.bincount(firings.neuron, weights=firings.value, minlength=d_ff)
    return Activity(largest_values(firings, d_ff), total / np.maximum(histogram.sum(axis=1), 1), histogram)


def first_sentence(neuron: Integer[np.ndarray, "*shape"], d_ff: int, n_sentences: int) -> Integer[np.ndarray, "*shape"]:
    """The sentence from which on a neuron's contexts are drawn: floor(neuron * n_sentences / d_ff)."""
    return neuron * n_sentences // d_ff


def seeded_hash(values: Integer[np.ndarray, "firing"], seed: int) -> Integer[np.ndarray, "firing"]:
    """CHANCE_BITS random bits for each number: two steps of the finalizer of SplitMix64 (Steele et al. 2014)."""
    bits = values.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 1) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return (bits >> np.uint64(64 - CHANCE_BITS)).astype(np.int64)


def find_contexts(firings: SortedFirings, positions: Positions, d_ff: int, seed: int) -> Contexts:
    """The contexts of every neuron, in the order of `Contexts`."""
    sentence = positions.sentence[firings.position]
    contexts = Contexts(np.zeros((SLOTS, d_ff), np.int64), np.zeros((SLOTS, d_ff), np.int64))

    def fill(chosen: Integer[np.ndarray, "context"], first_slot: int) -> None:
        neuron = firings.neuron[chosen]
        slot = first_slot + rank_in_group(neuron)
        contexts.place[slot, neuron] = firings.position[chosen]
        contexts.level[slot, neuron] = np.maximum(np.rint(firings.strength[chosen] * LEVELS), 1)

    strongest = strongest_firings(firings, sentence)
    fill(strongest, 0)
    is_free = np.ones(len(firings.neuron), bool)
    is_free[strongest] = False
    n_sentences = len(positions.start)
    offset = (sentence - first_sentence(firings.neuron, d_ff, n_sentences)) % n_sentences
    chance = seeded_hash(firings.neuron * len(positions) + firings.position, seed)
    highest = np.inf
    for number, name in enumerate(RANGES):
        inside = np.flatnonzero(is_free & (firings.strength > LOWEST[name]) & (firings.strength <= highest))
        fill(inside[draw(firings.neuron[inside], offset[inside], chance[inside])], STRONGEST + number * DRAWN)
        highest = LOWEST[name]
    return contexts


def strongest_firings(
    firings: SortedFirings, sentence: Integer[np.ndarray, "firing"]
) -> Integer[np.ndarray, "context"]:
    """The indices of each neuron's strongest firings, one a sentence, strongest first; of equals the earlier."""
    begins = np.ones(len(sentence), bool)
    begins[1:] = (firings.neuron[1:] != firings.neuron[:-1]) | (sentence[1:] != sentence[:-1])
    starts = np.flatnonzero(begins)
    if not len(starts):
        return starts
    ends, best, neuron = (
        np.append(starts[1:], len(sentence)),
        np.maximum.reduceat(firings.value, starts),
        firings.neuron[starts],
    )
    descending = (1 << 32) - 1 - best.view(np.uint32).astype(np.int64)  # floats above 0 are in the order of their bits
    order = np.argsort((neuron << 32) | descending, kind="stable")
    kept = order[rank_in_group(neuron[order]) < STRONGEST]
    spans = zip(starts[kept].tolist(), ends[kept].tolist(), strict=True)
    return np.array([start + firings.value[start:end].argmax() for start, end in spans])


def draw(
    neuron: Integer[np.ndarray, "candidate"],
    offset: Integer[np.ndarray, "candidate"],
    chance: Integer[np.ndarray, "candidate"],
) -> Integer[np.ndarray, "context"]:
    """The indices of each neuron's first DRAWN candidates by offset, one for each offset: that of the least chance."""
    place = neuron * (offset.max(initial=0) + 1) + offset  # of the sentence in the order of the neuron
    order = np.argsort((place << CHANCE_BITS) | chance, kind="stable")
    first = order[rank_in_group(place[order]) == 0]
    return first[rank_in_group(neuron[first]) < DRAWN]


def rank_in_group(group: Integer[np.ndarray, "item"]) -> Integer[np.ndarray, "item"]:
    """The place of every item in its group, from 0; the items of a group lie side by side."""
    index = np.arange(len(group))
    begins = np.ones(len(group), bool)
    begins[1:] = group[1:] != group[:-1]
    return index - np.maximum.accumulate(np.where(begins, index, 0))
