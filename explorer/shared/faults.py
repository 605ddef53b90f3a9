"""What is wrong with a file that somebody wrote by hand, in a sentence."""

from pydantic import ValidationError

LONGEST = 60  # characters of what was found


def first_fault(error: ValidationError) -> str:
    """The place of the first fault, counted from one, what is expected there, and what stands there instead."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ", ".join(f"number {part + 1}" if isinstance(part, int) else str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    found = repr(first["input"])
    shortened = found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…"
    told = "" if first["type"] in ("missing", "value_error", "json_invalid") else f", not {shortened}"
    return f"{place or 'the whole file'}: {message[0].lower()}{message[1:]}{told}."
