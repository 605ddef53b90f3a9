"""The file of a layer: what is known of its neurons and of its heads, as arrays.

The header is {"model", "stack", "layer", "neurons", "levels"}: the fingerprint of the checkpoint, "encoder" or
"decoder", the layer from 0, d_ff, and what the largest value has as level. Positions are numbered from 0 through all
sentences of the stack (see sentence_file.py). Arrays, with N neurons that fire, in their order:

    fires        uint8   [neurons]   1 if the neuron fires anywhere
    count        uint32  [N]         positions at which it fires
    largest      float32 [N]         its largest value, rounded to 16 bits of the mantissa
    mean         uint16  [N]         the mean of its values above 0, as a fraction of the largest in 1 / 65535
    histogram    uint8   [10, N]     how many values lie in each tenth of 0 to the largest: c = round(4 log2(1 + n)),
                                     as the difference from the bin before, modulo 256; n is exact up to 7, then 9 %
    GROUP_level  uint8   [slots, N]  strength in 1 / levels; 0: no context. Of "strongest", as the decrease from the
                                     slot before, the first from `levels`
    GROUP_place  uint16 or uint32 [slots, N]   the position; see below

A GROUP is "strongest" with 8 slots or "strong", "middle", "weak" with 4 each. The places of the strongest are
positions. Those of the other groups are distances: of the first slot from the first position of sentence
floor(neuron * sentences / neurons), of each other slot from the slot before, modulo the number of positions.

    name_neuron   uint32 [names]     the neurons that have a name, each as the difference from the one before
    name_relation uint8  [names]     an index in "on", "before", "writes"
    name_tokens   uint32 [3, names]  the ids of its tokens in the vocabulary plus one; 0: no further token
    name_counts   uint32 [3, names]  of the check: strong firings, how many of them have the tokens, and how often the
                                     tokens occur

and for each KIND of attention of the layer ("encoder"; "decoder" and "cross"), strongest first, weight 0 for none:

    KIND_sentence, KIND_query, KIND_key   uint16 or uint32 [head, 20]
    KIND_weight                           uint16           [head, 20]   in 1 / 65535
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Integer, Shaped

from explorer.atlas.array_file import ArrayFile, pack, smallest_type
from explorer.atlas.contexts import DRAWN, LEVELS, RANGES, SLOTS, STRONGEST, Activity, Contexts, first_sentence
from explorer.atlas.corpus import Positions
from explorer.atlas.heads import Arrows
from model.probe import Kind, Stack

GROUPS = {"strongest": slice(0, STRONGEST)} | {
    name: slice(STRONGEST + i * DRAWN, STRONGEST + (i + 1) * DRAWN) for i, name in enumerate(RANGES)
}
FRACTION = 65535
PER_OCTAVE = 4  # codes of the histogram for every doubling
DROPPED_BITS = 8  # of the mantissa of the largest value


class Layer(NamedTuple):
    """The content of a layer's file, as arrays over all neurons; 0 for what never fires."""

    fired: Integer[np.ndarray, "neuron"]  # positions at which it is above 0
    activity: Activity  # as rounded
    contexts: Contexts
    levels: int  # the level of a neuron's largest value
    names: dict[str, Integer[np.ndarray, "*row name"]]
    arrows: dict[Kind, Arrows]


def round_floats(values: Float[np.ndarray, "neuron"]) -> Float[np.ndarray, "neuron"]:
    """float32 with DROPPED_BITS zeros at the end of the mantissa."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.int64)
    half = 1 << (DROPPED_BITS - 1)
    return ((bits + half) >> DROPPED_BITS << DROPPED_BITS).astype(np.uint32).view(np.float32)


def count_codes(counts: Integer[np.ndarray, "*shape"]) -> Integer[np.ndarray, "*shape"]:
    """The codes of counts in a histogram."""
    return np.rint(PER_OCTAVE * np.log2(1.0 + counts)).astype(np.int64)


def counts_of(codes: Integer[np.ndarray, "*shape"]) -> Integer[np.ndarray, "*shape"]:
    """The counts that codes stand for."""
    return np.rint(2.0 ** (codes / PER_OCTAVE) - 1).astype(np.int64)


def encode_layer(
    header: Mapping[str, Any],
    activity: Activity,
    contexts: Contexts,
    names: Mapping,
    positions: Positions,
    arrows: Mapping,
) -> bytes:
    """The bytes of a layer's file; `header` has "model", "stack" and "layer"."""
    d_ff = len(activity.largest)
    fires = activity.largest > 0
    codes = np.diff(count_codes(activity.histogram[fires].T), axis=0, prepend=0)
    mean = np.rint(activity.mean[fires] / activity.largest[fires] * FRACTION)
    arrays: dict[str, np.ndarray] = {
        "fires": fires.astype(np.uint8),
        "count": activity.histogram[fires].sum(axis=1).astype(np.uint32),
        "largest": round_floats(activity.largest[fires]),
        "mean": mean.astype(np.uint16),
        "histogram": (codes % 256).astype(np.uint8),
    }
    place_type, origin = smallest_type(len(positions)), first_places(positions, d_ff)
    for name, slots in GROUPS.items():
        level, place = contexts.level[slots], contexts.place[slots]
        if name == "strongest":
            level = -np.diff(level, axis=0, prepend=LEVELS)
        else:
            distance = (place - origin) % len(positions)
            place = np.where(level > 0, np.diff(distance, axis=0, prepend=0), 0)
        arrays[f"{name}_level"] = level[:, fires].astype(np.uint8)
        arrays[f"{name}_place"] = place[:, fires].astype(place_type)
    arrays |= names
    for kind, found in arrows.items():
        arrays |= {f"{kind}_{field}": array for field, array in found._asdict().items()}
    return pack({**header, "neurons": d_ff, "levels": LEVELS}, arrays)


def first_places(positions: Positions, d_ff: int) -> Integer[np.ndarray, "neuron"]:
    """The position from which on the contexts of every neuron are drawn."""
    return positions.start[first_sentence(np.arange(d_ff), d_ff, len(positions.start))]


def decode_layer(file: ArrayFile, positions: Positions) -> Layer:
    """The content of a layer's file. Raises KeyError or ValueError if the file is not one."""
    arrays, fires, levels = file.arrays, file.arrays["fires"] > 0, file.header["levels"]

    def spread(
        values: Shaped[np.ndarray, "*rows firing"], dtype: type = np.int64
    ) -> Shaped[np.ndarray, "*rows neuron"]:
        full = np.zeros((*values.shape[:-1], len(fires)), dtype)
        full[..., fires] = values
        return full

    codes = arrays["histogram"].astype(np.int64).cumsum(axis=0) % 256
    largest = spread(arrays["largest"], np.float32)
    mean = spread(arrays["mean"] / FRACTION, np.float64) * largest
    activity = Activity(largest, mean, spread(counts_of(codes)).T)
    contexts = Contexts(np.zeros((SLOTS, len(fires)), np.int64), np.zeros((SLOTS, len(fires)), np.int64))
    origin = first_places(positions, len(fires))
    for name, slots in GROUPS.items():
        level, place = (arrays[f"{name}_{field}"].astype(np.int64) for field in ("level", "place"))
        if name == "strongest":
            level = levels - level.cumsum(axis=0)
        else:
            place = (place.cumsum(axis=0) + origin[fires]) % len(positions)
        contexts.level[slots], contexts.place[slots] = spread(level), spread(np.where(level > 0, place, 0))
    names = {name: array for name, array in arrays.items() if name.startswith("name_")}
    return Layer(spread(arrays["count"]), activity, contexts, levels, names, dict(read_arrows(arrays)))


def read_arrows(arrays: Mapping[str, Shaped[np.ndarray, "..."]]) -> Iterator[tuple[Kind, Arrows]]:
    kinds: tuple[Kind, ...] = ("encoder", "decoder", "cross")
    for kind in kinds:
        if f"{kind}_weight" in arrays:
            yield kind, Arrows(*(arrays[f"{kind}_{field}"] for field in Arrows._fields))


def kinds_of(stack: Stack) -> tuple[Kind, ...]:
    """The kinds of attention in a layer of a stack."""
    return ("encoder",) if stack == "encoder" else ("decoder", "cross")
