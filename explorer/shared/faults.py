"""What is wrong with a file that somebody wrote by hand, in a sentence."""

from pydantic import ValidationError

LONGEST = 60  # characters of what was found
SENTENCE = 600  # of a whole sentence
# Nothing stands there, or what stands there is not what is wrong.
UNTOLD = ("missing", "missing_argument", "unexpected_positional_argument", "value_error", "json_invalid")


def first_fault(error: ValidationError) -> str:
    """The place of the first fault, counted from one, what is expected there, and what stands there instead."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ", ".join(f"number {part + 1}" if isinstance(part, int) else str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    found = repr(first["input"])
    found = found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…"
    told = "" if first["type"] in UNTOLD else f", not {found}"
    return f"{place or 'the whole file'}: {message[0].lower()}{message[1:]}{told}."


def shortened(sentence: str) -> str:
    """A sentence without its middle, where that tells at length what somebody sent."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[: SENTENCE // 2]} … {sentence[-SENTENCE // 2 :]}"
