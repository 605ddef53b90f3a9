"""What the machine offers: device, 16-bit matrix products, memory that stays."""

import ctypes
import sys

import torch
from torch import nn


def pick_device(name: str = "auto", index: int | None = None) -> torch.device:
    """The named device, or for `auto` the first at hand of cuda, mps and cpu; `index` says which GPU cuda means.

    Raises ValueError where torch does not know the name or has no such device.
    """
    if name == "auto" and not torch.cuda.is_available():
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    if name in ("auto", "cuda"):
        name = "cuda" if index is None else f"cuda:{index}"
    try:
        return torch.zeros((), device=name).device
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"device {name!r} cannot be used here: {reason}") from error


def device_name(device: torch.device) -> str:
    """What the vendor calls a GPU; other devices by their kind."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def uses_bfloat16(precision: str, device: torch.device) -> bool:
    """Whether to autocast matrix products; `auto` does where bfloat16 products are faster than float32."""
    if precision != "auto":
        return precision == "bfloat16"
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()


def prepare(device: torch.device) -> None:
    """Before training: a GPU becomes the one that is meant where none is named, and may use its TF32 cores.

    Those round the factors of float32 products to 10 bits behind the point.
    """
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.set_float32_matmul_precision("high")


def keep_freed_memory() -> None:
    """Tells glibc not to hand freed memory back after every step, which costs a CPU step a fifth of its time."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(-4, 0)  # M_MMAP_MAX: large blocks come from the heap too
            mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD: the heap does not shrink


def lay_out_for_decoding(model: nn.Module) -> None:
    """Stores every projection's matrix column by column; values and shapes stay as they are.

    A decoding step multiplies a single row, which on a CPU is bound by reading the matrices; in this order that
    took three quarters of the time.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.weight.data = module.weight.data.T.contiguous().T
