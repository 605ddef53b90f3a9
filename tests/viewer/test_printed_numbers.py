"""Every digit that the browser prints of a weight is that of the exact weights: of all kinds, heads and joins of heads.

The browser's own modules run in node; what they print is held against sums and quotients in double precision here.
"""

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest
from by_node import in_node, needs_node
from cases import each_case
from samples import random_trace

from explorer.attention_view.component import attention_frame, words
from explorer.notebook.heatmap import thousandths
from explorer.recording.payload import trace_json
from explorer.recording.rollout import rollout
from explorer.recording.sentence import examples
from explorer.recording.trace import AttentionMap, Trace, record
from explorer.ui.language import format_percent
from model.probe import KINDS

PRINTED = """
    import { contentOf, strongestWeights } from "./explorer/derived/attention_map.js";
    import { createTrace } from "./explorer/derived/trace.js";
    import { heatmapFigure } from "./explorer/attention_view/heatmap.js";
    const { payload, frame, words } = JSON.parse(readFileSync(0));
    const print = (number) => number.toFixed(3);
    const list = (weights) => strongestWeights(weights, 3)
      .map(([index, weight]) => `${index}:${print(weight)}`).join(" ");
    const found = {};
    for (const [kind, map] of Object.entries(createTrace(payload).kinds)) {
      const choices = (count) => [...Array(count).keys(), "mean", "max"];
      const heads = choices(map.layers).flatMap((layer) => choices(map.heads).map((head) => ({ layer, head })));
      heads.push({ layer: "rollout", head: "mean" });
      for (const { layer, head } of heads) for (const specials of [true, false]) {
        const content = contentOf(map, { layer, head }, specials);
        const [{ text, colorbar }] = heatmapFigure(frame, content, { scale: "auto", text: words }).data;
        found[[kind, layer, head, specials]] = {
          cells: text.map((row) => row.map((words) => words.split(": ").at(-1)).join(" ")),
          sums: Array.from(content.sums, print).join(" "),
          most: colorbar.ticktext[1],
          rows: content.rows.map(list),
          columns: content.keys.map((_, column) => list(content.rows.map((row) => row[column]))),
          weights: map.queries.map((_, query) => map.keys.map((_, key) =>
            specials ? print(map.weight(layer, head, query, key)) : "").join(" ")),
        };
      }
    }
    console.log(JSON.stringify(found));
"""


PRINTS = [f"{number / 1000:.3f}" for number in range(70_000)]


def text(numbers: np.ndarray) -> list[str]:
    """In thousandths, a half going up, as `toFixed` has it."""
    return [PRINTS[number] for number in np.floor(1000 * numbers + 0.5).astype(int).tolist()]


def line(numbers: np.ndarray) -> str:
    return " ".join(text(numbers))


def strongest(numbers: np.ndarray) -> str:
    rounded = np.floor(1000 * numbers + 0.5).astype(int)
    order = [i for i in np.argsort(-rounded, kind="stable")[:3] if rounded[i] > 0]
    return " ".join(f"{i}:{PRINTS[rounded[i]]}" for i in order)


def joined(weights: np.ndarray, choice: int | str) -> np.ndarray:
    return weights[choice] if isinstance(choice, int) else getattr(weights, choice)(axis=0)


def truth(attention: AttentionMap, kind: str, layer: int | str, head: int | str, specials: bool) -> dict[str, Any]:
    """What is to be printed of a choice, from the exact weights."""
    heads = [joined(of_layer, head) for of_layer in attention.weights.astype(np.float64)]
    return printed(attention, kind, joined(np.stack(heads), layer), specials)


def printed(attention: AttentionMap, kind: str, matrix: np.ndarray, specials: bool) -> dict[str, Any]:
    """What is to be printed of a matrix."""
    whole = matrix
    sums, reach = matrix.sum(axis=1), np.full(matrix.shape, True)
    if kind == "decoder":
        reach = np.tril(reach)
    hidden = [] if specials else attention.special[1]
    if hidden:
        matrix, reach = np.delete(matrix, hidden, axis=1), np.delete(reach, hidden, axis=1)
        left = matrix.sum(axis=1, keepdims=True)
        matrix = matrix / np.where(left > 0, left, 1)
        sums = matrix.sum(axis=1)
    return {
        "cells": [" ".join(np.where(may, text(row), "")) for row, may in zip(matrix, reach, strict=True)],
        "sums": line(sums),
        "most": text(np.array([matrix.max(initial=0) or 1.0]))[0],
        "rows": [strongest(row) for row in matrix],
        "columns": [strongest(column) for column in matrix.T],
        "weights": [line(row) if specials else " ".join([""] * len(row)) for row in whole],
    }


def wrong(trace: Trace, sent: str) -> list[str]:
    """Where the browser prints something else than the truth of a trace, given what was sent."""
    frame = attention_frame("cross")
    found, compared, differ = in_node(PRINTED, {"payload": sent, "frame": frame, "words": words.TEXT}), 0, []
    for kind in KINDS:
        attention = trace.map(kind)
        n_layers, n_heads = attention.weights.shape[:2]
        choices = [*range(n_layers), "mean", "max"], [*range(n_heads), "mean", "max"], [True, False]
        ours = {choice: truth(attention, kind, *choice) for choice in product(*choices)}
        across = rollout(trace, kind)
        ours |= {("rollout", "mean", specials): printed(attention, kind, across, specials) for specials in choices[2]}
        for (layer, head, specials), mine in ours.items():
            theirs = found[f"{kind},{layer},{head},{str(specials).lower()}"]
            compared += 1
            differ += [f"{kind} {layer} {head} {specials} {name}" for name in mine if mine[name] != theirs[name]]
    assert compared == len(found)
    return differ


def with_weights(trace: Trace, change) -> Trace:
    """A trace whose weights went through `change`, kind by kind; the decoder's future stays masked."""
    maps = {kind: change(trace.map(kind).weights).astype(np.float32) for kind in KINDS}
    maps["decoder"] = np.tril(maps["decoder"])
    return replace(trace, **{kind: replace(trace.map(kind), weights=weights) for kind, weights in maps.items()})


def lopsided(weights: np.ndarray) -> np.ndarray:
    """The first and the last key, of which one is special, take nearly all of some rows and all of others."""
    scale = 10.0 ** -np.random.default_rng(3).integers(1, 40, (*weights.shape[:3], 1))
    scale[:, :, ::2] = 1
    scale[:, :, ::7] = 0
    weights = weights * scale
    weights[..., [0, -1]] += (1 - weights.sum(axis=-1, keepdims=True)) / 2
    return weights


def uniform(weights: np.ndarray) -> np.ndarray:
    """The same weight everywhere: halves at the third decimal, where there are 16 keys."""
    allowed = np.tril(np.ones_like(weights)) if weights.shape[-1] == weights.shape[-2] else np.ones_like(weights)
    return allowed / allowed.sum(axis=-1, keepdims=True)


SIZES = [(1, 1, 1, 1), (3, 2, 17, 9), (1, 2, 70, 60)]


@pytest.mark.thorough
@needs_node
@each_case("sizes", SIZES)
def test_every_digit_of_random_weights_is_true(sizes):
    trace = random_trace(*sizes)
    assert wrong(trace, trace_json(trace)) == []


@needs_node
@each_case("change", [lopsided, uniform, np.round, np.zeros_like])
def test_every_digit_of_awkward_weights_is_true(change):
    trace = with_weights(random_trace(2, 4, 16, 16), change)
    assert wrong(trace, trace_json(trace)) == []


@needs_node
def test_every_digit_of_the_shipped_model_is_true(shipped):
    trace = record(shipped, examples()[0]["sentence"])
    assert wrong(trace, trace_json(trace)) == []


def test_a_half_goes_up_and_all_else_to_the_nearest():
    random = np.random.default_rng(0).random(2000).astype(np.float32)
    given = np.concatenate([random, random**8, np.arange(17) / 16, [0.0005, 1e-40, 0, 1]]).astype(np.float64)
    exact = [int((1000 * Decimal(number)).quantize(Decimal(1), ROUND_HALF_UP)) for number in given.tolist()]
    np.testing.assert_array_equal(thousandths(given), exact)


PERCENTAGES = """
    import { formatPercent } from "./explorer/ui/numbers.js";
    console.log(JSON.stringify(JSON.parse(readFileSync(0)).map((share) => formatPercent(share))));
"""


def test_python_and_the_browser_write_the_same_percentages():
    shares = [*np.random.default_rng(0).random(2000).tolist(), *(number / 2000 for number in range(2001)), 1e-9]
    assert in_node(PERCENTAGES, shares) == [format_percent(share) for share in shares]
