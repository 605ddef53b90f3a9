"""Pieces joined into words, as the attention view shows them; word_groups.js there does the same."""

import unicodedata
from collections.abc import Sequence

from explorer.recording.trace import Piece
from explorer.ui.scripts import BLANK, CIRCLE, is_mark, together, without_blanks


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
    """Whether only punctuation follows, from piece i up to the next word."""
    if not is_punctuation(pieces[i].text):
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
    return without_blanks(text) or without_blanks(pieces[i - 1].text)


def is_punctuation(text: str) -> bool:
    """Whether a text consists of punctuation and symbols; the raised dot of a word's start counts as one."""
    return text != "" and all(unicodedata.category(sign)[0] in "PS" for sign in text)


def joined_text(pieces: Sequence[Piece], group: Sequence[int]) -> str:
    """The text of a word's pieces, without the raised dot of its start."""
    return together([pieces[i].text for i in group]).removeprefix(BLANK)
