"""The one seam of the model: where other rooms read its tensors, or replace them.

Every module hands the tensors that it computes to the probe it was called with, under a name, and goes
on with what the probe gives back. There is no other way in: no hooks, no attributes on modules, no
second implementation of the forward pass.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from torch import Tensor


class Site(NamedTuple):
    """The place in the model where a tensor was met.

    `layer` is zero-based and None outside the layers; `sublayer` is None outside the sub-layers.
    The names in `tensor`, by place:

    - stack: `embedding` (scaled by sqrt(d_model)), `positions`, `stream` (their sum), `mask`
      and, in the decoder, `memory_mask` and `logits`;
    - attention: `q`, `k`, `v` [batch head position d_head], `scores` (scaled, before the mask),
      `weights` (after the softmax, before dropout), `heads` (each head's output), `output` (after W_O);
    - feed-forward: `hidden` (after the activation), `output`;
    - both kinds of sub-layer: `sum` (residual plus output), `stream` (the normalised sum).
    """

    stack: Literal["encoder", "decoder"] = "encoder"
    layer: int | None = None
    sublayer: Literal["self_attention", "cross_attention", "feed_forward"] | None = None
    tensor: str = ""


Visit = Callable[[Site, Tensor], Tensor | None]


class Probe:
    """Shows every tensor to `visit(site, tensor)`, which returns None to look or a tensor to replace it.

    Without a `visit` the probe is absent and costs next to nothing. A replacement must have the shape of
    what it replaces; any other shape raises ValueError. A visit must not change a tensor in place.
    """

    def __init__(self, visit: Visit | None = None, site: Site | None = None):
        self.visit = visit
        self.site = site or Site()

    def at(self, **place) -> "Probe":
        """The same probe, further in: `probe.at(layer=2)`."""
        return self if self.visit is None else Probe(self.visit, self.site._replace(**place))

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.visit is None:
            return tensor
        site = self.site._replace(tensor=name)
        replacement = self.visit(site, tensor)
        if replacement is None:
            return tensor
        if replacement.shape != tensor.shape:
            raise ValueError(f"{site} has shape {list(tensor.shape)}, its replacement {list(replacement.shape)}")
        return replacement


NO_PROBE = Probe()
