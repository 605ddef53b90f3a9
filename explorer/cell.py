"""Where one cell of an attention map comes from: every number from the two streams to the sub-layer's output.

    from explorer.cell import cell
    from explorer.forward_pass import record_pass
    from explorer.head import head_of
    head = head_of(record_pass(translator, trace), "cross", layer=3, head=0)
    cell(head, query=4, key=2).weights   # the row; [2] is the cell

The stages recompute sections 3.2.1 and 3.2.2 of the paper for one query in double precision, from the streams and
the parameters (what the other heads found is that of the pass); tests hold them against what the pass computed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from explorer.excerpt import Excerpt, excerpt
from explorer.head import Head
from explorer.trace import Kind
from model.attention import MultiHeadAttention, causal_mask, padding_mask
from model.transformer import Decoder, DecoderLayer, Encoder


@dataclass(frozen=True, eq=False)
class Cell:
    """The arithmetic of one query and one key, in its order; what belongs to a row has an entry for every key."""

    q: Float[np.ndarray, "d_head"]
    k: Float[np.ndarray, "d_head"]
    product: Float[np.ndarray, "d_head"]  # element by element
    dot: float  # its sum
    score: float  # divided by sqrt(d_head)
    scores: Float[np.ndarray, "key"]  # of the row
    masked: Float[np.ndarray, "key"]  # -inf where the query may not attend
    exponentials: Float[np.ndarray, "key"]  # e to the score minus the row's maximum
    weights: Float[np.ndarray, "key"]  # divided by their sum; exactly 0 where masked
    weighted: Float[np.ndarray, "key d_value"]  # each key's value times its weight
    head_output: Float[np.ndarray, "d_value"]  # their sum
    concatenated: Float[np.ndarray, "width"]  # of all heads
    output: Float[np.ndarray, "d_model"]  # after W_O


def cell(head: Head, query: int, key: int) -> Cell:
    """Raises IndexError where there is no such query or key."""
    for name, index, count in zip(("query", "key"), (query, key), head.mask.shape, strict=True):
        if not 0 <= index < count:
            raise IndexError(f"{name} must be from 0 to {count - 1}, not {index}")
    keys_from = head.keys_from.astype(np.float64)
    q, k, v = head.w_q(head.queries_from[query].astype(np.float64)), head.w_k(keys_from), head.w_v(keys_from)
    product = q * k[key]
    scores = k @ q / math.sqrt(len(q))
    masked = np.where(head.mask[query], scores, -math.inf)
    exponentials = np.exp(masked - masked.max())
    weights = exponentials / exponentials.sum()
    weighted = weights[:, None] * v
    heads = head.heads[query].astype(np.float64)
    heads[head.index] = weighted.sum(axis=0)
    return Cell(
        q=q,
        k=k[key],
        product=product,
        dot=float(product.sum()),
        score=float(product.sum() / math.sqrt(len(q))),
        scores=scores,
        masked=masked,
        exponentials=exponentials,
        weights=weights,
        weighted=weighted,
        head_output=heads[head.index],
        concatenated=heads.ravel(),
        output=head.w_o(heads.ravel()),
    )


class Stage(NamedTuple):
    """One stage as the page tells it: the shapes of what it makes, and the code that made it in the pass."""

    name: str
    shapes: dict[str, str]  # of each result, in the words of the axes
    code: tuple[tuple[Callable, str], ...]  # functions of model/, and the expression in each

    @property
    def excerpts(self) -> list[Excerpt]:
        return [excerpt(function, expression) for function, expression in self.code]


ROW = "batch head query key"
DOT = MultiHeadAttention.scaled_dot_product
STAGES = (
    Stage(
        "project",
        {"q": "batch head query d_head", "k": "batch head key d_head"},
        ((MultiHeadAttention.attend, "self.w_q(query)"), (MultiHeadAttention.keys_values, "self.w_k(key)")),
    ),
    Stage("multiply", {"q k^T": ROW}, ((DOT, "k.transpose(-2, -1)"), (DOT, "q @ k_transposed"))),
    Stage("scale", {"scores": ROW}, ((DOT, "/ math.sqrt(q.size(-1))"),)),
    Stage("mask", {"scores": ROW}, ((DOT, "torch.where(mask, scores, -math.inf)"),)),
    Stage("softmax", {"weights": ROW}, ((DOT, ".softmax(dim=-1)"),)),
    Stage(
        "values",
        {"v": "batch head key d_value", "heads": "batch head query d_value"},
        ((MultiHeadAttention.keys_values, "self.w_v(value)"), (DOT, "self.dropout(weights) @ v")),
    ),
    Stage(
        "concatenate",
        {"concatenated": "batch query head·d_value"},
        (
            (MultiHeadAttention.attend, "heads.transpose(1, 2)"),
            (MultiHeadAttention.attend, "heads_transposed.flatten(2)"),
        ),
    ),
    Stage("output", {"output": "batch query d_model"}, ((MultiHeadAttention.attend, "self.w_o(concatenated)"),)),
)
# What the mask stage adds for each kind: how its mask is built.
MASK_CODE: dict[Kind, tuple[tuple[Callable, str], ...]] = {
    "encoder": ((Encoder.forward, "padding_mask(src, self.pad_id)"), (padding_mask, "ids != pad_id")),
    "decoder": ((Decoder.forward, "padding_mask(fed, self.pad_id) & causal_mask("), (causal_mask, ".tril()")),
    "cross": ((DecoderLayer.forward, "encoded.mask"), (padding_mask, "ids != pad_id")),
}


def stages(kind: Kind) -> list[Stage]:
    """The stages of a kind of attention, in their order."""
    return [stage._replace(code=(*stage.code, *MASK_CODE[kind])) if stage.name == "mask" else stage for stage in STAGES]
