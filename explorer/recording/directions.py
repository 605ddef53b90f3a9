"""What a neuron reads and writes by its weights alone: the tokens whose embeddings lie along its rows and columns.

This is computed from the checkpoint and not stored. LayerNorm stands between these vectors and the embeddings, and a
neuron of a middle layer reads what earlier layers wrote, so that a large cosine is a hint and no proof.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.recording.trace import pieces
from model.decoding import Translator
from model.errors import UserError
from model.probe import Stack

SHOWN = 6  # tokens at either end, and neighbours


class TokenCosine(NamedTuple):
    """A token of the vocabulary, and the cosine of its embedding with a vector of the neuron."""

    token: str
    id: int
    cosine: float


class NeuronCosine(NamedTuple):
    """Another neuron of the layer, and the cosine of both columns of W_2."""

    neuron: int
    cosine: float


class Directions(NamedTuple):
    """Tokens by cosine, the largest first in `reads` and `writes`, the smallest first in the others."""

    reads: tuple[TokenCosine, ...]  # along the neuron's row of W_1
    reads_against: tuple[TokenCosine, ...]
    writes: tuple[TokenCosine, ...]  # along its column of W_2
    writes_against: tuple[TokenCosine, ...]
    neighbours: tuple[NeuronCosine, ...]  # those that write most nearly the same, the nearest first


def directions(translator: Translator, stack: str, layer: int, neuron: int, count: int = SHOWN) -> Directions:
    """The `count` tokens of largest and of smallest cosine for a neuron, and its neighbours; indices count from 0.

    A row of W_1 is compared with the embeddings of the stack. So is a column of W_2 in the encoder; in the decoder, it
    is compared with the rows of the output projection. Raises UserError if there is no such neuron.
    """
    model = translator.model
    require_index("layer", layer, model.config.layers(parse_stack(stack)))
    require_index("neuron", neuron, model.config.d_ff)
    part = model.encoder if stack == "encoder" else model.decoder
    row, column = (model.get_parameter(f"{stack}.layers.{layer}.feed_forward.{name}.weight") for name in ("w_1", "w_2"))
    embeddings = part.embedding.tokens.weight
    outputs = embeddings if stack == "encoder" else model.projection.weight
    with translator.inference():
        reads = ends(translator, row[neuron], embeddings, count)
        writes = ends(translator, column[:, neuron], outputs, count)
        neighbours = nearest_columns(column, neuron, count)
    return Directions(*reads, *writes, neighbours)


def directions_json(translator: Translator, stack: Stack, layer: int, neuron: int) -> dict[str, list[dict[str, Any]]]:
    """The same for the page: tokens as {"id", "text", "cosine"}, neighbours as {"neuron", "cosine"}."""
    found = directions(translator, stack, layer, neuron)
    shown = {
        name: [
            {"id": piece.id, "text": piece.text, "cosine": one.cosine}
            for piece, one in zip(pieces(translator, [one.id for one in rows]), rows, strict=True)
        ]
        for name, rows in found._asdict().items()
        if name != "neighbours"
    }
    return {**shown, "neighbours": [neighbour._asdict() for neighbour in found.neighbours]}


def parse_stack(name: str) -> Stack:
    """The stack of that name. Raises UserError if there is none."""
    if name not in ("encoder", "decoder"):
        raise UserError(f'the stack must be "encoder" or "decoder", not {name!r}')
    return name


def require_index(name: str, index: int, size: int) -> None:
    """Raises UserError, with the name of what is counted, unless the index is from 0 to `size` - 1."""
    if not 0 <= index < size:
        raise UserError(f"the {name} must be a number from 0 to {size - 1}, not {index}")


def ends(
    translator: Translator, vector: Float[Tensor, "d_model"], table: Float[Tensor, "vocab d_model"], count: int
) -> tuple[tuple[TokenCosine, ...], tuple[TokenCosine, ...]]:
    """The tokens whose rows have the largest cosine with a vector, and those with the smallest."""
    cosines = torch.nn.functional.cosine_similarity(table.double(), vector[None].double(), dim=1)
    found = []
    for largest in (True, False):
        best = cosines.topk(min(count, len(cosines)), largest=largest)
        ids = best.indices.tolist()
        found.append(tuple(map(TokenCosine, translator.tokenizer.pieces(ids), ids, best.values.tolist())))
    return found[0], found[1]


def nearest_columns(columns: Float[Tensor, "d_model d_ff"], neuron: int, count: int) -> tuple[NeuronCosine, ...]:
    """The other neurons whose columns of W_2 have the largest cosine with that of a neuron."""
    columns = columns.double()
    cosines = torch.nn.functional.cosine_similarity(columns, columns[:, neuron : neuron + 1], dim=0)
    cosines[neuron] = -torch.inf
    best = cosines.topk(min(count, len(cosines) - 1))
    return tuple(map(NeuronCosine, best.indices.tolist(), best.values.tolist()))
