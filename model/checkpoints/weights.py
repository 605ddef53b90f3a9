"""The weight files of a checkpoint: which there must be, what they hold, and how they are written.

The headers of the files are checked first. Memory is allocated only if names, shapes and types are exactly those that
the configuration asks for.
"""

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import split_torch_state_dict_into_shards
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from safetensors.torch import save as serialized
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils import swap_tensors

from model.checkpoints.hub import error_reason
from model.config import ModelConfig
from model.errors import UserError
from model.files import file_size, read_object
from model.transformer import Transformer

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
SHARDS = f"model-{'[0-9]' * 5}-of-{'[0-9]' * 5}.safetensors"
MAX_PARAMETERS = 2_000_000_000  # 8 GB as 32-bit floats
HEADER_BYTES, OVERHEAD_BYTES = 1000, 1_000_000  # of a weight file besides the numbers: for each weight, and in all
TYPES = {"F16": "16-bit", "BF16": "bfloat16", "F32": "32-bit"}  # as safetensors calls them, and as readers do
Shapes = dict[str, tuple[int, ...]]


class NoRandomWeights(TorchFunctionMode):
    """Leaves weights as they are where PyTorch would draw them from a normal distribution.

    On the meta device there is nothing to draw, and PyTorch would import its compiler: 70 MB, and a second or two.
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        return kwargs["tensor"] if func is nn.init.normal_ else func(*args, **kwargs)


def model_without_values(config: ModelConfig) -> Transformer:
    """A model whose weights are on the meta device: shapes without memory. Its computed positions are right."""
    with torch.device("meta"), NoRandomWeights():
        return Transformer(config)


def weight_shapes(config: ModelConfig) -> Shapes:
    """The names and shapes of a Transformer's weights, without memory for any: all layers of a stack are alike."""
    positions = config.max_len if config.positions == "learned" else 1  # computed ones are no weights
    model = model_without_values(replace(config, n_layers=1, n_decoder_layers=1, max_len=positions))
    shapes = {}
    for name, weight in model.named_parameters():
        stack = name.partition(".")[0]
        for layer in range(config.layers(stack) if ".layers.0." in name else 1):
            shapes[name.replace(".layers.0.", f".layers.{layer}.")] = tuple(weight.shape)
    return shapes


def parameter_count(config: ModelConfig) -> int:
    """How many parameters a Transformer has."""
    return sum(map(math.prod, weight_shapes(config).values()))


def verify_size(config: ModelConfig) -> None:
    """Raises UserError if a model would need more memory than is allowed here."""
    count = parameter_count(config) + 2 * config.max_len * config.d_model  # and the computed positions
    if count > MAX_PARAMETERS:
        raise UserError(
            f"config.json: the model would hold {count:,} numbers, and at most {MAX_PARAMETERS:,} are taken"
        )


def find_weight_files(folder: Path, names: set[str]) -> list[Path]:
    """The weight files in a folder: exactly those that the index names, since one more may be another model's.

    `names` are those of all safetensors files there. Raises UserError if they differ.
    """
    if not names:
        raise UserError(
            f"no {WEIGHTS} and no shards of it; weights in another format, such as pytorch_model.bin, are never "
            "loaded, since unpickling them can run any code"
        )
    expected = {WEIGHTS}
    if os.path.lexists(folder / INDEX):
        weight_map = read_object(folder / INDEX).get("weight_map")
        if not isinstance(weight_map, dict):
            raise UserError(f"{INDEX} has no weight_map")
        expected = set(map(str, weight_map.values()))
    if names - expected:
        raise UserError(f"{min(names - expected)} is there, but not in {INDEX}")
    if expected - names:
        raise UserError(f"{INDEX} names {min(expected - names)}, which is not one of the folder's weight files")
    return [folder / name for name in sorted(names)]


def max_weight_bytes(config: ModelConfig) -> int:
    """The largest size of all weight files of a model together."""
    return 4 * parameter_count(config) + HEADER_BYTES * len(weight_shapes(config)) + OVERHEAD_BYTES


def verify_file_sizes(files: list[Path], limit: int) -> None:
    """Raises UserError if the files hold more bytes than that: a hole takes no place on the disk, but in memory."""
    sizes = {path.name: file_size(path) for path in files}
    if sum(sizes.values()) > limit:
        largest = max(sizes, key=sizes.__getitem__)
        raise UserError(
            f"{largest} has {sizes[largest]:,} bytes, and the weights of config.json's model have at most {limit:,}"
        )


def read_header(path: Path) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and type of every tensor in a safetensors file; no tensor is loaded."""
    try:
        with safe_open(path, "pt") as file:
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
            return {name: (tuple(part.get_shape()), part.get_dtype()) for name, part in slices.items()}
    except SafetensorError as error:
        raise UserError(f"{path.name} holds no weights that can be read: {error_reason(error)}") from error


def verify_headers(files: list[Path], config: ModelConfig) -> None:
    """Raises UserError unless the headers of the files list exactly the weights that the configuration needs."""
    expected = weight_shapes(config)
    verify_file_sizes(files, max_weight_bytes(config))
    headers = [(path.name, *entry) for path in files for entry in read_header(path).items()]
    for file, name, (shape, kind) in headers:
        if name not in expected:
            raise UserError(f"it does not fit its config.json: it has an unknown weight {name}")
        if shape != expected[name]:
            raise UserError(f"{file}: {name} has shape {list(shape)}, not {list(expected[name])} as in config.json")
        if kind not in TYPES:
            raise UserError(f"{file}: {name} holds {kind} numbers, not {', '.join(TYPES.values())} floats")
    if missing := expected.keys() - {name for _, name, _ in headers}:
        raise UserError(f"it does not fit its config.json: it lacks weight {min(missing)}")


def uninitialized_model(config: ModelConfig) -> Transformer:
    """A model whose weights hold arbitrary values, to be overwritten; its computed positions are right.

    The matrices of all projections lie column by column. A decoding step multiplies a single row, and a CPU spends most
    of it reading the matrices; in this order it took three quarters of the time.
    """
    model = model_without_values(config)
    by_columns = {id(module.weight) for module in model.modules() if isinstance(module, nn.Linear)}
    for weight in model.parameters():  # in place, so that tied matrices stay tied
        values = torch.empty(weight.shape[::-1]).T if id(weight) in by_columns else torch.empty(weight.shape)
        swap_tensors(weight, nn.Parameter(values))
    return model


def load_weights(model: nn.Module, files: list[Path]) -> None:
    """Copies the weights of verified files into the model. Raises UserError if a value is not finite."""
    parameters = dict(model.named_parameters())
    for path in files:
        for name, weight in load_file(path).items():
            if not weight.isfinite().all():
                raise UserError(f"{path.name}: {name} holds values that are not finite numbers")
            with torch.no_grad():
                parameters[name].copy_(weight)


def serialize_weights(
    model: nn.Module, shard_size: str, precision: torch.dtype = torch.float16
) -> Iterator[tuple[str, bytes]]:
    """The weights, rounded to `precision`, as named files of at most `shard_size`, with an index if there are several.

    A tied matrix is written once. Raises UserError if a rounded value is not finite: such a checkpoint does not load.
    """
    weights = {name: weight.detach().to(precision).contiguous() for name, weight in model.named_parameters()}
    if infinite := [name for name, weight in weights.items() if not weight.isfinite().all()]:
        bits = 8 * precision.itemsize
        raise UserError(f"{infinite[0]} holds values that are no finite numbers in {bits} bits: no checkpoint is made")
    split = split_torch_state_dict_into_shards(weights, max_shard_size=shard_size)
    for file, names in split.filename_to_tensors.items():
        yield file, serialized({name: weights[name].cpu() for name in names}, metadata={"format": "pt"})
    if split.is_sharded:
        index = {"metadata": split.metadata, "weight_map": split.tensor_to_filename}
        yield INDEX, (json.dumps(index, indent=2) + "\n").encode()
