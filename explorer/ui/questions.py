"""The page's questions to the server: functions by name, whose arguments are validated here and nowhere else.

An answer is JSON, or float32 numbers, and depends on the question only, so that it can be cached, and any server with
the same checkpoint can give it. Refusals, those of files too, are one sentence of bounded length.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, validate_call

from explorer.ui import words
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT
from model import files
from model.errors import UserError

P = ParamSpec("P")
T = TypeVar("T")
Index = Annotated[int, Field(ge=0, lt=2**31)]  # of a layer, a head, a step or a piece, from zero
MAX_ERROR_CHARACTERS = 600
STRICT = ConfigDict(strict=True)  # no coercion: a text is a text


def first_fault(error: ValidationError) -> str:
    """The first fault, in English; in other languages, which pydantic does not speak, its place (a JSON pointer)."""
    if LANGUAGE_CONTEXT.get().language == FIRST:
        return files.first_error(error)
    return "".join(f"/{files.shorten(str(part))}" for part in error.errors(include_url=False)[0]["loc"]) or "/"


@contextmanager
def with_path(path: Path) -> Iterator[None]:
    """Errors of a file that is read inside become a UserError whose sentence begins with the path."""
    try:
        yield
    except ValidationError as error:
        raise UserError(f"{path}: {first_fault(error)}") from error
    except UserError as error:
        raise UserError(f"{path}: {error}.") from error


def shorten(sentence: str) -> str:
    """A sentence without its middle where it is too long, as when it quotes what was sent."""
    return (
        sentence
        if len(sentence) <= MAX_ERROR_CHARACTERS
        else f"{sentence[: MAX_ERROR_CHARACTERS // 2]} … {sentence[-MAX_ERROR_CHARACTERS // 2 :]}"
    )


class StrictModel(BaseModel):
    """A frozen model that refuses unknown fields and converts no types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Question(NamedTuple):
    """`translates`: most of the work is to translate the first argument."""

    answer: Callable[..., str]
    translates: bool = False


class Questions:
    """All questions by name; tabs register theirs while the page is built."""

    def __init__(self):
        self.known: dict[str, Question] = {}

    def add(self, name: str, answer: Callable[..., str], *, translates: bool = False) -> None:
        """`answer` returns one line, and raises UserError to refuse.

        The page in another language adds the same again.
        """
        self.known[name] = Question(validated(answer), translates)

    def answer(self, name: str, arguments: list[Any]) -> str:
        """The answer, or a refusal, as JSON. Raises UserError for an unknown question."""
        answer = self.find(name).answer
        try:
            return answer(*arguments)
        except UserError as reason:
            return error_json(str(reason))

    def sentence(self, name: str, arguments: list[Any]) -> str | None:
        """The sentence to translate first, if any. Raises UserError for an unknown question."""
        translates = self.find(name).translates and arguments and isinstance(arguments[0], str)
        return arguments[0].strip() if translates else None

    def find(self, name: str) -> Question:
        if name not in self.known:
            raise UserError(words.REFUSALS["no_question"])
        return self.known[name]


def require_index(name: str, value: int, count: int) -> None:
    """Raises UserError unless 0 <= value < count."""
    if not 0 <= value < count:
        raise UserError(words.REFUSALS["index"].format(name=name, last=count - 1, value=value))


def validated(function: Callable[P, T]) -> Callable[P, T]:
    """The function, raising UserError for arguments that do not match its annotations."""
    checked = validate_call(config=STRICT)(function)

    @wraps(function)
    def validated_call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return checked(*args, **kwargs)
        except ValidationError as error:
            raise UserError(words.REFUSALS["no_answer"].format(fault=first_fault(error))) from error

    return validated_call


def error_json(reason: str) -> str:
    """The JSON that is sent instead of an answer."""
    return json.dumps({"error": shorten(reason)})


def is_error(answer: str) -> bool:
    """Whether an answer comes from `error_json`."""
    return answer.startswith('{"error"')
