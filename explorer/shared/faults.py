"""What is wrong with what somebody wrote or sent, in a sentence of bounded length."""

from model.faults import first_fault as first_fault

SENTENCE = 600  # characters


def shortened(sentence: str) -> str:
    """A sentence without its middle, where that tells at length what somebody sent."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[: SENTENCE // 2]} … {sentence[-SENTENCE // 2 :]}"
