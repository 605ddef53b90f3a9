"""The words of a sentence in pieces (as derived/word_groups.js does)."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from explorer.recording.trace import Piece
from explorer.ui.scripts import BLANK, CIRCLE, is_mark, join_pieces, lacks_blanks


def joined_words(pieces: Sequence[Piece]) -> list[list[int]]:
    """Indices of the pieces of each word; every piece is in one group.

    Special pieces and the punctuation after a word form groups of their own. In a script without blanks every piece is
    a word.
    """
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        alone = piece.special or (i > 0 and pieces[i - 1].special) or is_trailing_punctuation(pieces, i)
        if i == 0 or begins_word(pieces, i) or alone:
            groups.append([i])
        else:
            groups[-1].append(i)
    return groups


def is_trailing_punctuation(pieces: Sequence[Piece], i: int) -> bool:
    """Whether only punctuation follows, from piece i up to the next word; not where the word has nothing else."""
    if not is_punctuation(pieces[i].text) or (i > 0 and pieces[i - 1].text == BLANK):
        return False
    return (
        i + 1 == len(pieces)
        or begins_word(pieces, i + 1)
        or pieces[i + 1].special
        or is_trailing_punctuation(pieces, i + 1)
    )


def begins_word(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word begins at piece i: after a blank, or anywhere in a script without blanks.

    In such a script a combining mark belongs to the letter before it, punctuation begins no word, and letters of
    another script begin a new one.
    """
    text = pieces[i].text
    if pieces[i].starts_word or i == 0 or pieces[i - 1].special:
        return pieces[i].starts_word
    if pieces[i - 1].text == BLANK or is_punctuation(text) or is_mark(text.removeprefix(CIRCLE)[:1]):
        return False
    return lacks_blanks(text) or lacks_blanks(pieces[i - 1].text)


def is_punctuation(text: str) -> bool:
    """Whether a text consists of punctuation and symbols; the raised dot of a word's start counts as one."""
    return text != "" and all(unicodedata.category(sign)[0] in "PS" for sign in text)


def joined_text(pieces: Sequence[Piece], group: Sequence[int]) -> str:
    """The text of a word's pieces, without the raised dot of its start; of a blank alone, the dot."""
    return join_pieces([pieces[i].text for i in group]).removeprefix(BLANK) or BLANK


# What may surround a word: punctuation of European, Arabic, Chinese and Japanese writing.
PUNCTUATION = ".,;:!?…\"'“”„‘’()[]«»¿¡-–" + "،؛؟۔" + "。、！？：；，．｡､「」『』（）【】《》〈〉～"
DIGIT = re.compile(r"\d")  # of a decimal number, unlike "❶"


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
            join_pieces([pieces[i].text for i in group]).removeprefix("·"),
            tuple(i for i in group if any(map(str.isalnum, pieces[i].text))),
        )
        for group in groups
    )
    return [word for word in words if word.pieces]


def kept_words(source: Sequence[Word], target: Sequence[Word]) -> set[str]:
    """The words of a source, as `bare`, that stand unchanged in its translation: names, numbers, "pizza".

    Of a number only the digits count: "3,482" is "3.482" in German.
    """
    common = {word_key(word) for word in source} & {word_key(word) for word in target}
    return {word.bare for word in (*source, *target) if word_key(word) in common}


def word_key(word: Word) -> str:
    return "".join(DIGIT.findall(word.text)) or word.bare
