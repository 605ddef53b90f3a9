"""Validation of the visitor's sentence."""

import unicodedata
from pathlib import Path

from explorer.recording import MAX_CHARACTERS, MAX_PIECES, words
from explorer.recording.examples import checkpoint_examples
from explorer.recording.examples import examples as examples
from model.decoding import Translator
from model.errors import UserError


def check_characters(text: str) -> None:
    """Raises UserError if the text contains a control character."""
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\n\r":
            raise UserError(words.REFUSALS["control"].format(code=f"U+{ord(character):04X}"))


def check_sentence(text: str, translator: Translator) -> str:
    """The text, stripped. Raises UserError if it is refused."""
    text = text.strip()
    if not text:
        raise UserError(words.REFUSALS["empty"])
    if len(text) > MAX_CHARACTERS:
        raise UserError(words.REFUSALS["long"].format(length=len(text), limit=MAX_CHARACTERS))
    check_characters(text)
    tokenizer = translator.tokenizer
    pieces = tokenizer.pieces(tokenizer.encode(text))
    untagged = [piece for piece in pieces if piece not in tokenizer.tags]
    if pieces and not untagged:
        raise UserError(words.REFUSALS["empty"])  # a tag and nothing behind it
    if all(piece in ("\u2581", "<unk>") for piece in untagged):
        raise UserError(words.REFUSALS["unknown"])
    count = len(tokenizer.encode(translator.tidy(text))) + 1
    if count > (limit := min(MAX_PIECES, translator.max_pieces + 1)):
        raise UserError(words.REFUSALS["pieces"].format(pieces=count, limit=limit))
    return text


def require_translatable(path: Path | None, translator: Translator) -> None:
    """Raises UserError if a file of examples is faulty or the model refuses one of them.

    Without a file, only the first example is checked, with which the page opens.
    """
    to_check = examples(path) if path else (checkpoint_examples(translator.record) or examples())[:1]
    for number, example in enumerate(to_check, 1):
        try:
            check_sentence(example["sentence"], translator)
        except UserError as error:
            location = f"{path}: number {number}, sentence" if path else words.REFUSALS["opening"]
            raise UserError(f"{location}: {error}") from error
