"""The hardware: choosing and preparing a device, and how much arithmetic a training step takes on it."""

import ctypes
import os
import sys
from collections.abc import Mapping

import torch

from model.config import ModelConfig
from model.errors import UserError

# Dense bfloat16 products with float32 sums, in FLOP/s, from the vendor's data sheets.
PEAK_FLOPS = {
    "NVIDIA A100-SXM4-40GB": 312e12,
    "NVIDIA A100-SXM4-80GB": 312e12,
    "NVIDIA H100 80GB HBM3": 989e12,
    "NVIDIA H200": 989e12,
}


def pick_device(name: str = "auto", index: int | None = None) -> torch.device:
    """The named device, or for `auto` the first available of cuda, mps and cpu; `index` chooses among several GPUs.

    Raises UserError if torch does not know the name or has no such device.
    """
    if name == "auto" and not torch.cuda.is_available():
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    if name in ("auto", "cuda"):
        name = "cuda" if index is None else f"cuda:{index}"
    try:
        return torch.zeros((), device=name).device
    except (RuntimeError, AssertionError) as error:
        raise UserError(
            f"device {name!r} cannot be used here: PyTorch does not know it, or has no driver for it. --device cpu "
            "always works, and auto takes the best there is"
        ) from error


def device_name(device: torch.device) -> str:
    """The vendor's name of a GPU; the kind of any other device."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def uses_bfloat16(precision: str, device: torch.device) -> bool:
    """Whether to autocast matrix products; `auto` does if bfloat16 products are faster than float32 on the device."""
    if precision != "auto":
        return precision == "bfloat16"
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()


def prepare_device(device: torch.device) -> None:
    """Prepares training: a GPU becomes the default one and may use its TF32 cores.

    They round the factors of float32 products to a mantissa of 10 bits.
    """
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.set_float32_matmul_precision("high")


def set_malloc(options: Mapping[int, int]) -> None:
    """Sets options of glibc's malloc, by their numbers in malloc.h; other systems have none."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for option, value in options.items():
            mallopt(option, value)


def keep_freed_memory() -> None:
    """Tells glibc to keep freed memory; returning it after every step takes a fifth of a CPU step's time."""
    # M_MMAP_MAX: large blocks come from the heap, too; M_TRIM_THRESHOLD: the heap does not shrink.
    set_malloc({-4: 0, -1: 2**31 - 1})


def return_freed_memory() -> None:
    """Tells glibc to give freed memory back, before any thread starts: caches fill and empty while a page is served.

    Without it every thread has a heap of its own, and evicted recordings leave holes: 65 MB after 500 sentences.
    """
    # M_ARENA_MAX: two heaps for all threads; M_MMAP_THRESHOLD: a block of its own from 128 kB on; M_TRIM_THRESHOLD.
    set_malloc({-8: 2, -3: 2**17, -1: 2**17})


def spare_processes() -> int:
    """How many processes may prepare batches beside a GPU's own: half of the cores; none where none can be forked."""
    return min(8, (os.cpu_count() or 1) // 2) if hasattr(os, "fork") else 0


def attention_flops(sizes: ModelConfig, *, query: int, key: int) -> int:
    """FLOPs of attention for one sentence: the four projections, and the two products of every head."""
    width, value_width = sizes.n_heads * sizes.d_head, sizes.n_heads * sizes.d_value
    projections = sizes.d_model * (query + key) * (width + value_width)
    return 2 * (projections + query * key * (width + value_width))


def training_flops(sizes: ModelConfig, *, rows: int, src: int, tgt: int, pieces: int) -> int:
    """FLOPs of a step on a padded batch of `rows` pairs, `src` and `tgt` positions wide, that predicts `pieces` pieces.

    Counts matrix products: a multiplication and an addition for each pair of factors. For each product of the forward
    pass, the backward pass has two, one for the gradient of either factor.
    """
    feed_forward = 4 * sizes.d_model * sizes.d_ff
    encoder_layer = attention_flops(sizes, query=src, key=src) + src * feed_forward
    decoder_layer = (
        attention_flops(sizes, query=tgt, key=tgt) + attention_flops(sizes, query=tgt, key=src) + tgt * feed_forward
    )
    projection = 2 * pieces * sizes.d_model * sizes.tgt_vocab_size
    layers = sizes.n_layers * encoder_layer + sizes.n_decoder_layers * decoder_layer
    return 3 * (rows * layers + projection)


def peak_flops(device: torch.device, bfloat16: bool) -> float | None:
    """The peak FLOP/s of the device, or None if unknown."""
    return PEAK_FLOPS.get(device_name(device)) if bfloat16 else None
