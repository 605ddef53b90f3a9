"""The weights of a checkpoint as files: which there must be, what the files hold, and how they are written.

What a file holds is read from its header first. Only where names, shapes and types are exactly those that the
configuration asks for is any memory taken for the weights.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import torch
from huggingface_hub import split_torch_state_dict_into_shards
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from safetensors.torch import save as serialized
from torch import nn
from torch.utils import swap_tensors

from model.config import ModelConfig
from model.files import file_size, read_object
from model.layers import POSITION_TABLES
from model.transformer import Transformer

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
MAX_PARAMETERS = 2_000_000_000  # 8 GB as 32-bit floats
TYPES = {"F16": "16-bit", "BF16": "bfloat16", "F32": "32-bit"}  # as safetensors calls them, and as readers do
Shapes = dict[str, tuple[int, ...]]


def linear(name: str, inputs: int, outputs: int, bias: bool = True) -> Shapes:
    return {f"{name}.weight": (outputs, inputs), **({f"{name}.bias": (outputs,)} if bias else {})}


def attention_shapes(name: str, config: ModelConfig) -> Shapes:
    keys, values, bias = config.n_heads * config.d_head, config.n_heads * config.d_value, config.attention_bias
    return {
        **linear(f"{name}.w_q", config.d_model, keys, bias),
        **linear(f"{name}.w_k", config.d_model, keys, bias),
        **linear(f"{name}.w_v", config.d_model, values, bias),
        **linear(f"{name}.w_o", values, config.d_model, bias),
    }


def layer_shapes(config: ModelConfig, *attentions: str) -> Shapes:
    """Of one layer, with a norm after each of its sub-layers."""
    shapes = {
        **linear("feed_forward.w_1", config.d_model, config.d_ff),
        **linear("feed_forward.w_2", config.d_ff, config.d_model),
    }
    for name in attentions:
        shapes |= attention_shapes(name, config)
    for name in (*attentions, "feed_forward"):
        shapes |= {f"{name}_norm.norm.{part}": (config.d_model,) for part in ("weight", "bias")}
    return shapes


def shapes_around(config: ModelConfig) -> Shapes:
    """Of what is not in the layers; a tied matrix stands once, where it is first met."""
    source, target = (config.src_vocab_size, config.d_model), (config.tgt_vocab_size, config.d_model)
    shapes: Shapes = {"encoder.embedding.tokens.weight": source, "projection.bias": (config.tgt_vocab_size,)}
    if config.tying != "all":
        shapes["decoder.embedding.tokens.weight"] = target
    if config.tying == "none":
        shapes["projection.weight"] = target
    if config.positions == "learned":
        positions = (config.max_len, config.d_model)
        shapes |= {f"{stack}.embedding.positions": positions for stack in ("encoder", "decoder")}
    return shapes


def layers_of(config: ModelConfig) -> dict[str, Shapes]:
    """Of one layer of each stack."""
    return {
        "encoder": layer_shapes(config, "self_attention"),
        "decoder": layer_shapes(config, "self_attention", "cross_attention"),
    }


def weight_shapes(config: ModelConfig) -> Shapes:
    """The names and shapes of a Transformer's weights, by arithmetic alone."""
    shapes = shapes_around(config)
    for stack, layer in layers_of(config).items():
        for number in range(config.layers(stack)):
            shapes |= {f"{stack}.layers.{number}.{name}": shape for name, shape in layer.items()}
    return shapes


def parameter_count(config: ModelConfig) -> int:
    """How many parameters a Transformer has, by arithmetic alone."""
    parts = [shapes_around(config)] + [
        layer for stack, layer in layers_of(config).items() for _ in range(config.layers(stack))
    ]
    return sum(math.prod(shape) for part in parts for shape in part.values())


def verify_size(config: ModelConfig) -> None:
    """Raises ValueError where a model would take more memory than any is given here."""
    count = parameter_count(config) + 2 * config.max_len * config.d_model  # and the computed positions
    if count > MAX_PARAMETERS:
        raise ValueError(
            f"config.json: the model would hold {count:,} numbers, and at most {MAX_PARAMETERS:,} are taken"
        )


def find_weight_files(folder: Path, found: set[str]) -> list[Path]:
    """The files that hold the weights: all that were found, which must be exactly those that the index names.

    One more may be another model's.
    """
    if not found:
        raise ValueError(
            f"no {WEIGHTS} and no shards of it; weights in another format, such as pytorch_model.bin, are never "
            "loaded, since unpickling them can run any code"
        )
    named = files_in_index(folder / INDEX) if (folder / INDEX).exists() else {WEIGHTS}
    if found - named:
        raise ValueError(f"{min(found - named)} is there, but not in {INDEX}")
    if named - found:
        raise ValueError(f"{INDEX} names {min(named - found)}, which is not one of the folder's weight files")
    return [folder / name for name in sorted(found)]


def files_in_index(path: Path) -> set[str]:
    """The files that an index says hold the weights."""
    weight_map = read_object(path).get("weight_map")
    if not isinstance(weight_map, dict):
        raise ValueError(f"{path.name} has no weight_map")
    return set(map(str, weight_map.values()))


def read_header(path: Path) -> dict[str, tuple[tuple[int, ...], str]]:
    """Shape and type of all that a file of safetensors holds; nothing of it is loaded."""
    file_size(path)  # which refuses what is no file
    try:
        with safe_open(path, "pt") as file:
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 (it is no mapping)
            return {name: (tuple(held.get_shape()), held.get_dtype()) for name, held in slices.items()}
    except SafetensorError as error:
        raise ValueError(f"{path.name} holds no weights that can be read: {error}") from error


def verify_headers(files: list[Path], config: ModelConfig) -> None:
    """Raises ValueError unless the headers of the files tell of exactly the weights that the configuration needs."""
    expected = weight_shapes(config)
    lacking = set(expected)
    for path in files:
        for name, (shape, kind) in read_header(path).items():
            verify_weight(name, shape, kind, path, expected)
            lacking.discard(name)
    if lacking:
        raise ValueError(f"it does not fit its config.json: it lacks weight {min(lacking)}")


def verify_weight(name: str, shape: tuple[int, ...], kind: str, path: Path, expected: Shapes) -> None:
    """Raises ValueError where a weight of a file is none of the model's, or another one."""
    if name not in expected:
        raise ValueError(f"it does not fit its config.json: it has an unknown weight {name}")
    if shape != expected[name]:
        raise ValueError(f"{path.name}: {name} has shape {list(shape)}, not {list(expected[name])} as in config.json")
    if kind not in TYPES:
        raise ValueError(f"{path.name}: {name} holds {kind} numbers, not {', '.join(TYPES.values())} floats")


def uninitialized_model(config: ModelConfig) -> Transformer:
    """A model with its positions whose weights may hold anything: each is to be filled.

    Neither time nor memory is spent on random numbers that would be written over, and none are drawn.
    """
    with torch.device("meta"):
        model = Transformer(config)
    for weight in model.parameters():  # changed in place, so that matrices which are tied stay tied
        swap_tensors(weight, nn.Parameter(torch.empty(weight.shape)))
    if config.positions in POSITION_TABLES:
        for stack in (model.encoder, model.decoder):
            table = POSITION_TABLES[config.positions](config.max_len, config.d_model)
            stack.embedding.register_buffer("positions", table, persistent=False)
    return model


def load_weights(model: nn.Module, files: list[Path]) -> None:
    """Copies the weights of files that fit into the model. Raises ValueError where one is no finite number."""
    parameters = dict(model.named_parameters())
    for path in files:
        for name, weight in load_file(path).items():
            if not weight.isfinite().all():
                raise ValueError(f"{path.name}: {name} holds values that are not finite numbers")
            with torch.no_grad():
                parameters[name].copy_(weight)


def serialize_weights(
    model: nn.Module, shard_size: str, precision: torch.dtype = torch.float16
) -> Iterator[tuple[str, bytes]]:
    """The weights, rounded to floats, as files of at most a size such as "9MB", and their index if there are several.

    A tied matrix is written once. Raises ValueError where one is no finite number then: none such would be read.
    """
    weights = {name: weight.detach().to(precision).contiguous() for name, weight in model.named_parameters()}
    if wrong := [name for name, weight in weights.items() if not weight.isfinite().all()]:
        bits = 8 * precision.itemsize
        raise ValueError(f"{wrong[0]} holds values that are no finite numbers in {bits} bits: no checkpoint is made")
    split = split_torch_state_dict_into_shards(weights, max_shard_size=shard_size)
    for file, names in split.filename_to_tensors.items():
        yield file, serialized({name: weights[name].cpu() for name in names}, metadata={"format": "pt"})
    if split.is_sharded:
        index = {"metadata": split.metadata, "weight_map": split.tensor_to_filename}
        yield INDEX, (json.dumps(index, indent=2) + "\n").encode()


def lay_out_for_decoding(model: nn.Module) -> None:
    """Stores every projection's matrix column by column; values and shapes stay as they are.

    A decoding step multiplies a single row, which on a CPU is bound by reading the matrices; in this order that
    took three quarters of the time.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.weight.data = module.weight.data.T.contiguous().T
