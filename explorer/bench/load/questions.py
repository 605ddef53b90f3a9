"""What visitors ask, and how each sees that the answer is that to his question.

Most questions are about a sentence that was translated before, whose trace is then at hand. All answers but one can be
told from those about another sentence; of a part of a ranking only the heads are compared.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from explorer.bench.load.sentences import sentence
from explorer.recording.digits import BASE, LETTERS, weights_of

NEAR = 1e-3  # between numbers of one pass and those of another: batches differ in the last bits
SECOND = "I love you, too"  # of the batch of two in Masks
PART = 8  # heads of a ranking that are asked for at once
VALUES = np.zeros(128, np.int64)
VALUES[LETTERS] = np.arange(BASE)


@dataclass(frozen=True, eq=False)
class Question:
    """`belongs` says of an answer whether it is that to this question; it may raise where the answer is no answer."""

    name: str
    given: list[Any]
    belongs: Callable[[Any], bool]


def translate(random: Random) -> Question:
    text = sentence(random)
    return Question("translate", [text], lambda answer: answer["sentence"] == text)


def head(random: Random, trace: Any) -> Question:
    kind = random.choice([*trace["kinds"]])
    n_layers, n_heads, *_ = trace["kinds"][kind]["shape"]
    index = random.randrange(n_layers), random.randrange(n_heads)
    expected = weights_in(trace, kind, *index)

    def belongs(answer: Any) -> bool:
        found = answer["weights"]
        if found["shape"] != list(expected.shape):
            return False
        weights = np.frombuffer(base64.b64decode(found["data"]), "<f4").reshape(expected.shape)
        return bool(np.abs(weights - expected).max() < NEAR)

    return Question("head", [trace["sentence"], kind, *index], belongs)


def masks(random: Random, trace: Any) -> Question:
    texts = [trace["sentence"], SECOND]
    n_layers, n_heads, *_ = trace["kinds"]["decoder"]["shape"]
    given = [texts, "decoder", random.randrange(n_layers), random.randrange(n_heads)]
    return Question("masks", given, lambda answer: [one["sentence"] for one in answer] == texts)


def prediction(random: Random, trace: Any) -> Question:
    step = random.randrange(len(trace["steps"]))
    expected = trace["steps"][step]["candidates"][0]

    def belongs(answer: Any) -> bool:
        return abs(answer["best"][0]["probability"] - expected["probability"]) < NEAR

    return Question("prediction", [trace["sentence"], step, "decoder", 0], belongs)


def run(random: Random, trace: Any) -> Question:
    """A translation with one head off."""
    n_layers, n_heads, *_ = trace["kinds"]["cross"]["shape"]
    off = [["cross", random.randrange(n_layers), random.randrange(n_heads)]]
    text = trace["sentence"]
    return Question("lab.run", [text, {"off": off}], lambda answer: answer["trace"]["sentence"] == text)


def ranking(random: Random, trace: Any) -> Question:
    """A part of the ranking of all heads, as the room asks for it part by part."""
    places = [
        [kind, layer, head]
        for kind, found in trace["kinds"].items()
        for layer in range(found["shape"][0])
        for head in range(found["shape"][1])
    ]
    start = random.randrange(0, len(places), PART)
    expected = places[start : start + PART]
    given = [trace["sentence"], "zero", start, start + len(expected)]
    return Question("lab.ranking", given, lambda answer: answer["heads"] == expected)


# What else a visitor asks for, and how often.
ROOMS: dict[Callable[[Random, Any], Question], int] = {head: 6, prediction: 6, masks: 3, run: 3, ranking: 2}


def other(random: Random, trace: Any) -> Question:
    (make,) = random.choices([*ROOMS], [*ROOMS.values()])
    return make(random, trace)


def weights_in(trace: Any, kind: str, layer: int, head: int) -> np.ndarray:
    """The weights [query, key] of one head, unpacked from the trace (explorer/recording/digits.py)."""
    found = trace["kinds"][kind]
    _, n_heads, n_queries, n_keys = found["shape"]
    causal = kind == "decoder"
    rows, keys = np.tril_indices(n_queries) if causal else np.indices((n_queries, n_keys)).reshape(2, -1)
    start = 2 * len(rows) * (layer * n_heads + head)
    digits = VALUES[np.frombuffer(found["weights"][start : start + 2 * len(rows)].encode("ascii"), np.uint8)]
    weights = np.zeros((n_queries, n_keys))
    weights[rows, keys] = weights_of(digits[::2] * BASE + digits[1::2])
    return weights
