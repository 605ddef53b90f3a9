"""The visitor's sentence: examples of it, what is refused, and what deserves a remark."""

import json
import unicodedata
from importlib.resources import files

from explorer.recording import words
from explorer.recording.trace import Trace
from explorer.shared.language import FIRST, VOICE
from explorer.shared.limits import LOW_CONFIDENCE, MAX_CHARACTERS, MAX_PIECES
from model.decoding import Translator


def examples() -> list[dict[str, str]]:
    """The clickable sentences: `shows` says what each is good for, and `opens_at` which German word it opens at.

    In the file, `shows` is one text for all languages of the page, or a text for each: {"en": ..., "de": ...}.
    That word is what the rule of telling.py finds with the shipped model, which a test holds; the page goes by the
    rule, so that another model opens at a step of its own.
    """
    found = json.loads((files("assets") / "examples.json").read_text(encoding="utf-8"))
    return [{**example, "shows": in_language(example["shows"])} for example in found]


def in_language(texts: str | dict[str, str]) -> str:
    """A text that is the same in all languages of the page, or that of the language in force; else of the first."""
    return texts if isinstance(texts, str) else texts.get(VOICE.get().language, texts[FIRST])


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
    if all(piece in ("\u2581", "<unk>") for piece in tokenizer.pieces(tokenizer.encode(text))):
        raise ValueError(words.REFUSALS["unknown"])
    count = len(translator.source_ids(text))
    if count > MAX_PIECES:
        raise ValueError(words.REFUSALS["pieces"].format(pieces=count, limit=MAX_PIECES))
    return text


def notes(trace: Trace) -> list[str]:
    """Remarks on how the German was chosen; what is worth a warning stands in explorer/recording/warnings.py."""
    unsure = [step.predicted.text for step in trace.steps if step.probability < LOW_CONFIDENCE]
    return [words.NOTES["unsure"].format(pieces=", ".join(unsure))] if unsure else []
