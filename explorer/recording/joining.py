"""Pieces joined into words, as the picture shows them (explorer/attention_view/joined.js); every piece is in one."""

import unicodedata
from collections.abc import Sequence

from explorer.recording.trace import Piece


def joined_words(pieces: Sequence[Piece]) -> list[list[int]]:
    """Indices of pieces, word by word: special pieces stand alone, and so does the punctuation after a word."""
    groups: list[list[int]] = []
    for i, piece in enumerate(pieces):
        alone = piece.special or (i > 0 and pieces[i - 1].special) or trailing(pieces, i)
        if i == 0 or piece.starts_word or alone:
            groups.append([i])
        else:
            groups[-1].append(i)
    return groups


def trailing(pieces: Sequence[Piece], i: int) -> bool:
    """Whether nothing but punctuation follows, up to the next word."""
    if not is_punctuation(pieces[i].text):
        return False
    return i + 1 == len(pieces) or pieces[i + 1].starts_word or pieces[i + 1].special or trailing(pieces, i + 1)


def is_punctuation(text: str) -> bool:
    """Whether a text is marks and symbols alone; the raised dot of a word's start is one."""
    return text != "" and all(unicodedata.category(sign)[0] in "PS" for sign in text)


def joined_text(pieces: Sequence[Piece], group: Sequence[int]) -> str:
    """What a word's pieces say, without the mark of its start."""
    return "".join(pieces[i].text for i in group).removeprefix("·")
