"""Splitting a text into sentences, and the pieces of a sentence into words."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from explorer.recording.joining import begins_word
from explorer.recording.trace import Piece
from explorer.ui.scripts import together

# A mark that ends a sentence, quotes after it, a blank, and what may begin the next one. Marks of Chinese and Japanese
# need no blank; before a closing quote they end only what is quoted.
SENTENCE_BOUNDARY = re.compile(
    r"(?:[.!?…؟۔।॥]+(?P<closing>[\"'”’»)\]]*)\s+|[。！？｡]+(?![」』”’）])\s*|\n+\s*)"
    r"(?=[\"'“‘«„¿¡(\[「『（]*(?P<next>\w))"
)
# What may surround a word: punctuation of European, Arabic, Chinese and Japanese writing.
PUNCTUATION = ".,;:!?…\"'“”„‘’()[]«»¿¡-–" + "،؛؟۔" + "。、！？：；，．｡､「」『』（）【】《》〈〉～"
# Abbreviations that end with a full stop, by language; initials and "z.B." are recognized by their form.
ABBREVIATIONS = {
    "en": "mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|approx|dept|gen|col|rev",
    "de": "dr|prof|hr|fr|st|nr|str|ca|usw|bzw|vgl|evtl|inkl|ggf|etc|bspw|abs|jh|mio|mrd|tel",
    "fr": "m|mm|mme|mlle|dr|pr|st|ste|av|env|etc|cf|art|vol|chap|tél",
    "es": "sr|sra|srta|dr|dra|ud|uds|vd|etc|pág|núm|avda|dña|prof|aprox",
    "it": "sig|sigg|dott|prof|ing|avv|ecc|pag|num|art|ca|tel",
    "nl": "dhr|mevr|mw|dr|prof|ir|ing|drs|mr|st|nr|ca|bijv|bv|enz|evt|incl|resp|tel|blz",
    "pt": "sr|sra|srta|dr|dra|prof|profa|etc|pág|núm|av|exmo",
}
PLAIN_ABBREVIATIONS = "dr|prof|st|etc|nr|no"


class Word(NamedTuple):
    """A word: its text with surrounding punctuation, and the indices of its pieces that are not punctuation alone."""

    text: str
    pieces: tuple[int, ...]

    @property
    def clean(self) -> str:
        """The text without surrounding punctuation."""
        return self.text.strip(PUNCTUATION)

    @property
    def bare(self) -> str:
        return self.clean.lower()

    @property
    def is_number(self) -> bool:
        return any(map(str.isdigit, self.text))


def split_words(pieces: Sequence[Piece]) -> list[Word]:
    """The words of a sentence; special pieces belong to none, and punctuation alone is no word."""
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        if piece.special:
            continue
        if not groups or begins_word(pieces, i):
            groups.append([])
        groups[-1].append(i)
    words = (
        Word(
            together([pieces[i].text for i in group]).removeprefix("·"),
            tuple(i for i in group if any(map(str.isalnum, pieces[i].text))),
        )
        for group in groups
    )
    return [word for word in words if word.pieces]


@cache
def abbreviation_pattern(code: str) -> re.Pattern[str]:
    """Matches a text that ends with an abbreviation, an initial, or single letters with full stops between them."""
    known = ABBREVIATIONS.get(code, PLAIN_ABBREVIATIONS)
    return re.compile(rf"(?:^|[\s(\"'“„«])(?:{known}|[^\W\d_](?:\.[^\W\d_])*)$", re.I)


def split_sentences(text: str, code: str = "en") -> list[str]:
    """The sentences of a text; a full stop after an abbreviation or an initial does not end a sentence.

    >>> split_sentences('He met Dr. Smith. "Hello!" he said.')
    ['He met Dr. Smith.', '"Hello!" he said.']
    """
    sentences, start = [], 0
    for boundary in SENTENCE_BOUNDARY.finditer(text):
        if "\n" not in boundary[0]:
            abbreviated = boundary[0].startswith(".") and abbreviation_pattern(code).search(
                text[start : boundary.start()]
            )
            if abbreviated or (boundary["closing"] and boundary["next"].islower()):  # "Stop!" he said
                continue
        sentences.append(text[start : boundary.end()].strip())
        start = boundary.end()
    return [*sentences, text[start:].strip()]
