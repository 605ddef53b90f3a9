"""What the panel asks of the server: the effect of hiding each piece, and how far attention agrees with it."""

import json

import numpy as np
from jaxtyping import Float

from explorer.experiments.correlation import rank_correlation
from explorer.experiments.laboratory import Laboratory
from explorer.recording.payload import tensor_json
from explorer.recording.trace import Choice
from explorer.tabs.what_if.hide import words

POSITIONS = 600  # of all rows of a part together: about a third of a second on two cores
FEWEST = 4  # pieces of a part, however long the sentence is


def parts(laboratory: Laboratory, sentence: str) -> list[range]:
    """The source's places in parts, each small enough to be waited for."""
    trace = laboratory.recordings.trace(sentence)
    count = len(trace.source)
    size = max(FEWEST, POSITIONS // (count + len(trace.steps)))
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def omission_answer(laboratory: Laboratory, sentence: str, part: int) -> str:
    """One part of the matrix [place, step], the source's pieces down its rows, and how many parts there are."""
    every = parts(laboratory, sentence)
    if not 0 <= part < len(every):
        raise ValueError(words.REFUSALS["part"].format(part=part, parts=len(every)))
    effect = laboratory.omitted(sentence, every[part])
    return json.dumps({"parts": len(every), "effect": tensor_json(effect.T)})


def effects(laboratory: Laboratory, sentence: str) -> Float[np.ndarray, "step src"]:
    """The change of every German piece's log-probability, in nats, when each English piece is hidden."""
    return np.concatenate([laboratory.omitted(sentence, part) for part in parts(laboratory, sentence)], axis=1)


def agreement_answer(laboratory: Laboratory, sentence: str, layer: int | str, head: int | str) -> str:
    """The cross-attention of a choice of heads, and its rank correlation with the size of the effect.

    Sizes are compared, up or down alike, as Jain and Wallace (2019) do: what moves nothing is what is not needed.
    """
    trace = laboratory.recordings.trace(sentence)
    n_layers, n_heads = trace.cross.weights.shape[:2]
    weights = trace.cross.matrix(chosen(layer, n_layers), chosen(head, n_heads))
    sizes = np.abs(effects(laboratory, sentence))
    rows = [rank_correlation(*row) for row in zip(weights, sizes, strict=True)]
    found = {"weights": tensor_json(weights), "overall": rank_correlation(weights, sizes), "rows": rows}
    return json.dumps(found)


def chosen(choice: int | str, count: int) -> Choice:
    """Raises ValueError where the model has no such layer or head."""
    if choice == "mean":
        return "mean"
    if not isinstance(choice, int) or not 0 <= choice < count:
        raise ValueError(words.REFUSALS["choice"].format(choice=choice, count=count))
    return choice
