"""The one interface for reading the model's tensors, or replacing them.

Every module passes the tensors that it computes to the probe it was called with, under a name, and continues with
what the probe returns. There is no other way in: no hooks, no attributes on modules, no second implementation of the
forward pass.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from torch import Tensor

Stack = Literal["encoder", "decoder"]
Kind = Literal["encoder", "decoder", "cross"]  # of attention
KINDS: tuple[Kind, ...] = get_args(Kind)


class Site(NamedTuple):
    """A place in the model where a tensor is computed.

    `layer` is zero-based and None outside the layers; `sublayer` is None outside the sub-layers.
    The names in `tensor`, by site:

    - stack: `ids`, `mask`, `token_embedding` (rows of the table), `embedding` (those scaled by sqrt(d_model)),
      `positions`, `stream` (their sum); in the decoder also `memory` and `memory_mask`, its inputs,
      `logits`, and where `model.decoding.distribution` is given the probe, the `probabilities` of all pieces, also
      of those that decoding excludes;
    - attention: `q_projected`, `k_projected`, `v_projected` [batch position head*d_head], `q_split` and so on
      [batch position head d_head], `q`, `k`, `v` [batch head position d_head], `k_transposed`, `dot_products`,
      `scores` (scaled, before the mask), `masked_scores` (-inf where masked), `weights` (after the softmax,
      before dropout), `heads` (each head's output), `heads_transposed`, `concatenated`, `output` (after W_O);
    - feed-forward: `pre_activation`, `hidden` (after the activation), `output`;
    - both kinds of sub-layer: `sum` (residual plus output), `stream` (the normalised sum).

    The probe sees them in the order in which they are computed.
    """

    stack: Stack = "encoder"
    layer: int | None = None
    sublayer: Literal["self_attention", "cross_attention", "feed_forward"] | None = None
    tensor: str = ""


# The site of each kind of attention in a layer.
ATTENTION: dict[Kind, Site] = {
    "encoder": Site("encoder", sublayer="self_attention"),
    "decoder": Site("decoder", sublayer="self_attention"),
    "cross": Site("decoder", sublayer="cross_attention"),
}
Visit = Callable[[Site, Tensor], Tensor | None]


class Probe:
    """Calls `visit(site, tensor)` with every tensor; it returns None, or another tensor to replace it.

    Without a `visit` the probe does nothing and costs next to nothing. A replacement must have the same shape, else
    ValueError is raised. A visit must not change a tensor in place.
    """

    def __init__(self, visit: Visit | None = None, site: Site | None = None):
        self.visit = visit
        self.site = site or Site()

    def at(self, **site) -> "Probe":
        """The same probe at a more specific site: `probe.at(layer=2)`."""
        return self if self.visit is None else Probe(self.visit, self.site._replace(**site))

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
