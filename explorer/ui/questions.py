"""What the page may ask of the server: functions by their names, whose arguments are checked here and nowhere else.

An answer is JSON, or weights as letters, and a function of the question alone, so that it may be kept, and given by
any server that has the same checkpoint.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar

from pydantic import ConfigDict, Field, ValidationError, validate_call

from explorer.ui import words
from explorer.ui.faults import first_fault, shortened

P = ParamSpec("P")
T = TypeVar("T")
Index = Annotated[int, Field(ge=0, lt=2**31)]  # of a layer, a head, a step or a piece, from zero
STRICT = ConfigDict(strict=True)  # a text is a text: nothing is read as what it is not


class Question(NamedTuple):
    """`translates` says that most of the work is to translate the text that is asked about."""

    answer: Callable[..., str]
    translates: bool = False


class Questions:
    """Every question, by its name; rooms add theirs while the page is built."""

    def __init__(self):
        self.known: dict[str, Question] = {}

    def add(self, name: str, answer: Callable[..., str], *, translates: bool = False) -> None:
        """`answer` gives one line, and raises ValueError, with a sentence for the visitor, where it refuses.

        A page in another language adds the same again.
        """
        self.known[name] = Question(bordered(answer), translates)

    def answer(self, name: str, given: list[Any]) -> str:
        """The answer as JSON, or what is said instead. Raises ValueError where there is no such question."""
        answer = self.named(name).answer
        try:
            return answer(*given)
        except ValueError as reason:
            return refusal(str(reason))

    def sentence(self, name: str, given: list[Any]) -> str | None:
        """The sentence that has to be translated first, where there is one."""
        question = self.named(name)
        return given[0].strip() if question.translates and given and isinstance(given[0], str) else None

    def named(self, name: str) -> Question:
        if name not in self.known:
            raise ValueError(words.REFUSALS["no_question"])
        return self.known[name]


def require_index(name: str, value: int, count: int) -> None:
    """Raises ValueError, with a sentence, where there are not so many."""
    if not 0 <= value < count:
        raise ValueError(words.REFUSALS["index"].format(name=name, last=count - 1, value=value))


def bordered(function: Callable[P, T]) -> Callable[P, T]:
    """The function, which raises ValueError, with a sentence, where an argument is not of the type that it says."""
    checked = validate_call(config=STRICT)(function)

    @wraps(function)
    def answers(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return checked(*args, **kwargs)
        except ValidationError as error:
            raise ValueError(words.REFUSALS["no_answer"].format(fault=first_fault(error))) from error

    return answers


def refusal(reason: str) -> str:
    """What is sent instead of an answer."""
    return json.dumps({"error": shortened(reason)})


def is_refusal(answer: str) -> bool:
    """Whether that was sent."""
    return answer.startswith('{"error"')
