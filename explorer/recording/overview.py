"""A forward pass at a glance: a few numbers of every token's vector wherever it is changed, as signed bytes."""

import base64
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from explorer.recording.forward_pass import ForwardPass

COLUMNS = 16  # of a token's vector
HIDDEN_COLUMNS = 32  # of the wider one inside a feed-forward sub-layer
LARGEST = 127  # of a signed byte
TENSORS = ("embedding", "positions", "output", "hidden", "stream")


def strips(forward_pass: ForwardPass) -> list[dict[str, Any]]:
    """Embedding, positions and streams, the sub-layers' outputs and hidden numbers, of one sentence, in their order.

    Each is the site with `shape` [position column], `scale`, its largest absolute number, and `data`, base64 of its
    numbers / scale * 127 as signed bytes. A column is the root mean square of neighbouring numbers with the sign of
    their sum; for positions it is the first of them, because sines and cosines pool to almost the same everywhere.
    """
    found = []
    for site, tensor in forward_pass.tensors.items():
        if site.tensor in TENSORS:
            rows = tensor.reshape(-1, tensor.shape[-1]).astype(np.float64)
            columns = min(HIDDEN_COLUMNS if site.tensor == "hidden" else COLUMNS, rows.shape[1])
            starts = np.arange(columns) * rows.shape[1] // columns
            numbers = rows[:, starts] if site.tensor == "positions" else pooled(rows, starts)
            found.append({**site._asdict(), **strip_json(numbers)})
    return found


def pooled(
    rows: Float[np.ndarray, "position width"], starts: Int[np.ndarray, "column"]
) -> Float[np.ndarray, "position column"]:
    """The root mean squares of the groups that begin at `starts`, with the signs of their sums."""
    sizes = np.diff(starts, append=rows.shape[1])
    lengths = np.sqrt(np.add.reduceat(np.square(rows), starts, axis=1) / sizes)
    return np.where(np.add.reduceat(rows, starts, axis=1) < 0, -lengths, lengths)


def strip_json(numbers: Float[np.ndarray, "position column"]) -> dict[str, Any]:
    scale = float(np.abs(numbers).max())
    signed = np.rint(numbers * (LARGEST / scale) if scale else numbers).astype(np.int8)
    return {
        "shape": list(numbers.shape),
        "scale": scale,
        "data": base64.b64encode(signed.tobytes()).decode("ascii"),
    }
