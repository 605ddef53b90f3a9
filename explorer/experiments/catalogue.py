"""What every head looks at, in numbers: sums over the rows of many translations, and the names that follow from them.

A row is what one query attends to; its weights sum to 1. All rows of the encoder and of cross-attention count, that of
the end of the sentence too; in the decoder all but the first, which sees the start alone. A place counts pieces from
the sentence's first one: row t of the decoder belongs to the piece fed at t, row t of cross-attention to the piece
that is predicted there. Every number is a mean over rows, of all translations together, except for the links.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from explorer.recording.trace import Piece, Trace
from model.evaluation.alignment import Agreement, measure_agreement
from model.evaluation.lexicon import Aligner, is_punctuation, join_words
from model.probe import KINDS, Kind
from model.tokenizer import Tokenizer

OFFSETS = {"previous": -1, "same": 0, "next": 1}  # places that a row looks before or behind its own
# What the numbers of a head are called in the file, in the order of the page's table.
NUMBERS = ("entropy", "distance", *OFFSETS, "special", "marks", "diagonality", "links")


class Rule(NamedTuple):
    """A head has a name where the number is at least the threshold, and it is of one of the kinds."""

    name: str
    number: str
    threshold: float
    kinds: tuple[Kind, ...]


# All that is needed for a name; the page shows this table. Where several hold, a head has several names.
RULES = (
    Rule("previous", "previous", 0.3, ("encoder", "decoder")),
    Rule("same", "same", 0.3, ("encoder", "decoder")),
    Rule("next", "next", 0.3, ("encoder",)),
    Rule("start", "special", 0.3, ("decoder",)),
    Rule("end", "special", 0.3, ("encoder", "cross")),
    Rule("marks", "marks", 0.3, KINDS),
    Rule("aligns", "links", 0.5, ("cross",)),
    Rule("nearby", "diagonality", 0.5, ("encoder", "decoder")),
    Rule("broad", "entropy", 3.5, KINDS),
)


class Sums(NamedTuple):
    """A number summed over rows, and how many there were: their quotient is the number."""

    total: Float[np.ndarray, "layer head"]
    rows: float


def sums_of(
    weights: Float[np.ndarray, "layer head query key"],
    kind: Kind,
    special: Bool[np.ndarray, "key"],
    marks: Bool[np.ndarray, "key"],
) -> dict[str, Sums]:
    """One translation's part of every number but the links.

    - entropy: of the row, in bits;
    - distance: of the weights from the row's place, in pieces, whichever way;
    - previous, same, next: weight on the place before the row's, on it and after it, over the rows that have such a
      place; the decoder never sees the next one;
    - special: weight on the start (decoder) or the end of the sentence; marks: on punctuation;
    - diagonality: see `nearness`.
    """
    first = 1 if kind == "decoder" else 0
    rows = weights[:, :, first:].astype(float)
    places, keys = np.arange(first, weights.shape[2]), np.arange(weights.shape[3])
    logs = np.log2(rows, out=np.zeros_like(rows), where=rows > 0)
    each = {
        "entropy": -(rows * logs).sum(axis=-1),
        "distance": (rows * np.abs(keys - places[:, None])).sum(axis=-1),
        "special": rows[..., special].sum(axis=-1),
        "marks": rows[..., marks].sum(axis=-1),
    }
    found = {name: Sums(values.sum(axis=-1), len(places)) for name, values in each.items()}
    for name, offset in OFFSETS.items():
        if kind != "decoder" or offset <= 0:
            there = (places + offset >= 0) & (places + offset < len(keys))
            on = rows[:, :, there, places[there] + offset]
            found[name] = Sums(on.sum(axis=-1), float(there.sum()))
    return {**found, "diagonality": nearness(rows, weights.shape[2], places, causal=kind == "decoder")}


def nearness(rows: Float[np.ndarray, "layer head query key"], length: int, places: np.ndarray, *, causal: bool) -> Sums:
    """How much nearer to the diagonal a head looks than one that spreads its weight evenly.

    With distances d = |(row + 1/2) / rows - (key + 1/2) / keys|, and means over all rows, it is 1 - d of the weights /
    d of even weights over what the row may see: 1 on the diagonal, 0 as far from it as even weights, below 0 farther.
    """
    n_keys = rows.shape[-1]
    distance = np.abs((places[:, None] + 0.5) / length - (np.arange(n_keys) + 0.5) / n_keys)
    seen = np.arange(n_keys) <= places[:, None] if causal else np.ones_like(distance, dtype=bool)
    even = ((distance * seen).sum(axis=-1) / seen.sum(axis=-1)).sum()
    return Sums(even - (rows * distance).sum(axis=(2, 3)), float(even))


def catalogue(tokenizer: Tokenizer, traces: Sequence[Trace]) -> dict[Kind, dict[str, Float[np.ndarray, "layer head"]]]:
    """The numbers of every kind's heads over some translations, but for the links."""
    found: dict[Kind, dict[str, Float[np.ndarray, "layer head"]]] = {}
    for kind in KINDS:
        parts: dict[str, list[Sums]] = {}
        for trace in traces:
            attention = trace.map(kind)
            special = np.array([piece.special for piece in attention.keys])
            marks = np.array([is_punctuation(text) for text in texts(tokenizer, attention.keys)]) & ~special
            for name, part in sums_of(attention.weights, kind, special, marks).items():
                parts.setdefault(name, []).append(part)
        found[kind] = {
            name: np.sum([part.total for part in sums], axis=0) / sum(part.rows for part in sums)
            for name, sums in parts.items()
        }
    return found


def texts(tokenizer: Tokenizer, pieces: Sequence[Piece]) -> list[str]:
    """The pieces as they stand in the vocabulary."""
    return tokenizer.pieces([piece.id for piece in pieces])


def links_found(tokenizer: Tokenizer, trace: Trace, aligner: Aligner) -> Agreement:
    """How many of the lexicon's links between the words of a finished translation every cross-attention head finds.

    As `model.alignment` measures it, here in the model's own German: marks are never linked.
    """
    source = join_words(texts(tokenizer, trace.source[:-1]))
    target = join_words(texts(tokenizer, [step.predicted for step in trace.steps[:-1]]))
    links = [
        (german, english)
        for german, english in aligner.links(source.texts, target.texts)
        if not is_punctuation(target.texts[german]) and not is_punctuation(source.texts[english])
    ]
    return measure_agreement(trace.cross.weights, links, source, target)


def found_share(total: Agreement) -> Float[np.ndarray, "layer head"]:
    """The share of the links that a head finds in the row that predicts the word or, where more, in the next one.

    The next row is fed with the word. Raises ValueError where there are no links.
    """
    if not total.links:
        raise ValueError("the training pairs link no word of the dev pairs")
    return (total.matches[:, :, :-1] / total.links).max(axis=0)


def names_of(kind: Kind, numbers: Mapping[str, Any]) -> list[str]:
    """The names of a head with these numbers; none where it is to be called unclassified."""
    return [rule.name for rule in RULES if kind in rule.kinds and numbers[rule.number] >= rule.threshold]
