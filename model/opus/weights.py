"""The weights of a Marian checkpoint: `model.safetensors`, or shards of it, or else `pytorch_model.bin`.

The latter is a pickle; `torch.load(weights_only=True)` reads only tensors from it, so that no code in it runs. None is
loaded if they have more bytes than the model of their configuration can need.
"""

import re
import struct
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from pickle import UnpicklingError
from zipfile import BadZipFile, ZipFile, is_zipfile

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.checkpoints.hub import error_reason
from model.checkpoints.weights import (
    SHARDS,
    WEIGHTS,
    find_weight_files,
    max_weight_bytes,
    uninitialized_model,
    verify_file_sizes,
    weight_shapes,
)
from model.config import ModelConfig
from model.errors import UserError
from model.layers import sinusoidal_halves
from model.transformer import Transformer

PICKLED = "pytorch_model.bin"
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
# Marian's names of the matrices that are tied in every public model, for one of ours in which they are not.
UNTIED = {
    "encoder.embedding.tokens.weight": "model.encoder.embed_tokens.weight",
    "decoder.embedding.tokens.weight": "model.decoder.embed_tokens.weight",
    "projection.weight": "lm_head.weight",
}
# Our names of the weights that read the residual stream, along their second axis, and write it, along their first.
READS_STREAM = re.compile(r"\b(tokens|projection|w_[qkv1])\.weight$")
WRITES_STREAM = re.compile(r"\b(w_[o2]|norm)\.(weight|bias)$")
PROJECTION = re.compile(r"attention\.w_[qkvo]\.weight$")  # of an attention, which may have no bias
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
    """The largest size of all weight files, in which the embedding may occur four times and the positions twice.

    Marian has biases in every attention.
    """
    copies, positions = len(COPIES) * config.src_vocab_size, len(POSITIONS) * config.max_len
    biases = 0 if config.attention_bias else 4 * (config.n_layers + 2 * config.n_decoder_layers)
    return max_weight_bytes(config) + 4 * (copies + positions + biases) * config.d_model


def read_weights(folder: Path, limit: int) -> dict[str, Tensor]:
    """The tensors in the weight files, by Marian's names. Raises UserError if they have more than `limit` bytes."""
    names = {path.name for path in folder.iterdir()}
    safe = {name for name in names if name == WEIGHTS or fnmatchcase(name, SHARDS)}
    if not safe and PICKLED not in names:
        raise UserError(f"it has no {WEIGHTS}, no shards of it and no {PICKLED}, and no other weights are read")
    files = find_weight_files(folder, safe) if safe else [folder / PICKLED]
    verify_file_sizes(files, limit)
    return {name: weight for path in files for name, weight in read_tensors(path, limit).items()}


def read_tensors(path: Path, limit: int) -> dict[str, Tensor]:
    """The tensors in one file. Raises UserError if it is damaged, or holds something else or more."""
    try:
        if path.name == PICKLED and (size := unpacked_bytes(path)) > limit:
            raise UserError(f"{size:,} bytes are more than the model of config.json can have")
        weights = torch.load(path, map_location="cpu", weights_only=True) if path.name == PICKLED else load_file(path)
    except READ_ERRORS as error:
        reason = error_reason(error) if isinstance(error, OSError | UserError) else "it is damaged, or has no tensors"
        raise UserError(f"{path.name} holds no weights that can be read: {reason}") from error
    if not isinstance(weights, dict) or not all(map(is_float_tensor, weights.values())):
        raise UserError(f"{path.name} must hold tensors of floats by their names, and nothing else")
    return {str(name): weight.detach() for name, weight in weights.items()}


def unpacked_bytes(path: Path) -> int:
    """The size of an archive's unpacked content; 0 if it is no archive."""
    if not is_zipfile(path):
        return 0
    with ZipFile(path) as archive:
        return sum(record.file_size for record in archive.infolist())


def is_float_tensor(value: object) -> bool:
    """Whether the value is a contiguous tensor of floats; a view could repeat one number endlessly."""
    kinds = (torch.float16, torch.bfloat16, torch.float32)
    if not isinstance(value, Tensor) or value.layout != torch.strided or value.dtype not in kinds:
        return False
    return value.device.type == "cpu" and value.is_contiguous()


def model_of(config: ModelConfig, weights: dict[str, Tensor]) -> tuple[Transformer, torch.dtype]:
    """A model with these weights, and the type of float that keeps all their digits.

    Raises UserError if a weight is missing, unknown, of another shape or not finite.
    """
    expected = weight_shapes(config)
    theirs = {name: marian_name(name, config) for name in expected}
    weights = without_zero_biases(config, without_copies(config, weights))
    if unknown := weights.keys() - theirs.values():
        raise UserError(f"it has an unknown weight {min(unknown)}")
    order, model = sorted(range(config.d_model), key=marian_order(config).__getitem__), uninitialized_model(config)
    for name, parameter in model.named_parameters():
        weight = weights.get(theirs[name])
        if weight is None:
            raise UserError(f"it lacks weight {theirs[name]}")
        weight = weight[0] if name == "projection.bias" and weight.shape[:1] == (1,) else weight
        if weight.shape != expected[name]:
            raise UserError(f"{theirs[name]} has shape {list(weight.shape)}, not {list(expected[name])}")
        if not weight.isfinite().all():
            raise UserError(f"{theirs[name]} holds values that are not finite numbers")
        with torch.no_grad():
            parameter.copy_(in_order(name, weight, order))
    return model, precision_of([*weights.values()])


def precision_of(weights: Sequence[Tensor]) -> torch.dtype:
    """The type of float that keeps all digits: the one that they have, or the 16 bits that are enough for them."""
    kinds = {weight.dtype for weight in weights}
    if len(kinds) == 1 and torch.float32 not in kinds:
        return kinds.pop()
    for kind in (torch.float16, torch.bfloat16):
        if all(torch.equal(weight, weight.to(kind).to(weight.dtype)) for weight in weights):
            return kind
    return torch.float32


def marian_order(config: ModelConfig) -> list[int]:
    """Our channels of the residual stream in Marian's order: all sines, then all cosines."""
    channels = [*range(config.d_model)]
    return [*channels[::2], *channels[1::2]] if config.positions == "sinusoidal" else channels


def in_order(name: str, weight: Tensor, order: Sequence[int]) -> Tensor:
    """The weight of our `name` with its channels of the residual stream in another order."""
    if READS_STREAM.search(name):
        weight = weight[:, order]
    elif WRITES_STREAM.search(name):
        weight = weight[order]
    return weight.contiguous()


def marian_name(name: str, config: ModelConfig) -> str:
    """Marian's name of a weight."""
    if config.tying != "all" and name in UNTIED:
        return UNTIED[name]
    for ours, theirs in NAMES.items():
        name = name.replace(ours, theirs)
    return name


def without_copies(config: ModelConfig, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights without copies: some files contain the tied embedding four times, and the computed positions.

    Raises UserError if a copy differs, or the positions are not the computed ones.
    """
    rest = dict(weights)
    for first, *others in tied_names(config):
        tied = [rest.pop(name) for name in (first, *others) if name in rest]
        if not all(torch.equal(tied[0], other) for other in tied[1:]):
            raise UserError("its embeddings and its output are not one matrix, and that cannot be shown here")
        rest |= {first: tied[0]} if tied else {}
    computed = sinusoidal_halves(config.max_len, config.d_model)
    for name in POSITIONS:
        positions = rest.pop(name, computed)
        atol = max(1e-3, torch.finfo(positions.dtype).eps)  # bfloat16 rounds more than that
        if positions.shape != computed.shape or not torch.allclose(positions.float(), computed, rtol=0, atol=atol):
            raise UserError(f"{name} is not the table of sines and cosines, and that cannot be shown here")
    return rest


def tied_names(config: ModelConfig) -> list[tuple[str, ...]]:
    """Marian's names of one matrix; the first is that of ours."""
    if config.tying == "all":
        return [(EMBEDDING, *COPIES)]
    return (
        [(UNTIED["decoder.embedding.tokens.weight"], UNTIED["projection.weight"])] if config.tying == "output" else []
    )


def without_zero_biases(config: ModelConfig, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights without the biases that Marian's attention has and ours lacks. Raises UserError if one is not 0."""
    if config.attention_bias:
        return weights
    names = {marian_name(name, config) for name in weight_shapes(config) if PROJECTION.search(name)}
    rest = dict(weights)
    for name in (name.replace("weight", "bias") for name in names):
        if name in rest and rest.pop(name).any():
            raise UserError(f"{name} is not 0, and the model of config.json has no biases of attention")
    return rest
