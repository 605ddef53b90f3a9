"""What cached decoding keeps between steps, so that each step feeds only the newest piece."""

import torch
from jaxtyping import Int
from torch import Tensor

from model.attention import KeysValues


class LayerCache:
    """The keys and values that one decoder layer keeps between steps: of the pieces fed so far, and of the memory."""

    def __init__(self):
        self.fed: KeysValues | None = None
        self.memory: KeysValues | None = None

    def extend(self, new: KeysValues) -> KeysValues:
        """Appends the newly fed pieces; returns all so far."""
        if self.fed is not None:
            new = KeysValues(torch.cat((self.fed.k, new.k), dim=2), torch.cat((self.fed.v, new.v), dim=2))
        self.fed = new
        return new

    def select(self, rows: Int[Tensor, "row"]) -> None:
        """Keeps some sentences of the batch (see `Cache.select`)."""
        if self.fed is not None and self.memory is not None:
            self.fed = KeysValues(*(x[rows] for x in self.fed))
            self.memory = KeysValues(*(x[rows] for x in self.memory))


class Cache:
    """The ids fed so far and a LayerCache per decoder layer; belongs to the one `Encoded` it is first used with."""

    def __init__(self, n_layers: int):
        self.ids: Int[Tensor, "batch fed"] | None = None
        self.layers = [LayerCache() for _ in range(n_layers)]

    def extend(self, new: Int[Tensor, "batch new"]) -> Int[Tensor, "batch fed"]:
        """Appends the newly fed ids; returns all so far."""
        self.ids = new if self.ids is None else torch.cat((self.ids, new), dim=1)
        return self.ids

    def select(self, rows: Int[Tensor, "row"]) -> None:
        """Keeps some sentences of the batch, in the order of `rows`; a row may occur more than once."""
        if self.ids is not None:
            self.ids = self.ids[rows]
        for layer in self.layers:
            layer.select(rows)
