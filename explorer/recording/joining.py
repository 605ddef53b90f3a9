"""Pieces joined into words, as the picture shows them (explorer/attention_view/joined.js); every piece is in one."""

import unicodedata
from collections.abc import Sequence

from explorer.recording.trace import Piece
from explorer.ui.scripts import BLANK, CIRCLE, is_mark, together, without_blanks


def joined_words(pieces: Sequence[Piece]) -> list[list[int]]:
    """Indices of pieces, word by word: special pieces stand alone, and so does the punctuation after a word.

    Where a script has no blanks, every piece is a word.
    """
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        alone = piece.special or (i > 0 and pieces[i - 1].special) or trailing(pieces, i)
        if i == 0 or begins(pieces, i) or alone:
            groups.append([i])
        else:
            groups[-1].append(i)
    return groups


def trailing(pieces: Sequence[Piece], i: int) -> bool:
    """Whether nothing but punctuation follows, up to the next word."""
    if not is_punctuation(pieces[i].text):
        return False
    return i + 1 == len(pieces) or begins(pieces, i + 1) or pieces[i + 1].special or trailing(pieces, i + 1)


def begins(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word begins with a piece: after a blank, and in a script without blanks anywhere.

    There a mark goes on with the letter before it, and punctuation with nothing; letters of another script are a
    word after them.
    """
    text = pieces[i].text
    if pieces[i].starts_word or i == 0 or pieces[i - 1].special:
        return pieces[i].starts_word
    if pieces[i - 1].text == BLANK or is_punctuation(text) or is_mark(text.removeprefix(CIRCLE)[:1]):
        return False
    return without_blanks(text) or without_blanks(pieces[i - 1].text)


def is_punctuation(text: str) -> bool:
    """Whether a text is marks and symbols alone; the raised dot of a word's start is one."""
    return text != "" and all(unicodedata.category(sign)[0] in "PS" for sign in text)


def joined_text(pieces: Sequence[Piece], group: Sequence[int]) -> str:
    """What a word's pieces say, without the mark of its start."""
    return together([pieces[i].text for i in group]).removeprefix(BLANK)
