"""How attention weights travel to the browser, so that every digit it prints of them is that of the exact weights.

A weight is two characters: the nearest of 7744 levels, which lie closer the smaller they are, (level / 7743)^4. Levels
alone are not enough: whatever is computed of them (a mean, a row without its special keys, a sum) now and then lies on
the other side of a half and is rounded to another third decimal. So all numbers that the page can show are computed
here twice, from the exact weights and from the levels, and those that would be printed wrongly are sent as well, in
thousandths. The browser (explorer/attention_view/attention.js) puts them in the place of its own: each number is then
right because it was looked at, not because the levels are fine enough. Sent are about one number in 80 of a short
sentence and one in 200 of 60 x 60 pieces.
"""

from collections.abc import Collection, Iterator

import numpy as np
from jaxtyping import Float, Integer, UInt8

# What stands for itself in JSON, and in JSON that is part of a page.
ALPHABET = "".join(chr(code) for code in range(33, 127) if chr(code) not in "\"\\&'<>")
LETTERS = np.frombuffer(ALPHABET.encode("ascii"), np.uint8)
BASE = len(LETTERS)
TOP = BASE**2 - 1  # the level of the weight 1
GAP = BASE**2 - 1  # most numbers from one that is sent to the next
NEAR = 1e-6  # thousandths: this near to a half, no rounding is relied on; sums in another order differ by far less


def packed(weights: Float[np.ndarray, "layer head query key"], special: Collection[int], *, causal: bool) -> str:
    """The levels of all weights, layer by layer, head by head, row by row, and then the corrections.

    `special` are the keys that the page can hide. Of `causal` weights only the lower triangle travels. A correction
    is two characters for the gap since the last one among all_shown, and three for the number in thousandths.
    """
    at = levels(weights)
    rows, keys = np.tril_indices(weights.shape[-1]) if causal else np.indices(weights.shape[2:]).reshape(2, -1)
    places, numbers = corrections(weights, weights_of(at), special)
    parts = letters(at[:, :, rows, keys].ravel(), 2), written(places, numbers)
    return "".join(part.tobytes().decode("ascii") for part in parts)


def levels(weights: Float[np.ndarray, "*axes"]) -> Integer[np.ndarray, "*axes"]:
    return np.rint(np.sqrt(np.sqrt(weights.astype(np.float64))) * TOP).astype(np.int64)


def weights_of(levels: Integer[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes"]:
    """In double precision, by multiplication alone: the browser finds the same numbers to the last bit."""
    square = np.square(levels / TOP)
    return square * square


def letters(numbers: Integer[np.ndarray, "n"], count: int) -> UInt8[np.ndarray, "n count"]:
    """Numbers in so many characters, the highest digit first."""
    assert numbers.size == 0 or 0 <= numbers.min() <= numbers.max() < BASE**count, (numbers.min(), numbers.max())
    powers = BASE ** np.arange(count - 1, -1, -1)
    return LETTERS[numbers[:, None] // powers % BASE]


def thousandths(numbers: Float[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes"]:
    """What is printed of numbers, as an integer; a half goes up, as in JavaScript."""
    return np.floor(1000 * numbers + 0.5)


def all_shown(
    weights: Float[np.ndarray, "layer head query key"], special: Collection[int]
) -> Iterator[Float[np.ndarray, "head query number"]]:
    """Every number that the page can show of a kind, in double precision: per row its weights, then their sum.

    Layer by layer, then the mean and the maximum over layers, each with all heads, their mean and their maximum;
    after that, where there are special keys, all of it again with those at 0 and each row divided by what is left.
    What is yielded holds until the next is asked for.
    """
    n_layers, n_heads, n_queries, n_keys = weights.shape
    shown = np.empty((n_layers + 2, n_heads + 2, n_queries, n_keys + 1))
    rows = shown[..., :-1]
    rows[:-2, :-2] = weights
    rows[:-2, -2], rows[:-2, -1] = rows[:-2, :-2].mean(axis=1), rows[:-2, :-2].max(axis=1)
    rows[-2], rows[-1] = rows[:-2].mean(axis=0), rows[:-2].max(axis=0)
    yield from both_ways(shown, special)


def both_ways(
    shown: Float[np.ndarray, "matrix *axes number"], special: Collection[int]
) -> Iterator[Float[np.ndarray, "*axes number"]]:
    """Rows with their sum, which is filled in; then, where there are special keys, the same without those."""
    rows, sums = shown[..., :-1], shown[..., -1:]
    rows.sum(axis=-1, keepdims=True, out=sums)
    yield from shown
    if special:
        rows[..., list(special)] = 0
        rows.sum(axis=-1, keepdims=True, out=sums)
        rows /= np.where(sums > 0, sums, 1)
        sums[:] = sums > 0
        yield from shown


def packed_one(
    exact: Float[np.ndarray, "query key"], sent: Float[np.ndarray, "query key"], special: Collection[int]
) -> str:
    """The corrections alone, of one matrix that the browser computes as `sent` from the levels that it has."""

    def ways(matrix: Float[np.ndarray, "query key"]) -> Iterator[Float[np.ndarray, "query number"]]:
        return both_ways(np.pad(matrix.astype(np.float64), ((0, 0), (0, 1)))[None], special)

    return written(*differing(ways(exact), ways(sent))).tobytes().decode("ascii")


def written(places: Integer[np.ndarray, "n"], numbers: Integer[np.ndarray, "n"]) -> UInt8[np.ndarray, "n 5"]:
    """Corrections in characters: the gap since the last place, and the number."""
    return np.hstack((letters(np.diff(places, prepend=0), 2), letters(numbers, 3)))


def corrections(
    weights: Float[np.ndarray, "layer head query key"],
    sent: Float[np.ndarray, "layer head query key"],
    special: Collection[int],
) -> tuple[Integer[np.ndarray, "n"], Integer[np.ndarray, "n"]]:
    """Where among all_shown `sent` would be printed otherwise than the weights, and what is to stand there."""
    return differing(all_shown(weights, special), all_shown(sent, special))


def differing(
    shown: Iterator[Float[np.ndarray, "*axes"]], sent: Iterator[Float[np.ndarray, "*axes"]]
) -> tuple[Integer[np.ndarray, "n"], Integer[np.ndarray, "n"]]:
    """The places of the numbers that would be printed otherwise, and what is to stand there.

    One number in every GAP is among them in any case.
    """
    places, numbers, begun = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for exact, found in zip(shown, sent, strict=True):
        right = thousandths(exact).ravel()
        wrong = np.abs(1000 * found.ravel() - right) > 0.5 - NEAR
        wrong[-begun % GAP :: GAP] = True
        (here,) = np.nonzero(wrong)
        places.append(begun + here)
        numbers.append(right[here].astype(np.int64))
        begun += right.size
    return np.concatenate(places), np.concatenate(numbers)
