"""Which pieces of two translations correspond, so that their attention can be compared."""

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from explorer.recording.trace import Trace


class Pairs(NamedTuple):
    """For every piece of the second trace the index of its partner in the first, None where it has none.

    `steps` pairs decoding steps by the pieces they predict.
    """

    source: tuple[int | None, ...]
    steps: tuple[int | None, ...]


def pairs_of(first: Trace, second: Trace) -> Pairs:
    """The same pieces in the same order correspond, and those that were replaced one by one.

    Where the English is only in another order, each piece corresponds to itself at its other place.
    """
    sources = [piece.id for piece in first.source], [piece.id for piece in second.source]
    moved = sorted(sources[0]) == sorted(sources[1])
    return Pairs(
        places(sources[1], sources[0]) if moved else partners(*sources),
        partners([step.predicted.id for step in first.steps], [step.predicted.id for step in second.steps]),
    )


def partners(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int | None, ...]:
    """For every element of the second list its partner's index in the first (difflib's matching blocks)."""
    found: list[int | None] = [None] * len(second)
    for name, start, end, other, last in SequenceMatcher(a=first, b=second, autojunk=False).get_opcodes():
        if name == "equal" or (name == "replace" and end - start == last - other):
            found[other:last] = range(start, end)
    return tuple(found)


def places(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    """Where each id of the first stands in the second, which is an order of the same ids.

    The nth of several equal ones goes with the nth.
    """
    found: dict[int, list[int]] = {}
    for place, piece in enumerate(second):
        found.setdefault(piece, []).append(place)
    return tuple(found[piece].pop(0) for piece in first)
