"""The claims that a lesson can make about a model. Evaluating one returns whether it holds, and the actual value.

Without a `sentence` of its own, a claim is about the sentence of its step. `under` is the URL state of an experiment.
Layers and heads count from one, as on the screen. A word is written as a reader sees it, not in pieces.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from pydantic import Field, field_validator, model_validator

from explorer.atlas.atlas import Atlas
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.ranking import rank_heads
from explorer.lessons.url_state import UrlState, parse_experiment, parse_heads
from explorer.recording.splitting import joined_text, joined_words
from explorer.recording.trace import Choice, Piece, Trace
from explorer.ui.language import WITH_ENGLISH_NUMBERS, format_percent
from explorer.ui.questions import StrictModel
from model.errors import UserError
from model.probe import KINDS, Kind


class Word(NamedTuple):
    """A word, a punctuation mark or a special piece, with the indices of its pieces."""

    text: str
    pieces: tuple[int, ...]


def group_words(pieces: Sequence[Piece]) -> list[Word]:
    """Groups pieces into words, as the attention map does."""
    return [Word(joined_text(pieces, group), tuple(group)) for group in joined_words(pieces)]


def find_word(text: str, words: Sequence[Word]) -> int:
    """The index of the first occurrence of a word. Raises UserError if there is none."""
    for index, word in enumerate(words):
        if word.text == text:
            return index
    raise UserError(f"there is no “{text}” in: {' '.join(word.text for word in words)}")


def sum_by_word(row: Float[np.ndarray, "piece"], words: Sequence[Word]) -> Float[np.ndarray, "word"]:
    """Sums a row of weights over the pieces of each word."""
    return np.array([row[list(word.pieces)].sum() for word in words])


Number = Annotated[int, Field(ge=1)]


class ClaimResult(NamedTuple):
    """The result of evaluating a claim."""

    holds: bool
    actual: str  # what the model does, in a few words
    is_invalid: bool = False  # the claim names something that does not exist


class OutOfRangeError(UserError):
    """A claim names a layer, head or piece that does not exist: an error of the lesson file, not a wrong choice."""


@dataclass(frozen=True)
class CheckContext:
    """The model and the sentence on which claims are evaluated."""

    laboratory: Laboratory
    sentence: str
    rankings: dict[str, list[tuple[HeadAt, float]]] = field(default_factory=dict)  # by sentence

    @cached_property
    def atlas(self) -> Atlas:
        """The atlas of the model. Raises UserError if there is none beside the shipped checkpoint."""
        return Atlas.load(self.laboratory.translator)

    def trace(self, sentence: str | None, under: Mapping[str, str] | None = None) -> Trace:
        """The trace of a sentence (default: the step's own), under the experiment in a URL state."""
        text = sentence or (under or {}).get("sentence") or self.sentence
        experiment = parse_experiment(under or {})
        if experiment == Experiment():
            return self.laboratory.recordings.trace(text)
        return self.laboratory.trace(text, experiment)

    def rank_heads(self, sentence: str | None) -> list[tuple[HeadAt, float]]:
        """All heads and the loss in nats when each is switched off, largest first."""
        text = sentence or self.sentence
        if text not in self.rankings:
            self.rankings[text] = rank_heads(self.laboratory.translator, self.trace(text))
        return self.rankings[text]


class Claim(StrictModel, ABC):
    """A statement about the model that can be evaluated."""

    sentence: str | None = None

    @abstractmethod
    def evaluate(self, context: CheckContext) -> ClaimResult: ...


class BoundedClaim(Claim):
    """A claim that a number lies within bounds. Texts refer to the bound as {called}.

    It needs a bound or one of the fields in `instead_of_bound`.
    """

    instead_of_bound: ClassVar[tuple[str, ...]] = ()
    bound_format: ClassVar[str] = ""  # for texts; a share without one

    least: float | None = None
    most: float | None = None
    called: str | None = None

    @property
    def bound(self) -> float | None:
        return self.most if self.least is None else self.least

    def is_within_bounds(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def format_bound(self, language: str) -> str:
        """The bound as texts show it."""
        assert self.bound is not None
        if self.bound_format:
            return format(self.bound, self.bound_format)
        return f"{format_percent(self.bound)}{'%' if language in WITH_ENGLISH_NUMBERS else ' %'}"

    @model_validator(mode="after")
    def require_bound(self) -> "BoundedClaim":
        if self.called is not None and self.bound is None:
            raise ValueError("what is called by a name needs a bound, least or most")
        if self.bound is None and all(getattr(self, name) is None for name in self.instead_of_bound):
            raise ValueError(
                f"needs {', '.join([*self.instead_of_bound, 'least'])} or most: without any it always holds"
            )
        return self


class TranslationClaim(Claim):
    """The translation (under an experiment, if one is given) equals a text, contains some parts, or lacks some."""

    under: UrlState = Field({})
    exactly: str | None = Field(None, alias="is")
    has: list[str] = Field([])
    lacks: list[str] = Field([])

    @model_validator(mode="after")
    def require_condition(self) -> "TranslationClaim":
        if self.exactly is None and not self.has and not self.lacks:
            raise ValueError("needs is, has or lacks")
        return self

    def evaluate(self, context: CheckContext) -> ClaimResult:
        translation = context.trace(self.sentence, self.under).translation
        same = self.exactly is None or translation == self.exactly
        holds = (
            same
            and all(part in translation for part in self.has)
            and not any(part in translation for part in self.lacks)
        )
        return ClaimResult(holds, translation)


class SameTranslationClaim(Claim):
    """Two sentences have the same translation under an experiment, or not."""

    other: str
    under: UrlState = Field({})
    exactly: bool = Field(True, alias="is")

    def evaluate(self, context: CheckContext) -> ClaimResult:
        first, second = (context.trace(text, self.under).translation for text in (self.sentence, self.other))
        return ClaimResult((first == second) is self.exactly, f"{first} | {second}")


class PredictionClaim(Claim):
    """A step predicts a piece, named without its word mark."""

    step: Number
    word: str

    def evaluate(self, context: CheckContext) -> ClaimResult:
        steps = context.trace(self.sentence).steps
        if self.step > len(steps):
            return ClaimResult(False, f"there are {len(steps)} steps")
        piece = steps[self.step - 1].predicted.text.removeprefix("·")
        return ClaimResult(piece == self.word, piece)


class PieceCountClaim(Claim):
    """A source or target word consists of `count` pieces."""

    word: str
    count: Number
    side: Literal["source", "target"] = "target"

    def evaluate(self, context: CheckContext) -> ClaimResult:
        trace = context.trace(self.sentence)
        pieces = trace.source if self.side == "source" else [step.predicted for step in trace.steps]
        words = group_words(pieces)
        word = words[find_word(self.word, words)]
        return ClaimResult(len(word.pieces) == self.count, " ".join(pieces[index].text for index in word.pieces))


class AttentionClaim(BoundedClaim):
    """A word attends most to the word `to`, with a weight within bounds.

    With `most` alone, `to` need not be the strongest. Without `to`, the bounds apply to the strongest word.
    The row is the one that predicts the given `piece` of a target word; in the encoder it is the word's own.
    Layer and head are numbers or "mean"; the default layer is the last one.
    """

    instead_of_bound = ("to",)

    word: str
    to: str | None = None
    piece: Number = 1
    kind: Kind = "cross"
    layer: Number | Literal["mean"] | None = None
    head: Number | Literal["mean"] = "mean"

    def word_weights(self, trace: Trace) -> tuple[list[Word], Float[np.ndarray, "word"]]:
        """The words that the row can attend to, and the weight of each."""
        attention = trace.map(self.kind)
        query_words = group_words([query.predicted or query.fed for query in attention.queries])
        last = attention.weights.shape[0] if self.layer is None else self.layer
        for name, number, count in zip(("layer", "head"), (last, self.head), attention.weights.shape, strict=False):
            require_in_range(f"attends, {name}", number, count, f"{name}s of the {self.kind} attention")
        layer, head = (choice if isinstance(choice, str) else choice - 1 for choice in (last, self.head))
        word = query_words[find_word(self.word, query_words)]
        require_in_range("attends, piece", self.piece, len(word.pieces), f"tokens of “{self.word}”")
        weights = attention.matrix(as_choice(layer), as_choice(head))[word.pieces[self.piece - 1]]
        words = group_words(attention.keys)
        return words, sum_by_word(weights, words)

    def evaluate(self, context: CheckContext) -> ClaimResult:
        words, weights = self.word_weights(context.trace(self.sentence))
        strongest = int(weights.argmax())
        index = strongest if self.to is None else find_word(self.to, words)
        share, first = float(weights[index]), words[strongest]
        actual = f"{first.text} {weights[strongest]:.2f}" + (f", {self.to} {share:.2f}" if index != strongest else "")
        at_most = self.most is not None and self.least is None
        return ClaimResult(self.is_within_bounds(share) and (index == strongest or at_most), actual)


class OmissionClaim(BoundedClaim):
    """Of all source words, hiding `of` costs the target word the most nats, within bounds."""

    instead_of_bound, bound_format = ("of",), ".2g"

    word: str
    of: str

    def evaluate(self, context: CheckContext) -> ClaimResult:
        trace = context.trace(self.sentence)
        effects = context.laboratory.omitted(trace.sentence, range(len(trace.source)))
        target_words, words = group_words([step.predicted for step in trace.steps]), group_words(trace.source)
        row = effects[target_words[find_word(self.word, target_words)].pieces[0]]
        losses = np.array([-min(row[index] for index in word.pieces) for word in words])
        index, costliest = find_word(self.of, words), int(losses.argmax())
        holds = index == costliest and self.is_within_bounds(float(losses[index]))
        return ClaimResult(
            holds, f"{words[costliest].text} {losses[costliest]:.2f} nats, {self.of} {losses[index]:.2f}"
        )


class HeadCostClaim(BoundedClaim):
    """Switching a head off costs the translation nats within bounds; `rank` 1 is the costliest head."""

    instead_of_bound, bound_format = ("rank",), ".2g"

    head: str
    rank: Number | None = None

    @field_validator("head")
    @classmethod
    def validate_head(cls, head: str) -> str:
        if not re.fullmatch(rf"({'|'.join(KINDS)})\.[1-9]\d*\.[1-9]\d*", head):
            raise ValueError(f"{head!r} is no KIND.LAYER.HEAD of {', '.join(KINDS)}, such as cross.1.2")
        return head

    def evaluate(self, context: CheckContext) -> ClaimResult:
        (head,) = parse_heads(self.head)
        kind, layer, number = HeadAt(*head)
        layers, count = context.trace(self.sentence).map(kind).weights.shape[:2]
        require_in_range(f"costs, head: {self.head}, layer", layer + 1, layers, f"layers of the {kind} attention")
        require_in_range(f"costs, head: {self.head}, head", number + 1, count, f"heads of the {kind} attention")
        ranking = context.rank_heads(self.sentence)
        index = [ranked_head for ranked_head, _ in ranking].index(HeadAt(*head))
        loss = ranking[index][1]
        holds = self.is_within_bounds(loss) and self.rank in (None, index + 1)
        return ClaimResult(holds, f"{loss:.2f} nats, number {index + 1} of {len(ranking)}")


class ChangingHeadsClaim(BoundedClaim):
    """The number of heads that change the translation when switched off alone lies within bounds."""

    bound_format = ".0f"

    def evaluate(self, context: CheckContext) -> ClaimResult:
        translation = context.trace(self.sentence).translation
        text, laboratory = self.sentence or context.sentence, context.laboratory
        all_heads = [head for head, _ in context.rank_heads(self.sentence)]
        changing = [
            head for head in all_heads if laboratory.trace(text, Experiment(off=(head,))).translation != translation
        ]
        return ClaimResult(self.is_within_bounds(float(len(changing))), f"{len(changing)} of {len(all_heads)}")


def require_in_range(field: str, number: int | str, count: int, of: str) -> None:
    """Raises OutOfRangeError if a one-based number exceeds the count; "mean" never does."""
    if not isinstance(number, str) and number > count:
        raise OutOfRangeError(f"{field}: there is no {number}; {of}: {count}")


def as_choice(choice: Any) -> Choice:
    return choice if choice in ("mean", "max") else int(choice)
