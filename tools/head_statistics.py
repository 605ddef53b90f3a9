"""Statistics of what every head attends to, averaged over many translations.

A row holds the weights of one query, which sum to 1. All rows of the encoder and of cross-attention count, the end of
the sentence included; in the decoder all but the first, which sees the start alone. Places count pieces from the
start of the sentence: row t of the decoder belongs to the piece fed at t, row t of cross-attention to the piece
predicted there. Every number is a mean over the rows of all translations, except for the links.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from explorer.recording.trace import Piece, Trace
from model.errors import UserError
from model.probe import KINDS, Kind
from model.tokenizer import Tokenizer
from tools.alignment import Agreement, measure_agreement
from tools.lexicon import Aligner, is_punctuation, join_words

OFFSETS = {"previous": -1, "same": 0, "next": 1}  # from a row's own position


class Sums(NamedTuple):
    """A number summed over rows, and the count of rows; the number is their quotient."""

    total: Float[np.ndarray, "layer head"]
    rows: float


def number_sums(
    weights: Float[np.ndarray, "layer head query key"],
    kind: Kind,
    special: Bool[np.ndarray, "key"],
    marks: Bool[np.ndarray, "key"],
) -> dict[str, Sums]:
    """The sums of every number but the links, for one translation.

    - entropy: of the row, in bits;
    - distance: of the weights from the row's position, in pieces, whichever way;
    - previous, same, next: weight on the position before the row's, on it and after it, over the rows that have such a
      position; the decoder never sees the next one;
    - special: weight on the start (decoder) or the end of the sentence; marks: on punctuation;
    - diagonality: see the function `diagonality`.
    """
    first = 1 if kind == "decoder" else 0
    rows = weights[:, :, first:].astype(float)
    positions, keys = np.arange(first, weights.shape[2]), np.arange(weights.shape[3])
    logs = np.log2(rows, out=np.zeros_like(rows), where=rows > 0)
    each = {
        "entropy": -(rows * logs).sum(axis=-1),
        "distance": (rows * np.abs(keys - positions[:, None])).sum(axis=-1),
        "special": rows[..., special].sum(axis=-1),
        "marks": rows[..., marks].sum(axis=-1),
    }
    sums = {name: Sums(values.sum(axis=-1), len(positions)) for name, values in each.items()}
    for name, offset in OFFSETS.items():
        if kind != "decoder" or offset <= 0:
            there = (positions + offset >= 0) & (positions + offset < len(keys))
            on = rows[:, :, there, positions[there] + offset]
            sums[name] = Sums(on.sum(axis=-1), float(there.sum()))
    return {**sums, "diagonality": diagonality(rows, weights.shape[2], positions, causal=kind == "decoder")}


def diagonality(
    rows: Float[np.ndarray, "layer head query key"], length: int, positions: np.ndarray, *, causal: bool
) -> Sums:
    """How much closer to the diagonal a head attends than a head with uniform weights.

    With d = |(row + 1/2) / rows - (key + 1/2) / keys|, it is 1 - (mean d under the weights) / (mean d under uniform
    weights over the visible keys): 1 on the diagonal, 0 for uniform weights, negative farther away.
    """
    n_keys = rows.shape[-1]
    distance = np.abs((positions[:, None] + 0.5) / length - (np.arange(n_keys) + 0.5) / n_keys)
    seen = np.arange(n_keys) <= positions[:, None] if causal else np.ones_like(distance, dtype=bool)
    even = ((distance * seen).sum(axis=-1) / seen.sum(axis=-1)).sum()
    return Sums(even - (rows * distance).sum(axis=(2, 3)), float(even))


def measure_heads(
    tokenizer: Tokenizer, traces: Sequence[Trace]
) -> dict[Kind, dict[str, Float[np.ndarray, "layer head"]]]:
    """The numbers of all heads over some translations, without the links."""
    numbers: dict[Kind, dict[str, Float[np.ndarray, "layer head"]]] = {}
    for kind in KINDS:
        parts: dict[str, list[Sums]] = {}
        for trace in traces:
            attention = trace.map(kind)
            special = np.array([piece.special for piece in attention.keys])
            marks = np.array([is_punctuation(text) for text in piece_texts(tokenizer, attention.keys)]) & ~special
            for name, part in number_sums(attention.weights, kind, special, marks).items():
                parts.setdefault(name, []).append(part)
        numbers[kind] = {
            name: np.sum([part.total for part in sums], axis=0) / sum(part.rows for part in sums)
            for name, sums in parts.items()
        }
    return numbers


def piece_texts(tokenizer: Tokenizer, pieces: Sequence[Piece]) -> list[str]:
    """The pieces as spelled in the vocabulary."""
    return tokenizer.pieces([piece.id for piece in pieces])


def count_found_links(tokenizer: Tokenizer, trace: Trace, aligner: Aligner) -> Agreement:
    """How many of the lexicon's word links in a translation every cross-attention head finds.

    The measure is that of `tools.alignment`, on the model's own German; punctuation is never linked.
    """
    source = join_words(piece_texts(tokenizer, trace.source[:-1]))
    target = join_words(piece_texts(tokenizer, [step.predicted for step in trace.steps[:-1]]))
    links = [
        (german, english)
        for german, english in aligner.links(source.texts, target.texts)
        if not is_punctuation(target.texts[german]) and not is_punctuation(source.texts[english])
    ]
    return measure_agreement(trace.cross.weights, links, source, target)


def link_share(total: Agreement) -> Float[np.ndarray, "layer head"]:
    """The share of links that a head finds, in the row that predicts the word or the row fed with it.

    The better of the two rows counts for each head. Raises UserError if there are no links.
    """
    if not total.links:
        raise UserError("the training pairs link no word of the dev pairs")
    return (total.matches[:, :, :-1] / total.links).max(axis=0)
