"""The weights of a Marian checkpoint: `model.safetensors` or, where there is none, `pytorch_model.bin`.

The latter is a pickle; `torch.load(weights_only=True)` reads only tensors from it, so that no code in it runs. Neither
is loaded if it has more bytes than the model of its configuration can need.
"""

import struct
from pathlib import Path
from pickle import UnpicklingError
from zipfile import BadZipFile, ZipFile, is_zipfile

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.checkpoints.weights import parameter_count, uninitialized_model, weight_shapes
from model.config import ModelConfig
from model.files import file_size
from model.layers import sinusoidal_halves
from model.transformer import Transformer

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
EMBEDDING = "model.shared.weight"
COPIES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
POSITIONS = ("model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight")
# Our names and Marian's, in the order of replacement.
NAMES = {
    "encoder.embedding.tokens.weight": EMBEDDING,
    "projection.bias": "final_logits_bias",
    "encoder.layers": "model.encoder.layers",
    "decoder.layers": "model.decoder.layers",
    "self_attention_norm.norm": "self_attn_layer_norm",
    "cross_attention_norm.norm": "encoder_attn_layer_norm",
    "feed_forward_norm.norm": "final_layer_norm",
    "self_attention.w_": "self_attn.",
    "cross_attention.w_": "encoder_attn.",
    "attn.q.": "attn.q_proj.",
    "attn.k.": "attn.k_proj.",
    "attn.v.": "attn.v_proj.",
    "attn.o.": "attn.out_proj.",
    "feed_forward.w_1": "fc1",
    "feed_forward.w_2": "fc2",
}
OVERHEAD_BYTES = 1_000_000  # of a weight file besides the numbers: names, and the structure of archives
# What the two readers raise for damaged files; torch checks little of a pickle.
READ_ERRORS = (
    SafetensorError,
    UnpicklingError,
    BadZipFile,
    struct.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)


def max_bytes(config: ModelConfig) -> int:
    """The largest size of a weight file, in which the embedding may occur four times and the positions twice."""
    copies, positions = len(COPIES) * config.src_vocab_size, len(POSITIONS) * config.max_len
    return 4 * (parameter_count(config) + (copies + positions) * config.d_model) + OVERHEAD_BYTES


def read_weights(folder: Path, limit: int) -> dict[str, Tensor]:
    """The tensors in the weight file, by Marian's names. Raises ValueError if it has more than `limit` bytes."""
    path = folder / SAFE if (folder / SAFE).exists() else folder / PICKLED
    try:
        if (size := unpacked_bytes(path)) > limit:
            raise ValueError(f"{size:,} bytes are more than the model of config.json can have")
        weights = load_file(path) if path.name == SAFE else torch.load(path, map_location="cpu", weights_only=True)
    except READ_ERRORS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{path.name} holds no weights that can be read: {reason}") from error
    if not isinstance(weights, dict) or not all(map(is_float_tensor, weights.values())):
        raise ValueError(f"{path.name} must hold tensors of floats by their names, and nothing else")
    return {str(name): weight.detach() for name, weight in weights.items()}


def unpacked_bytes(path: Path) -> int:
    """The size of a file, or of an archive's unpacked content if that is larger."""
    size = file_size(path)  # raises unless it is a regular file
    if not is_zipfile(path):
        return size
    with ZipFile(path) as archive:
        return max(size, sum(record.file_size for record in archive.infolist()))


def is_float_tensor(value: object) -> bool:
    """Whether the value is a contiguous tensor of floats; a view could repeat one number endlessly."""
    kinds = (torch.float16, torch.bfloat16, torch.float32)
    if not isinstance(value, Tensor) or value.layout != torch.strided or value.dtype not in kinds:
        return False
    return value.device.type == "cpu" and value.is_contiguous()


def model_of(config: ModelConfig, weights: dict[str, Tensor]) -> tuple[Transformer, torch.dtype]:
    """A model with these weights, and the type of float that keeps all their digits.

    Raises ValueError if a weight is missing, unknown, of another shape or not finite.
    """
    weights = without_copies(config, weights)
    expected = weight_shapes(config)
    theirs = {name: marian_name(name) for name in expected}
    if unknown := weights.keys() - theirs.values():
        raise ValueError(f"it has an unknown weight {min(unknown)}")
    kinds = {weight.dtype for weight in weights.values()}
    model = uninitialized_model(config)
    for name, parameter in model.named_parameters():
        weight = weights.get(theirs[name])
        if weight is None:
            raise ValueError(f"it lacks weight {theirs[name]}")
        weight = weight[0] if name == "projection.bias" and weight.shape[:1] == (1,) else weight
        if weight.shape != expected[name]:
            raise ValueError(f"{theirs[name]} has shape {list(weight.shape)}, not {list(expected[name])}")
        if not weight.isfinite().all():
            raise ValueError(f"{theirs[name]} holds values that are not finite numbers")
        with torch.no_grad():
            parameter.copy_(weight)
    return model, kinds.pop() if len(kinds) == 1 else torch.float32


def marian_name(name: str) -> str:
    """Marian's name of a weight."""
    for ours, theirs in NAMES.items():
        name = name.replace(ours, theirs)
    return name


def without_copies(config: ModelConfig, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights without copies: some files contain the tied embedding four times, and the computed positions.

    Raises ValueError if a copy differs, or the positions are not the computed ones.
    """
    rest = dict(weights)
    tokens = [rest.pop(name) for name in (EMBEDDING, *COPIES) if name in rest]
    if not all(torch.equal(tokens[0], other) for other in tokens[1:]):
        raise ValueError("its embeddings and its output are not one matrix, and that cannot be shown here")
    computed = sinusoidal_halves(config.max_len, config.d_model)
    for name in POSITIONS:
        positions = rest.pop(name, computed)
        atol = max(1e-3, torch.finfo(positions.dtype).eps)  # bfloat16 rounds more than that
        if positions.shape != computed.shape or not torch.allclose(positions.float(), computed, rtol=0, atol=atol):
            raise ValueError(f"{name} is not the table of sines and cosines, and that cannot be shown here")
    return {**rest, EMBEDDING: tokens[0]} if tokens else rest
