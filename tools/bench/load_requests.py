"""The requests of the load benchmark, each with a check that a response belongs to it."""

import base64
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

TOLERANCE = 1e-3  # different batches differ in the last bits
HEADS_PER_RANKING = 8  # as the page requests them

WORDS = {
    "whose": "the my his our",
    "how": "young old small tall happy tired funny quiet little strong famous clever careful busy nice poor rich new",
    "who": "man woman girl boy child teacher student doctor worker dog mother father brother sister friend farmer",
    "does": "sees takes buys sells holds cleans paints finds loses forgets likes brings opens closes needs wants",
    "what": "book letter chair table car bicycle ball picture window house door guitar camera hat shirt box bottle",
    "where": "park garden kitchen city street village school station market church house river forest lake",
}


class Request(NamedTuple):
    """A question to /ask. `is_answer` returns whether a response belongs to it, and may raise on malformed ones."""

    question: str
    arguments: list[Any]
    is_answer: Callable[[Any], bool]


def random_sentence(random: Random) -> str:
    """An English sentence of 8 to 25 pieces; collisions are practically impossible."""

    def pick(kind: str) -> str:
        return random.choice(WORDS[kind].split())

    clauses = [
        f"{pick('whose')} {pick('how')} {pick('who')} {pick('does')} the {pick('how')} {pick('what')}"
        for _ in range(random.choice((1, 1, 2)))
    ]
    text = f"{' while '.join(clauses)} in the {pick('where')}."
    return text[0].upper() + text[1:]


def translation_request(random: Random) -> Request:
    text = random_sentence(random)
    return Request("translate", [text], lambda answer: answer["sentence"] == text)


def decode_floats(data: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(data), "<f4")


def random_head(random: Random, trace: Any, kind: str) -> tuple[int, int]:
    n_layers, n_heads, *_ = trace["kinds"][kind]["shape"]
    return random.randrange(n_layers), random.randrange(n_heads)


def has_weights(tensor: Any, trace: Any, kind: str, head: tuple[int, int]) -> bool:
    """Whether a head's weights are those of the trace."""
    n_layers, n_heads, n_queries, n_keys = trace["kinds"][kind]["shape"]
    expected = decode_floats(trace["kinds"][kind]["weights"]).reshape(n_layers, n_heads, -1)[head]
    unmasked = np.tri(n_queries, n_keys, dtype=bool) if kind == "decoder" else slice(None)
    weights = decode_floats(tensor["data"]).reshape(tensor["shape"])
    return bool(np.abs(weights[unmasked].ravel() - expected).max() < TOLERANCE)


def head_request(random: Random, trace: Any) -> Request:
    """Requests all numbers of a head; its weights must match the trace."""
    kind = random.choice([*trace["kinds"]])
    head = random_head(random, trace, kind)

    def is_answer(answer: Any) -> bool:
        return has_weights(answer["weights"], trace, kind, head)

    return Request("head", [trace["sentence"], kind, *head], is_answer)


def prediction_request(random: Random, trace: Any) -> Request:
    step = random.randrange(len(trace["steps"]))
    expected = trace["steps"][step]["candidates"][0]["probability"]
    return Request(
        "lens",
        [trace["sentence"], step],
        lambda answer: abs(answer["best"][0]["probability"] - expected) < TOLERANCE,
    )


def experiment_request(random: Random, trace: Any) -> Request:
    n_layers, n_heads, *_ = trace["kinds"]["cross"]["shape"]
    off = [["cross", random.randrange(n_layers), random.randrange(n_heads)]]
    text = trace["sentence"]
    return Request("run", [text, {"off": off}], lambda answer: answer["sentence"] == text)


def ranking_request(random: Random, trace: Any) -> Request:
    shapes = {kind: values["shape"] for kind, values in trace["kinds"].items()}
    heads = [[kind, layer, head] for kind, (m, n, *_) in shapes.items() for layer in range(m) for head in range(n)]
    start = random.randrange(0, len(heads), HEADS_PER_RANKING)
    chosen = heads[start : start + HEADS_PER_RANKING]
    arguments = [trace["sentence"], chosen, "zero", []]
    return Request("scores", arguments, lambda answer: answer["changes"]["shape"][0] == len(chosen))


# Requests about a translated sentence, with their relative frequencies.
FOLLOW_UPS: dict[Callable[[Random, Any], Request], int] = {
    head_request: 6,
    prediction_request: 6,
    experiment_request: 3,
    ranking_request: 2,
}
