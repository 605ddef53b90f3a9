"""What an atlas says of a neuron and of a head."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Integer

from explorer.atlas.contexts import Range
from explorer.atlas.names import Relation, Standing
from model.probe import Kind, Stack


class Name(NamedTuple):
    """A simple name of a neuron, and how it did on the sentences that it was not found on."""

    relation: Relation  # the neuron fires on the tokens, before them, or where they are written
    tokens: tuple[str, ...]  # each stands for all that differ in letter case, or in whether they begin a word
    checked: int  # strong firings in those sentences
    precision: float  # the share of them that have a token
    recall: float  # the share of the tokens' occurrences at which the neuron fires strongly
    standing: Standing  # "holds" or "perhaps"


class Context(NamedTuple):
    """A position at which a neuron fires, in its sentence."""

    range: Range
    sentence: int
    position: int  # in `source` for the encoder, in `fed` for the decoder
    value: float  # within 2.5 % of the neuron's largest; what is weaker than 2.5 % stands as 5 %
    source: tuple[str, ...]  # the tokens of the sentence, its end last
    fed: tuple[str, ...]  # what the decoder is fed, the start first
    written: tuple[str, ...]  # what it writes there, its end last


@dataclass(frozen=True, eq=False)
class Neuron:
    """What an atlas holds of a neuron."""

    stack: Stack
    layer: int
    index: int
    count: int  # positions at which it is above 0
    density: float  # their share of all
    largest: float
    mean: float  # of the values above 0
    # Values above 0 in each tenth of 0 to the largest; exact up to 7, then within 9 %.
    histogram: Integer[np.ndarray, "bin"]
    contexts: tuple[Context, ...]  # the strongest first
    name: Name | None

    @property
    def standing(self) -> Standing:
        """Whether its name holds, or why it has none."""
        if self.name:
            return self.name.standing
        return "no simple name" if self.count else "never fires"


class Arrow(NamedTuple):
    """A query and a key to which a head attends; `queries` and `keys` are the tokens at their positions."""

    sentence: int
    query: int
    key: int
    weight: float
    queries: tuple[str, ...]
    keys: tuple[str, ...]


class Head(NamedTuple):
    """The strongest arrows of a head, one a sentence; arrows to the start and the end are left out."""

    kind: Kind
    layer: int
    head: int
    arrows: tuple[Arrow, ...]
