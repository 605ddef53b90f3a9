"""What a lesson claims of a model, as small checks that are run: each says whether it holds, and what was found.

A sentence that a check does not name is the one that is shown at its step; `under` are parts of the page's address that
say which experiment is made. Layers and heads count from one, as on the screen; a word is named as it is read.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.ranking import rank_heads
from explorer.lessons.parts import Parts, experiment_in, heads
from explorer.lessons.reading import Word, joined, place_of, words_in
from explorer.recording.trace import Choice, Trace
from model.probe import KINDS, Kind

Number = Annotated[int, Field(ge=1)]


class Result(NamedTuple):
    """Whether a claim holds, and what is the case, in a few words; `fault`: it asks for what is not there."""

    holds: bool
    found: str
    fault: bool = False


class NoSuch(ValueError):
    """A layer, head or piece that is not there, in a sentence: no choice is wrong because of it, but the file."""


@dataclass(frozen=True)
class Ground:
    """What claims are checked on: a model, and the sentence of a step."""

    laboratory: Laboratory
    sentence: str
    rankings: dict[str, list[tuple[HeadAt, float]]] = field(default_factory=dict)  # by sentence

    def trace(self, sentence: str | None, under: Mapping[str, str] | None = None) -> Trace:
        """Of a sentence, or of the step's own, under the experiment that parts of an address ask for."""
        text = sentence or (under or {}).get("sentence") or self.sentence
        experiment = experiment_in(under or {})
        recorded = self.laboratory.recordings.trace
        return recorded(text) if experiment == Experiment() else self.laboratory.trace(text, experiment)

    def ranked(self, sentence: str | None) -> list[tuple[HeadAt, float]]:
        """All heads by what the German of a sentence loses without each, in nats."""
        text = sentence or self.sentence
        if text not in self.rankings:
            self.rankings[text] = rank_heads(self.laboratory.translator, self.trace(text))
        return self.rankings[text]


class Claim(BaseModel, ABC):
    """What can be checked: `result` says whether it holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    sentence: str | None = None

    @abstractmethod
    def result(self, ground: Ground) -> Result: ...


class Bounded(Claim):
    """A claim about a number, which a text may name: {called} stands for its bound.

    It says nothing without a bound or one of `instead`, the fields that may stand in its place.
    """

    instead: ClassVar[tuple[str, ...]] = ()

    least: float | None = None
    most: float | None = None
    called: str | None = None

    @property
    def bound(self) -> float | None:
        return self.most if self.least is None else self.least

    def within(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def written(self, language: str) -> str:
        """The bound as a text has it."""
        assert self.bound is not None
        return f"{self.bound:.0%}" if language == "en" else f"{100 * self.bound:.0f} %"

    @model_validator(mode="after")
    def says_enough(self) -> "Bounded":
        if self.called is not None and self.bound is None:
            raise ValueError("what is called by a name needs a bound, least or most")
        if self.bound is None and all(getattr(self, name) is None for name in self.instead):
            raise ValueError(f"needs {', '.join([*self.instead, 'least'])} or most: without any it always holds")
        return self


class Translates(Claim):
    """The German, under an experiment where one is named, is a text, has parts, or lacks some."""

    under: Parts = {}
    exactly: str | None = Field(None, alias="is")
    has: list[str] = []
    lacks: list[str] = []

    @model_validator(mode="after")
    def says_something(self) -> "Translates":
        if self.exactly is None and not self.has and not self.lacks:
            raise ValueError("needs is, has or lacks")
        return self

    def result(self, ground: Ground) -> Result:
        german = ground.trace(self.sentence, self.under).translation
        same = self.exactly is None or german == self.exactly
        holds = same and all(part in german for part in self.has) and not any(part in german for part in self.lacks)
        return Result(holds, german)


class Same(Claim):
    """Two sentences have the same German under an experiment, or not."""

    other: str
    under: Parts = {}
    exactly: bool = Field(True, alias="is")

    def result(self, ground: Ground) -> Result:
        first, second = (ground.trace(text, self.under).translation for text in (self.sentence, self.other))
        return Result((first == second) is self.exactly, f"{first} | {second}")


class Writes(Claim):
    """A step predicts a word, or one of the pieces that it is written in."""

    step: Number
    word: str

    def result(self, ground: Ground) -> Result:
        steps = ground.trace(self.sentence).steps
        if self.step > len(steps):
            return Result(False, f"there are {len(steps)} steps")
        found = steps[self.step - 1].predicted.text.removeprefix("·")
        return Result(found == self.word, found)


class Pieces(Claim):
    """A word is written in so many pieces, on the German side or on the English one."""

    word: str
    count: Number
    side: Literal["source", "target"] = "target"

    def result(self, ground: Ground) -> Result:
        trace = ground.trace(self.sentence)
        pieces = trace.source if self.side == "source" else [step.predicted for step in trace.steps]
        words = words_in(pieces)
        word = words[place_of(self.word, words)]
        return Result(len(word.pieces) == self.count, " ".join(pieces[place].text for place in word.pieces))


class Attends(Bounded):
    """The row of a word looks most at another word, with a share within bounds; or, where `most` alone is given, at
    most so much at it. Without `to`, what it looks at most has a share within the bounds.

    The row is the one that predicts the first piece of a German word, or `piece`; in the encoder it is the word's own.
    Layer and head are numbers or "mean"; the layer is the last one where none is given.
    """

    instead = ("to",)

    word: str
    to: str | None = None
    piece: Number = 1
    kind: Kind = "cross"
    layer: Number | Literal["mean"] | None = None
    head: Number | Literal["mean"] = "mean"

    def row(self, trace: Trace) -> tuple[list[Word], Float[np.ndarray, "word"]]:
        """The words that can be looked at, and the weight of each."""
        attention = trace.map(self.kind)
        asking = [query.predicted or query.fed for query in attention.queries]
        asked = words_in(asking)
        last = attention.weights.shape[0] if self.layer is None else self.layer
        for name, number, count in zip(("layer", "head"), (last, self.head), attention.weights.shape, strict=False):
            there(f"attends, {name}", number, count, f"{name}s of the {self.kind} attention")
        layer, head = (choice if isinstance(choice, str) else choice - 1 for choice in (last, self.head))
        word = asked[place_of(self.word, asked)]
        there("attends, piece", self.piece, len(word.pieces), f"pieces of “{self.word}”")
        weights = attention.matrix(chosen(layer), chosen(head))[word.pieces[self.piece - 1]]
        words = words_in(attention.keys)
        return words, joined(weights, words)

    def result(self, ground: Ground) -> Result:
        words, weights = self.row(ground.trace(self.sentence))
        strongest = int(weights.argmax())
        place = strongest if self.to is None else place_of(self.to, words)
        share, first = float(weights[place]), words[strongest]
        found = f"{first.text} {weights[strongest]:.2f}" + (f", {self.to} {share:.2f}" if place != strongest else "")
        at_most = self.most is not None and self.least is None
        return Result(self.within(share) and (place == strongest or at_most), found)


class Needs(Bounded):
    """Hiding one source word costs a German word more nats than hiding any other (within bounds), piece for piece."""

    instead = ("of",)

    word: str
    of: str

    def result(self, ground: Ground) -> Result:
        trace = ground.trace(self.sentence)
        effects = ground.laboratory.omitted(trace.sentence, range(len(trace.source)))
        german, words = words_in([step.predicted for step in trace.steps]), words_in(trace.source)
        row = effects[german[place_of(self.word, german)].pieces[0]]
        lost = np.array([-min(row[place] for place in word.pieces) for word in words])
        wanted, most = place_of(self.of, words), int(lost.argmax())
        holds = wanted == most and self.within(float(lost[wanted]))
        return Result(holds, f"{words[most].text} {lost[most]:.2f} nats, {self.of} {lost[wanted]:.2f}")

    def written(self, language: str) -> str:
        return f"{self.bound:.2g}"


class Costs(Bounded):
    """A head that is off costs the German so many nats; `rank` is its place among all heads, 1 the costliest."""

    instead = ("rank",)

    head: str
    rank: Number | None = None

    @field_validator("head")
    @classmethod
    def is_a_head(cls, head: str) -> str:
        if not re.fullmatch(rf"({'|'.join(KINDS)})\.[1-9]\d*\.[1-9]\d*", head):
            raise ValueError(f"{head!r} is no KIND.LAYER.HEAD of {', '.join(KINDS)}, such as cross.1.2")
        return head

    def result(self, ground: Ground) -> Result:
        (head,) = heads(self.head)
        kind, layer, number = HeadAt(*head)
        layers, count = ground.trace(self.sentence).map(kind).weights.shape[:2]
        there(f"costs, head: {self.head}, layer", layer + 1, layers, f"layers of the {kind} attention")
        there(f"costs, head: {self.head}, head", number + 1, count, f"heads of the {kind} attention")
        ranked = ground.ranked(self.sentence)
        place = [place for place, _ in ranked].index(HeadAt(*head))
        drop = ranked[place][1]
        holds = self.within(drop) and self.rank in (None, place + 1)
        return Result(holds, f"{drop:.2f} nats, number {place + 1} of {len(ranked)}")

    def written(self, language: str) -> str:
        return f"{self.bound:.2g}"


class Changing(Bounded):
    """How many heads, each switched off alone, change the German: within bounds."""

    def result(self, ground: Ground) -> Result:
        german = ground.trace(self.sentence).translation
        text, laboratory = self.sentence or ground.sentence, ground.laboratory
        alone = [head for head, _ in ground.ranked(self.sentence)]
        changing = [head for head in alone if laboratory.trace(text, Experiment(off=(head,))).translation != german]
        return Result(self.within(float(len(changing))), f"{len(changing)} of {len(alone)}")

    def written(self, language: str) -> str:
        return f"{self.bound:.0f}"


def there(field: str, number: int | str, count: int, of: str) -> None:
    """Raises NoSuch, with a sentence, where a number, from one, is more than there are; "mean" is none."""
    if not isinstance(number, str) and number > count:
        raise NoSuch(f"{field}: there is no {number}; {of}: {count}")


def chosen(choice: Any) -> Choice:
    return choice if choice in ("mean", "max") else int(choice)
