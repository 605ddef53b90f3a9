"""What is wrong with a file that came from outside, in a sentence."""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json

LONGEST = 60  # characters of what was found, and of a name
# Kinds of faults whose message says it, or that have none, or where it is not what is wrong.
WITHOUT_VALUE = ("missing", "missing_argument", "unexpected_positional_argument", "value_error", "json_invalid")


def shown(found: str) -> str:
    return found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…"


def first_fault(error: ValidationError) -> str:
    """The place of the first fault, counted from one, what is expected there, and what stands there instead."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ", ".join(f"number {part + 1}" if isinstance(part, int) else shown(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    told = "" if first["type"] in WITHOUT_VALUE else f", not {shown(repr(first['input']))}"
    return f"{place or 'the whole file'}: {message[0].lower()}{message[1:]}{told}."


def checked(validate: Callable[[bytes], Any], value: Any, name: str) -> Any:
    """What a file's value is by a pydantic model's `validate_json`.

    Raises ValueError that names the file, the field and what is expected. What the model's own code refuses as a whole
    says itself which field is meant.
    """
    try:
        return validate(to_json(value))  # because from an object of Python a strict model takes no dict for a dataclass
    except ValidationError as error:
        sentence = first_fault(error).removesuffix(".").removeprefix("the whole file: ")
        raise ValueError(f"{name}: {sentence}") from error
