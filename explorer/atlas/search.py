"""Finds the neurons and the heads of an atlas that have to do with a token.

A neuron counts if the token is part of its name, or if MIN_SHARE of its strongest contexts have the token there or
next; a head, if MIN_ARROWS of its strongest arrows lead from the token or to it. Names that hold come first, by the
harmonic mean of precision and recall, then those that perhaps do, then neurons without a name by share.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool

from explorer.atlas.contexts import STRONGEST
from explorer.atlas.corpus import NO_TOKEN, Corpus, token_key
from explorer.atlas.layer_file import Layer, kinds_of
from explorer.atlas.names import Relation, relations_of
from explorer.atlas.records import Name
from model.probe import Kind, Stack

MIN_SHARE, MIN_CONTEXTS = 0.5, 4
MIN_ARROWS = 0.25


class Hit(NamedTuple):
    """A neuron, or a head, that has to do with a token."""

    kind: Kind  # "encoder" or "decoder" for neurons
    layer: int
    number: int  # of the neuron or the head
    is_head: bool
    relation: Literal["on", "before", "writes", "from", "to"]  # a head's arrows lead from the token or to it
    share: float  # of the strongest contexts, or arrows, that have the token
    name: Name | None  # of a neuron, if the token is part of it

    @property
    def rank(self) -> tuple[float, float]:
        """Its place in the order of hits, the smallest first."""
        if not self.name:
            return 2.0, -self.share
        precision, recall = self.name.precision, self.name.recall
        return float(self.name.standing != "holds"), -2 * precision * recall / max(precision + recall, 1e-9)


class SearchResult(NamedTuple):
    """Hits, best first."""

    neurons: list[Hit]
    heads: list[Hit]


class DescribedLayer(NamedTuple):
    """A layer with the names of its neurons."""

    stack: Stack
    layer: int
    content: Layer
    names: dict[int, Name]


def search(text: str, keys: Sequence[str], corpus: Corpus, layers: Iterable[DescribedLayer], most: int) -> SearchResult:
    """At most `most` neurons and as many heads. `keys` are those of the corpus's tokens (`token_key`)."""
    key = token_key(text.strip())
    # One more, for NO_TOKEN, which counts from the end.
    matches = np.array([*(other == key for other in keys), False])
    assert NO_TOKEN == -1
    neurons, heads = [], []
    for described in layers:
        neurons += neuron_hits(described, key, matches, corpus)
        heads += head_hits(described, matches, corpus)
    return SearchResult(*(sorted(hits, key=lambda hit: hit.rank)[:most] for hits in (neurons, heads)))


def neuron_hits(
    described: DescribedLayer, key: str, matches: Bool[np.ndarray, "token"], corpus: Corpus
) -> Iterator[Hit]:
    """The neurons of a layer that have to do with a token."""
    stack, layer, content, names = described
    place, there = content.contexts.place[:STRONGEST], content.contexts.level[:STRONGEST] > 0
    count, best = there.sum(axis=0), np.zeros(there.shape[1])
    shares: dict[Relation, np.ndarray] = {}
    for relation, ids in relations_of(stack, corpus.positions(stack)).items():
        shares[relation] = (matches[ids[place]] & there).sum(axis=0) / np.maximum(count, 1)
        best = np.maximum(best, shares[relation])
    named = {neuron for neuron, name in names.items() if key in map(token_key, name.tokens)}
    for neuron in sorted({*np.flatnonzero((best >= MIN_SHARE) & (count >= MIN_CONTEXTS)).tolist(), *named}):
        name = names[neuron] if neuron in named else None
        relation = name.relation if name else max(shares, key=lambda each: shares[each][neuron])
        yield Hit(stack, layer, neuron, False, relation, float(shares[relation][neuron]), name)


def head_hits(described: DescribedLayer, matches: Bool[np.ndarray, "token"], corpus: Corpus) -> Iterator[Hit]:
    """The heads of a layer whose arrows lead from a token or to it."""
    ends: tuple[Literal["from", "to"], ...] = ("from", "to")
    for kind in kinds_of(described.stack):
        arrows = described.content.arrows[kind]
        sides = (
            corpus.encoder if kind == "encoder" else corpus.decoder,
            corpus.decoder if kind == "decoder" else corpus.encoder,
        )
        for end, positions, position in zip(ends, sides, (arrows.query, arrows.key), strict=True):
            at = positions.ids[positions.start[arrows.sentence] + position]
            share = (matches[at] & (arrows.weight > 0)).mean(axis=1)
            for head in np.flatnonzero(share >= MIN_ARROWS).tolist():
                yield Hit(kind, described.layer, head, True, end, float(share[head]), None)
