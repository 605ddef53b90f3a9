"""The strongest arrows of every head: from a query to the key that it attends to, one in a sentence."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Integer

from explorer.atlas.array_file import smallest_type
from explorer.atlas.recording import StrongestArrows

ARROWS = 20  # of a head
FRACTION = 65535


class Arrows(NamedTuple):
    """The arrows of a layer's heads, strongest first."""

    sentence: Integer[np.ndarray, "head arrow"]
    query: Integer[np.ndarray, "head arrow"]  # position in the sentence
    key: Integer[np.ndarray, "head arrow"]
    weight: Integer[np.ndarray, "head arrow"]  # in 1 / FRACTION; 0: no arrow


def choose_arrows(found: StrongestArrows) -> Arrows:
    """The ARROWS strongest of the strongest in every sentence; of equally strong ones that of the earlier sentence."""
    order = np.argsort(-found.weight.T, axis=1, kind="stable")[:, :ARROWS]
    query, key, weight = (np.take_along_axis(array.T, order, axis=1) for array in found)
    sentence = order.astype(smallest_type(len(found.weight)))
    return Arrows(sentence, query, key, np.rint(weight.astype(np.float64) * FRACTION).astype(np.uint16))
