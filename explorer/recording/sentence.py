"""The visitor's sentence: examples of it, what is refused, and what deserves a remark."""

import unicodedata
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from explorer.recording import words
from explorer.recording.trace import Trace
from explorer.shared.faults import first_fault
from explorer.shared.language import VOICE, Texts, checked, in_language
from explorer.shared.limits import LOW_CONFIDENCE, MAX_CHARACTERS, MAX_PIECES
from explorer.shared.scripts import without_blanks
from model.decoding import Translator
from model.reading import read_text

LARGEST = 1_000_000  # bytes of a file of examples; ours has 1,094


class Example(BaseModel):
    """A clickable sentence, as it stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    shows: Annotated[Texts, AfterValidator(checked)]
    sentence: str
    opens_at: str = ""


EXAMPLES = TypeAdapter(Annotated[list[Example], Field(min_length=1)])


def examples(path: Path | None = None) -> list[dict[str, str]]:
    """The clickable sentences: `shows` says what each is good for, and `opens_at` which German word it opens at.

    They are ours, or those of a file of the same form. In the file, `shows` is one text for all languages of the page,
    or a text for each: {"en": ..., "de": ...}; one that has none gets the first's.
    That word is what the rule of telling.py finds with the shipped model, which a test holds; the page goes by the
    rule, so that another model opens at a step of its own.
    Raises ValueError, with a sentence, where the file is faulty.
    """
    source = path or Path(str(files("assets") / "examples.json"))
    try:
        found = EXAMPLES.validate_json(read_text(source, LARGEST, encoding="utf-8-sig"))  # Notepad's mark
    except UnicodeDecodeError as error:
        raise ValueError(f"{source}: this is no text in UTF-8.") from error
    except ValidationError as error:
        raise ValueError(f"{source}: {first_fault(error)}") from error
    except ValueError as error:
        raise ValueError(f"{source}: {error}.") from error
    return [{**example.model_dump(), "shows": in_language(example.shows, VOICE.get().language)} for example in found]


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
    count = len(tokenizer.encode(translator.tidy(text))) + 1
    if count > (limit := min(MAX_PIECES, translator.max_pieces + 1)):
        raise ValueError(words.REFUSALS["pieces"].format(pieces=count, limit=limit))
    return text


def notes(trace: Trace) -> list[str]:
    """Remarks on how the German was chosen; what is worth a warning stands in explorer/recording/warnings.py."""
    unsure = [step.predicted.isolated.text for step in trace.steps if step.probability < LOW_CONFIDENCE]
    found = [words.NOTES["unsure"].format(pieces=", ".join(unsure))] if unsure else []
    return [*found, *unjoined(trace), *from_right_to_left()]


def unjoined(trace: Trace) -> list[str]:
    """What words are where a language that is read or written puts no blanks between them."""
    sides = {"source": trace.source, "target": [step.predicted for step in trace.steps]}
    return [words.NOTES[side] for side, found in sides.items() if any(without_blanks(piece.text) for piece in found)]


def from_right_to_left() -> list[str]:
    """What stands the other way round where a language is written from right to left."""
    turned = [side for side, direction in VOICE.get().directions().items() if direction == "rtl"]
    return [words.NOTES[f"{'both' if len(turned) > 1 else turned[0]}_turned"]] if turned else []


def require_translatable(path: Path | None, translator: Translator) -> None:
    """Raises ValueError, with a sentence, where a file of examples is faulty or one of them is refused.

    Of ours, only the one that the page opens with has to be taken by every model.
    """
    for number, example in enumerate(examples(path) if path else examples()[:1], 1):
        try:
            check(example["sentence"], translator)
        except ValueError as error:
            place = f"{path}: number {number}, sentence" if path else words.REFUSALS["opening"]
            raise ValueError(f"{place}: {error}") from error
