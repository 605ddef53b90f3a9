"""ALTI+: how much of each prediction comes from the source, and how much from the target pieces before it.

Ferrando, Gállego, Alastruey, Escolano and Costa-jussà 2022 ("Towards Opening the Black Box of Neural Machine
Translation: Source and Target Interpretations of the Transformer", EMNLP 2022, arXiv:2205.11631), on ALTI (Ferrando,
Gállego and Costa-jussà 2022, arXiv:2203.04212). It needs one forward pass and no gradients.

Layer normalisation is linear once its standard deviation s is known: L(x) = weight (x - mean(x)) / s. So the output y
of an attention sub-layer with its residual connection is a sum of one vector T(x) per input x, and of biases:

    T_i(x_j) = L(sum over heads h of w_hij (v_hj W_O_h), plus x_i if it is the residual connection)
    y_i = sum over j of T_i(x_j) + L(b_O) + b_norm

In self-attention the residual belongs to the query's own piece; in cross-attention it is an input of its own. An input
contributes as much as its vector brings y nearer to 0, and the contributions of a row are divided by their sum:

    c_ij = max(0, |y_i| - |y_i - T_i(x_j)|), where |.| sums absolute values

Layers are joined as in a rollout (rollout.py), and the residual's part of cross-attention stays with the target. The
feed-forward networks leave a row with itself. A row to which no input contributes stays with its residual. Shares are
those of the last layer's whole state, from which all pieces are predicted, not of one piece's probability.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.recording.forward_pass import ForwardPass
from explorer.recording.head import input_streams, layers_by_kind
from explorer.recording.rollout import join_decoder, join_layers
from explorer.recording.vector_lengths import projected_values, weights_at
from model.layers import LayerNorm
from model.probe import ATTENTION, Kind


@dataclass(frozen=True, eq=False)
class Contributions:
    """The share of each source piece and of each target piece fed in every step; both shares of a step sum to 1."""

    source: Float[np.ndarray, "step src"]
    target: Float[np.ndarray, "step fed"]


def contributions(forward_pass: ForwardPass) -> Contributions:
    """The contributions to every prediction."""
    layers = layers_by_kind(forward_pass.model.config)
    encoder, decoder, cross = (
        np.stack([layer_contributions(forward_pass, kind, layer) for layer in range(layers[kind])])
        for kind in ATTENTION
    )
    shares = join_decoder(join_layers(encoder), decoder, cross[..., :-1], cross[..., -1:])
    n_fed = decoder.shape[-1]
    return Contributions(shares[:, n_fed:], shares[:, :n_fed])


def layer_contributions(forward_pass: ForwardPass, kind: Kind, layer: int) -> Float[np.ndarray, "query input"]:
    """What each input of an attention sub-layer contributes to each row of its normalised output; rows sum to 1."""
    vectors = transformed_vectors(forward_pass, kind, layer)
    output = forward_pass.tensors[ATTENTION[kind]._replace(layer=layer, tensor="stream")][0][:, None]
    nearer = np.abs(output).sum(axis=-1) - np.abs(output - vectors).sum(axis=-1)
    parts = np.maximum(nearer.astype(np.float64), 0)
    silent = np.flatnonzero(parts.sum(axis=-1) == 0)
    parts[silent, -1 if kind == "cross" else silent] = 1
    return parts / parts.sum(axis=-1, keepdims=True)


def transformed_vectors(forward_pass: ForwardPass, kind: Kind, layer: int) -> Float[np.ndarray, "query input d_model"]:
    """T_i(x_j) of the module's docstring; in cross-attention the last input is the residual connection."""
    weights, values = weights_at(forward_pass, kind, layer), projected_values(forward_pass, kind, layer)
    added = (weights.transpose(2, 1, 0) @ values.transpose(1, 0, 2)).swapaxes(0, 1)  # summed over heads
    stream, _ = input_streams(kind, layer, forward_pass.model.config.n_layers)
    residual = forward_pass.tensors[stream][0]
    if kind == "cross":
        added = np.concatenate((added, residual[:, None]), axis=1)
    else:
        rows = np.arange(len(residual))
        added[rows, rows] += residual
    site = ATTENTION[kind]._replace(layer=layer)
    total = forward_pass.tensors[site._replace(tensor="sum")][0]
    norm: LayerNorm = getattr(getattr(forward_pass.model, site.stack).layers[layer], f"{site.sublayer}_norm").norm
    scale = norm.weight.detach().cpu().numpy() / np.sqrt(total.var(axis=-1, keepdims=True) + norm.eps)
    return (added - added.mean(axis=-1, keepdims=True)) * scale[:, None]
