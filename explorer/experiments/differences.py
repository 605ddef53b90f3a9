"""Which pieces of two translations correspond, so that their attention can be compared."""

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from explorer.recording.trace import Trace


class Pairs(NamedTuple):
    """For every piece of the second trace the index of its partner in the first, None if it has none.

    `steps` pairs decoding steps by the pieces they predict.
    """

    source: tuple[int | None, ...]
    steps: tuple[int | None, ...]


def pair_pieces(first: Trace, second: Trace) -> Pairs:
    """Pairs the pieces of two traces: matching blocks, and pieces that were replaced one by one.

    If the second source is a reordering of the first, each piece is paired with itself at its other position.
    """
    sources = [piece.id for piece in first.source], [piece.id for piece in second.source]
    moved = sorted(sources[0]) == sorted(sources[1])
    return Pairs(
        match_permutation(sources[1], sources[0]) if moved else match_elements(*sources),
        match_elements([step.predicted.id for step in first.steps], [step.predicted.id for step in second.steps]),
    )


def match_elements(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int | None, ...]:
    """For every element of the second list its partner's index in the first (difflib's matching blocks)."""
    partners: list[int | None] = [None] * len(second)
    for name, start, end, other, last in SequenceMatcher(a=first, b=second, autojunk=False).get_opcodes():
        if name == "equal" or (name == "replace" and end - start == last - other):
            partners[other:last] = range(start, end)
    return tuple(partners)


def match_permutation(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """The index of each id of the first list in the second, a permutation of it; equal ids match in order."""
    indices: dict[int, list[int]] = {}
    for index, piece in enumerate(second):
        indices.setdefault(piece, []).append(index)
    return tuple(indices[piece].pop(0) for piece in first)
