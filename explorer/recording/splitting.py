"""A text in sentences, and the pieces of a sentence in words."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from explorer.recording.joining import begins
from explorer.recording.trace import Piece
from explorer.ui.scripts import together

# A mark that ends a sentence, quotes after it, a blank, and what may begin the next one. Marks of Chinese and Japanese
# need no blank; before a closing quote they end only what is quoted.
BOUNDARY = re.compile(
    r"(?:[.!?…؟۔।॥]+(?P<closing>[\"'”’»)\]]*)\s+|[。！？｡]+(?![」』”’）])\s*|\n+\s*)"
    r"(?=[\"'“‘«„¿¡(\[「『（]*(?P<next>\w))"
)
# What may stand at the ends of a word: marks of European, of Arabic and of Chinese and Japanese writing.
MARKS = ".,;:!?…\"'“”„‘’()[]«»¿¡-–" + "،؛؟۔" + "。、！？：；，．｡､「」『』（）【】《》〈〉～"
# What a full stop may follow inside a sentence, by languages; initials and "z.B." are found by their form.
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
    """A word: its text, with the marks at its ends, and the indices of those of its pieces that are more than marks."""

    text: str
    pieces: tuple[int, ...]

    @property
    def clean(self) -> str:
        """Without marks at its ends."""
        return self.text.strip(MARKS)

    @property
    def bare(self) -> str:
        return self.clean.lower()

    @property
    def is_number(self) -> bool:
        return any(map(str.isdigit, self.text))


def words_of(pieces: Sequence[Piece]) -> list[Word]:
    """Pieces up to the next one that begins a word; special ones belong to none, and marks alone are no word."""
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        if piece.special:
            continue
        if not groups or begins(pieces, i):
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
def abbreviation(code: str) -> re.Pattern[str]:
    """What ends with an abbreviation of a language, an initial, or single letters with full stops between them."""
    known = ABBREVIATIONS.get(code, PLAIN_ABBREVIATIONS)
    return re.compile(rf"(?:^|[\s(\"'“„«])(?:{known}|[^\W\d_](?:\.[^\W\d_])*)$", re.I)


def sentences_of(text: str, code: str = "en") -> list[str]:
    """The sentences of a text in a language; a full stop after an abbreviation or an initial ends none.

    >>> sentences_of('He met Dr. Smith. "Hello!" he said.')
    ['He met Dr. Smith.', '"Hello!" he said.']
    """
    found, start = [], 0
    for boundary in BOUNDARY.finditer(text):
        if "\n" not in boundary[0]:
            abbreviated = boundary[0].startswith(".") and abbreviation(code).search(text[start : boundary.start()])
            if abbreviated or (boundary["closing"] and boundary["next"].islower()):  # "Stop!" he said
                continue
        found.append(text[start : boundary.end()].strip())
        start = boundary.end()
    return [*found, text[start:].strip()]
