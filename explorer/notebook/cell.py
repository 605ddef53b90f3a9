"""The computation of one cell of an attention map, from the two streams to the sub-layer's output.

    from explorer.notebook.cell import cell
    from explorer.recording.forward_pass import record_pass
    from explorer.recording.head import head_of
    head = head_of(record_pass(translator, trace), "cross", layer=3, head=0)
    cell(head, query=4, key=2).weights   # the row; [2] is the cell

It recomputes sections 3.2.1 and 3.2.2 of the paper for one query in double precision, from the streams and the
parameters; outputs of the other heads are those of the forward pass. Tests compare it with the forward pass.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from explorer.recording.head import Head


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """All intermediate numbers of one query and one key, in order of computation."""

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


def cell(head: Head, query: int, key: int) -> Arithmetic:
    """The numbers of one cell. Raises IndexError if there is no such query or key."""
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
    return Arithmetic(
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
