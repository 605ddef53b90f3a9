"""A text in sentences, and the pieces of a sentence in words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from explorer.recording.joining import begins
from explorer.recording.trace import Piece
from explorer.shared.scripts import together

# A mark that ends a sentence, quotes after it, a blank, and what may begin the next one.
BOUNDARY = re.compile(r"(?:[.!?…]+(?P<closing>[\"'”’)\]]*)\s+|\n+\s*)(?=[\"'“‘(\[]*(?P<next>\w))")
ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|a\.m|p\.m|approx|dept|gen|col|rev|[a-z]|"
    r"[a-z](?:\.[a-z])+)$",
    re.I,
)


class Word(NamedTuple):
    """A word: its text, with the marks at its ends, and the indices of those of its pieces that are more than marks."""

    text: str
    pieces: tuple[int, ...]

    @property
    def clean(self) -> str:
        """Without marks at its ends."""
        return self.text.strip(".,;:!?…\"'“”„‘’()[]«»¿¡-–")

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


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a full stop after an abbreviation or an initial ends none.

    >>> sentences_of('He met Dr. Smith. "Hello!" he said.')
    ['He met Dr. Smith.', '"Hello!" he said.']
    """
    found, start = [], 0
    for boundary in BOUNDARY.finditer(text):
        if "\n" not in boundary[0]:
            abbreviated = boundary[0].startswith(".") and ABBREVIATION.search(text[start : boundary.start()])
            if abbreviated or (boundary["closing"] and boundary["next"].islower()):  # "Stop!" he said
                continue
        found.append(text[start : boundary.end()].strip())
        start = boundary.end()
    return [*found, text[start:].strip()]
