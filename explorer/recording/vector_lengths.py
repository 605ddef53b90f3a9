"""The vectors that an attention sub-layer adds up, and their lengths: what heads contribute, beside where they look.

For a query, a head h gives every key j the weight w_hj and adds the vector w_hj (v_hj W_O_h) to the output:

    output = sum over heads h and keys j of w_hj (v_hj W_O_h) + b_O

A large weight on a short vector adds little. So Kobayashi et al. 2020 ("Attention is Not Only a Weight",
arXiv:2004.10102) measure the Euclidean length of each part, ||w v W_O||, instead of w alone. W_V's bias is inside v;
W_O's bias is added once for all heads and keys and belongs to no key. Lengths have no unit and no fixed sum: by the
triangle inequality their sum is at least the length of the sum of the vectors. The mean and the maximum over heads are
those of the heads' lengths, not the length of the sum of their vectors.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from explorer.recording.forward_pass import ForwardPass
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import parse_kind
from explorer.ui.questions import require_index
from model.probe import ATTENTION, Kind
from model.transformer import attention_at


@dataclass(frozen=True, eq=False)
class Parts:
    """Vectors that sum to a sub-layer's output: over heads and keys, plus the bias."""

    vectors: Float[np.ndarray, "head query key d_model"]
    bias: Float[np.ndarray, "d_model"]


def projected_values(forward_pass: ForwardPass, kind: Kind, layer: int) -> Float[np.ndarray, "head key d_model"]:
    """v W_O of every head and key: the part of a key whose weight is 1."""
    v = torch.from_numpy(forward_pass.tensors[ATTENTION[kind]._replace(layer=layer, tensor="v")][0])
    attention, translator = attention_at(forward_pass.model, kind, layer), forward_pass.translator
    with translator.inference():
        return attention.added_per_weight(v.to(translator.device)).cpu().numpy()


def weights_at(forward_pass: ForwardPass, kind: Kind, layer: int) -> Float[np.ndarray, "head query key"]:
    return forward_pass.tensors[ATTENTION[kind]._replace(layer=layer, tensor="weights")][0]


def parts(forward_pass: ForwardPass, kind: Kind, layer: int) -> Parts:
    """The parts of all heads of one layer.

    `parts(...).vectors.sum(axis=(0, 2)) + parts(...).bias` is the sub-layer's output before the residual connection.
    Raises UserError if the model has no such kind or layer.
    """
    require_index("layer", layer, layers_by_kind(forward_pass.model.config)[parse_kind(kind)])
    values = projected_values(forward_pass, kind, layer)
    vectors = weights_at(forward_pass, kind, layer)[..., None] * values[:, None]
    w_o = attention_at(forward_pass.model, kind, layer).w_o
    bias = np.zeros(vectors.shape[-1], vectors.dtype) if w_o.bias is None else w_o.bias.detach().cpu().numpy()
    return Parts(vectors, bias)


def value_norms(forward_pass: ForwardPass, kind: Kind) -> Float[np.ndarray, "layer head key"]:
    """||v W_O|| of every layer, head and key: the length for each unit of weight."""
    layers = range(layers_by_kind(forward_pass.model.config)[parse_kind(kind)])
    values = (projected_values(forward_pass, kind, layer) for layer in layers)
    return np.stack([np.linalg.norm(of_layer, axis=-1) for of_layer in values])


def lengths(forward_pass: ForwardPass, kind: Kind) -> Float[np.ndarray, "layer head query key"]:
    """||w v W_O|| of every layer, head, query and key.

    Weights are never negative, so the length is w ||v W_O||: no vector per cell is needed.
    Raises UserError if there is no such kind.
    """
    norms = value_norms(forward_pass, kind)
    weights = np.stack([weights_at(forward_pass, kind, layer) for layer in range(len(norms))])
    return weights * norms[:, :, None]
