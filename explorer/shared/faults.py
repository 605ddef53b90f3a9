"""What is wrong with what somebody wrote or sent, in a sentence of bounded length."""

from pydantic import ValidationError

from explorer.shared.language import FIRST, VOICE
from model import faults

SENTENCE = 600  # characters


def first_fault(error: ValidationError) -> str:
    """The first fault, in English; in other languages, which pydantic does not speak, its place (a JSON pointer)."""
    if VOICE.get().language == FIRST:
        return faults.first_fault(error)
    return "".join(f"/{faults.shown(str(part))}" for part in error.errors(include_url=False)[0]["loc"]) or "/"


def shortened(sentence: str) -> str:
    """A sentence without its middle, where that tells at length what somebody sent."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[: SENTENCE // 2]} … {sentence[-SENTENCE // 2 :]}"
