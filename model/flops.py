"""How much arithmetic a training step takes, and what a device does at best."""

import torch

from model.config import ModelConfig
from model.hardware import device_name

# Dense bfloat16 products with float32 sums, in FLOP/s, by the vendor's data sheet of each device.
PEAKS = {
    "NVIDIA A100-SXM4-40GB": 312e12,
    "NVIDIA A100-SXM4-80GB": 312e12,
    "NVIDIA H100 80GB HBM3": 989e12,
    "NVIDIA H200": 989e12,
}


def attention_flops(sizes: ModelConfig, *, query: int, key: int) -> int:
    """Of one sentence's attention: the four projections, and the two products of every head."""
    width, value_width = sizes.n_heads * sizes.d_head, sizes.n_heads * sizes.d_value
    projections = sizes.d_model * (query + key) * (width + value_width)
    return 2 * (projections + query * key * (width + value_width))


def training_flops(sizes: ModelConfig, *, rows: int, src: int, tgt: int, pieces: int) -> int:
    """Of a step on a padded batch of `rows` pairs, `src` and `tgt` positions wide, that predicts `pieces` pieces.

    Counts the matrix products, a multiplication and an addition for each pair of factors. The backward pass takes
    two for each of the forward pass, one for the gradient of either factor.
    """
    feed_forward = 4 * sizes.d_model * sizes.d_ff
    encoder_layer = attention_flops(sizes, query=src, key=src) + src * feed_forward
    decoder_layer = (
        attention_flops(sizes, query=tgt, key=tgt) + attention_flops(sizes, query=tgt, key=src) + tgt * feed_forward
    )
    projection = 2 * pieces * sizes.d_model * sizes.tgt_vocab_size
    layers = sizes.n_layers * encoder_layer + sizes.n_decoder_layers * decoder_layer
    return 3 * (rows * layers + projection)


def peak(device: torch.device, bfloat16: bool) -> float | None:
    """The most FLOP/s that the device can do, or None where that is not known."""
    return PEAKS.get(device_name(device)) if bfloat16 else None
