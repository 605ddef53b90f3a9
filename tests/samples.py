"""Traces that no model made, a lesson of one step, and a score as a checkpoint records it."""

import math
from pathlib import Path

import numpy as np
import yaml

from explorer.recording.trace import AttentionMap, Piece, Query, ShownCandidate, ShownStep, Trace


def softmax_rows(*shape: int, masked: bool = False) -> np.ndarray:
    """Random weights, some next to 1 and most next to 0; every row sums to 1."""
    random = np.exp(2 * np.random.default_rng(len(shape) + shape[-1]).standard_normal(shape))
    random = np.tril(random) if masked else random
    return (random / random.sum(axis=-1, keepdims=True)).astype(np.float32)


def random_trace(layers: int, heads: int, n_source: int, n_steps: int) -> Trace:
    """A trace that no model made: any sizes, and pieces that are awkward to show."""
    words = ("·<b>", "·a & b", "ment", "·Donaudampfschifffahrtskapitän", "·the")
    source = tuple(Piece(words[i % len(words)], 10 + i) for i in range(n_source - 1))
    source = (*source, Piece("</s>", 3, special=True, starts_word=False))
    predicted = tuple(Piece(f"·Wort{i}", 50 + i) for i in range(n_steps))
    target = (Piece("<s>", 2, special=True, starts_word=False), *predicted[:-1])
    candidates = tuple(ShownCandidate(Piece(f"·Kandidat{i}", i), 0.1 + i / 3333) for i in range(10))
    steps = tuple(
        ShownStep(*pair, 0.1, candidates, 1.5, math.log(0.1), 0) for pair in zip(target, predicted, strict=True)
    )
    rows = tuple(map(Query, target, predicted))
    return Trace(
        "an English sentence",
        "a German one",
        source,
        target,
        steps,
        AttentionMap(softmax_rows(layers, heads, n_source, n_source), tuple(map(Query, source)), source),
        AttentionMap(softmax_rows(layers, heads, n_steps, n_steps, masked=True), rows, target),
        AttentionMap(softmax_rows(layers, heads, n_steps, n_source), rows, source),
        stopped_at_limit=False,
        vocabulary=3333,
    )


STEP = {"text": "Look.", "place": {"step": 1}}
WHOLE = {"title": "A title", "shows": "What is seen.", "minutes": 5, "sentence": "The dog sleeps.", "steps": [STEP]}
CLAIM = {"translates": {"has": ["Hund"]}}


def file(folder: Path, content: object, name: str = "one") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return path


SCORE = {"file": "test.tsv", "pairs": 1000, "decoding": "beam 5", "bleu": 31.26, "chrf": 58.0, "signature": "BLEU a|b"}
