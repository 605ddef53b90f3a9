"""One attention head in a forward pass: its parameters, inputs and outputs."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from torch import nn

from explorer.recording.forward_pass import ForwardPass
from explorer.recording.trace import parse_kind
from explorer.ui.questions import require_index
from model.config import ModelConfig
from model.probe import ATTENTION, Kind, Site, Stack
from model.transformer import attention_at

MASKS: dict[Kind, Site] = {
    "encoder": Site("encoder", tensor="mask"),
    "decoder": Site("decoder", tensor="mask"),
    "cross": Site("decoder", tensor="memory_mask"),
}


@dataclass(frozen=True, eq=False)
class Linear:
    """A head's slice of a linear layer."""

    weight: Float[np.ndarray, "out in"]
    bias: Float[np.ndarray, "out"]

    def __call__(self, x: Float[np.ndarray, "*position in"]) -> Float[np.ndarray, "*position out"]:
        return x @ self.weight.T + self.bias


@dataclass(frozen=True, eq=False)
class Head:
    """One head of an attention sub-layer: its parameters and every tensor that it reads or computes."""

    index: int
    w_q: Linear
    w_k: Linear
    w_v: Linear
    w_o: Linear  # shared by all heads
    queries_from: Float[np.ndarray, "query d_model"]  # the residual streams that are projected
    keys_from: Float[np.ndarray, "key d_model"]
    q: Float[np.ndarray, "query d_head"]
    k: Float[np.ndarray, "key d_head"]
    v: Float[np.ndarray, "key d_value"]
    mask: Bool[np.ndarray, "query key"]  # True: may attend
    scores: Float[np.ndarray, "query key"]  # divided by sqrt(d_head), before the mask
    weights: Float[np.ndarray, "query key"]
    heads: Float[np.ndarray, "query head d_value"]  # the outputs of all heads, this one included
    output: Float[np.ndarray, "query d_model"]  # after W_O

    def tensors(self) -> dict[str, np.ndarray]:
        """Everything by name: w_q with its bias as w_q_bias, and so on; of the output projection, as w_o
        [d_value d_model], what it multiplies this head's output by.
        """
        linear = {name: getattr(self, name) for name in ("w_q", "w_k", "w_v")}
        parameters = {name: part.weight for name, part in linear.items()}
        biases = {f"{name}_bias": part.bias for name, part in linear.items()}
        names = ("queries_from", "keys_from", "q", "k", "v", "mask", "scores", "weights", "heads", "output")
        width = self.v.shape[1]
        w_o = self.w_o.weight[:, self.index * width : (self.index + 1) * width].T
        return {**{name: getattr(self, name) for name in names}, **parameters, **biases, "w_o": w_o}


RECORDED_TENSORS = ("q", "k", "v", "scores", "weights", "heads", "output")


def layers_by_kind(config: ModelConfig) -> dict[Kind, int]:
    """The number of layers with attention of each kind."""
    return {kind: config.layers(site.stack) for kind, site in ATTENTION.items()}


def head_of(forward_pass: ForwardPass, kind: Kind, layer: int, head: int) -> Head:
    """One head. Raises UserError if the model has no such kind, layer or head."""
    config = forward_pass.model.config
    require_index("layer", layer, layers_by_kind(config)[parse_kind(kind)])
    require_index("head", head, config.n_heads)
    site = ATTENTION[kind]._replace(layer=layer)
    tensors = {name: forward_pass.tensors[site._replace(tensor=name)][0] for name in RECORDED_TENSORS}
    sources = input_streams(kind, layer, config.layers("encoder"))
    queries_from, keys_from = (forward_pass.tensors[stream][0] for stream in sources)
    attention = attention_at(forward_pass.model, kind, layer)
    return Head(
        index=head,
        w_q=head_rows(attention.w_q, head, config.d_head),
        w_k=head_rows(attention.w_k, head, config.d_head),
        w_v=head_rows(attention.w_v, head, config.d_value),
        w_o=head_rows(attention.w_o, 0, config.d_model),
        queries_from=queries_from,
        keys_from=keys_from,
        mask=np.broadcast_to(forward_pass.tensors[MASKS[kind]][0, 0], tensors["scores"][head].shape),
        heads=tensors.pop("heads").transpose(1, 0, 2),
        output=tensors.pop("output"),
        **{name: tensor[head] for name, tensor in tensors.items()},
    )


def input_streams(kind: Kind, layer: int, encoder_layers: int) -> tuple[Site, Site]:
    """Where queries and keys come from: the stream before the layer; for cross-attention the decoder and the memory."""
    if kind == "cross":
        return Site("decoder", layer, "self_attention", "stream"), layer_output("encoder", encoder_layers - 1)
    return layer_output(kind, layer - 1), layer_output(kind, layer - 1)


def layer_output(stack: Stack, layer: int) -> Site:
    """The residual stream after a layer; for layer -1, after the embedding."""
    return Site(stack, tensor="stream") if layer < 0 else Site(stack, layer, "feed_forward", "stream")


def head_rows(linear: nn.Linear, index: int, width: int) -> Linear:
    """The rows of a linear layer that belong to one head."""
    rows = slice(index * width, (index + 1) * width)
    weight = linear.weight.detach().cpu().numpy()[rows]
    bias = np.zeros(len(weight), weight.dtype) if linear.bias is None else linear.bias.detach().cpu().numpy()[rows]
    return Linear(weight, bias)
