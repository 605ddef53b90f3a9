"""Hide a piece: what each German piece loses if an English piece is hidden, and how much of it comes from there."""

import json
from pathlib import Path

import numpy as np
from jaxtyping import Float

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.statistics import rank_correlation
from explorer.recording.contributions import contributions
from explorer.recording.payload import tensor_json
from explorer.recording.trace import Choice
from explorer.tabs.what_if import Panel
from explorer.ui.translations import Translations
from model.errors import UserError

words = Translations(__file__)

ROWS_PER_PART = 600  # decoder and encoder rows: about a third of a second on two cores
MIN_PIECES_PER_PART = 4
TIE = 1e-3  # weights, and nats, that are closer share their ranks in a row; its few numbers made its correlation jump


def source_parts(laboratory: Laboratory, sentence: str) -> list[range]:
    """The positions of the source in ranges, each small enough for one request."""
    trace = laboratory.recordings.trace(sentence)
    count = len(trace.source)
    size = max(MIN_PIECES_PER_PART, ROWS_PER_PART // (count + len(trace.steps)))
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def omission_answer(laboratory: Laboratory, sentence: str, part: int) -> str:
    """One part of the matrix [source position, step] of effects, and the number of parts."""
    parts = source_parts(laboratory, sentence)
    if not 0 <= part < len(parts):
        raise UserError(words.REFUSALS["part"].format(part=part, parts=len(parts)))
    effect = laboratory.omitted(sentence, parts[part])
    return json.dumps({"parts": len(parts), "effect": tensor_json(effect.T)})


def omission_effects(laboratory: Laboratory, sentence: str) -> Float[np.ndarray, "step src"]:
    """The change of every German piece's log-probability, in nats, when each English piece is hidden."""
    return np.concatenate([laboratory.omitted(sentence, part) for part in source_parts(laboratory, sentence)], axis=1)


def agreement_answer(laboratory: Laboratory, sentence: str, layer: int | str, head: int | str) -> str:
    """The cross-attention of the selected heads, and its rank correlation with the effect sizes.

    Compares absolute effects, as Jain and Wallace (2019) do: a piece without an effect is not needed.
    """
    trace = laboratory.recordings.trace(sentence)
    n_layers, n_heads = trace.cross.weights.shape[:2]
    weights = trace.cross.matrix(validated_choice(layer, n_layers), validated_choice(head, n_heads))
    effect_sizes = np.abs(omission_effects(laboratory, sentence))
    rows = [rank_correlation(*row, tie=TIE) for row in zip(weights, effect_sizes, strict=True)]
    answer = {"weights": tensor_json(weights), "overall": rank_correlation(weights, effect_sizes), "rows": rows}
    return json.dumps(answer)


def contributions_answer(laboratory: Laboratory, sentence: str) -> str:
    """The share [step, source position] of each English piece in every prediction; the rest is of the German before."""
    return json.dumps({"source": tensor_json(contributions(laboratory.recordings.forward_pass(sentence)).source)})


def validated_choice(choice: int | str, count: int) -> Choice:
    """The choice itself. Raises UserError if the model has no such layer or head."""
    if choice == "mean":
        return "mean"
    if not isinstance(choice, int) or not 0 <= choice < count:
        raise UserError(words.REFUSALS["choice"].format(choice=choice, count=count))
    return choice


HIDE = Panel(
    Path(__file__).parent,
    answers={"omission": omission_answer, "agreement": agreement_answer, "contributions": contributions_answer},
)
