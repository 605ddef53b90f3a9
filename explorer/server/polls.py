"""A question put to a class, and the guesses at its answer."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pydantic import Field, StringConstraints, model_validator

from explorer.ui.questions import StrictModel

MAX_CHOICES, MAX_QUESTION_CHARACTERS = 200, 8000  # of one question, its choices included

ShortText = Annotated[str, StringConstraints(min_length=1, max_length=600)]


class Question(StrictModel):
    """A question with choices, and what the model says of each: its weight, or 1 for what it does and else 0.

    `lesson` is the lesson's step that asks it, as in an address; `word` the target word for which it asks where the
    model looks. Pages phrase these in their own language.
    """

    ask: ShortText
    choices: list[ShortText] = Field(min_length=2, max_length=MAX_CHOICES)
    model: list[Annotated[float, Field(ge=0, le=1.0001)]]
    lesson: str = Field("", max_length=100)
    word: str = Field("", max_length=200)

    @model_validator(mode="after")
    def require_bounds(self) -> "Question":
        if len(self.model) != len(self.choices):
            raise ValueError("model needs a number for each choice")
        if len(self.ask) + sum(map(len, self.choices)) > MAX_QUESTION_CHARACTERS:
            raise ValueError(f"question and choices have at most {MAX_QUESTION_CHARACTERS} characters")
        return self


class Guess(NamedTuple):
    choice: int
    client: str


@dataclass(eq=False)
class Poll:
    """A question put to the class, with the guess of each page."""

    number: int
    question: Question
    guesses: dict[str, Guess] = field(default_factory=dict)  # the oldest first
    is_shown: bool = False

    @property
    def counts(self) -> list[int]:
        """The number of guesses for each choice."""
        counted = Counter(guess.choice for guess in self.guesses.values())
        return [counted[choice] for choice in range(len(self.question.choices))]

    def to_json(self, *, for_teacher: bool = False) -> dict[str, Any]:
        """What pages may know: the counts and the model's numbers only once they are shown."""
        hidden = set() if self.is_shown or for_teacher else {"model"}
        return {
            "number": self.number,
            **self.question.model_dump(exclude=hidden),
            "answers": len(self.guesses),
            "shown": self.is_shown,
            "counts": self.counts if self.is_shown or for_teacher else None,
        }
