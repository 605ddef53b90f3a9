"""The visitor's sentence: examples of it, what is refused, and what deserves a remark."""

import unicodedata
from pathlib import Path

from explorer.recording import words
from explorer.recording.examples import examples as examples
from explorer.recording.examples import recorded
from explorer.recording.trace import Trace
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.limits import LOW_CONFIDENCE, MAX_CHARACTERS, MAX_PIECES
from explorer.ui.scripts import without_blanks
from model.decoding import Translator


def check_characters(text: str) -> None:
    """Raises ValueError, with a sentence for the visitor, where a character cannot be in a text."""
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\n\r":
            raise ValueError(words.REFUSALS["control"].format(code=f"U+{ord(character):04X}"))


def check(text: str, translator: Translator) -> str:
    """The text without blanks around it. Raises ValueError, with a sentence for the visitor, where it is refused."""
    text = text.strip()
    if not text:
        raise ValueError(words.REFUSALS["empty"])
    if len(text) > MAX_CHARACTERS:
        raise ValueError(words.REFUSALS["long"].format(length=len(text), limit=MAX_CHARACTERS))
    check_characters(text)
    tokenizer = translator.tokenizer
    pieces = tokenizer.pieces(tokenizer.encode(text))
    said = [piece for piece in pieces if piece not in tokenizer.tags]
    if pieces and not said:
        raise ValueError(words.REFUSALS["empty"])  # a tag and nothing behind it
    if all(piece in ("\u2581", "<unk>") for piece in said):
        raise ValueError(words.REFUSALS["unknown"])
    count = len(tokenizer.encode(translator.tidy(text))) + 1
    if count > (limit := min(MAX_PIECES, translator.max_pieces + 1)):
        raise ValueError(words.REFUSALS["pieces"].format(pieces=count, limit=limit))
    return text


def notes(trace: Trace) -> list[str]:
    """Remarks on how the translation was chosen; what is worth a warning stands in explorer/recording/warnings.py."""
    unsure = [step.predicted.isolated.text for step in trace.steps if step.probability < LOW_CONFIDENCE]
    named = dict.fromkeys(unsure)  # each once: a model in a loop is unsure of the same piece many times
    found = (
        [words.NOTES["unsure"].format(percent=round(100 * LOW_CONFIDENCE), pieces=", ".join(named))] if unsure else []
    )
    return [*found, *unjoined(trace), *from_right_to_left()]


def unjoined(trace: Trace) -> list[str]:
    """What words are where a language that is read or written puts no blanks between them."""
    sides = {"source": trace.source, "target": [step.predicted for step in trace.steps]}
    return [words.NOTES[side] for side, found in sides.items() if any(without_blanks(piece.text) for piece in found)]


def from_right_to_left() -> list[str]:
    """What stands the other way round where a language is written from right to left."""
    turned = [side for side, direction in LANGUAGE_CONTEXT.get().directions().items() if direction == "rtl"]
    return [words.NOTES[f"{'both' if len(turned) > 1 else turned[0]}_turned"]] if turned else []


def require_translatable(path: Path | None, translator: Translator) -> None:
    """Raises ValueError, with a sentence, where a file of examples is faulty or one of them is refused.

    Without a file, only the one that the page opens with has to be taken, if there is one at all.
    """
    given = examples(path) if path else (recorded(translator.record) or examples())[:1]
    for number, example in enumerate(given, 1):
        try:
            check(example["sentence"], translator)
        except ValueError as error:
            place = f"{path}: number {number}, sentence" if path else words.REFUSALS["opening"]
            raise ValueError(f"{place}: {error}") from error
