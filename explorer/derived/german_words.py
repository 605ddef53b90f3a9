"""Which words are German, and which are English alone: a Bloom filter of the words of sentence pairs.

The page reads it with the same hashes (explorer/derived/german_words.js). A Bloom filter (Bloom 1970)
answers "perhaps" or "no" from a few bits a word: about 1 in 100 words that it does not hold seems to be in it. A German
compound counts as a word if its parts do, so that the filter need not hold it.
"""

import re
from collections.abc import Iterator
from functools import cache

from explorer.ui.component import GERMAN_WORDS

HASHES = 7  # of a word: the best number for ten bits a word
FNV_OFFSET, FNV_PRIME = 0x811C9DC5, 0x01000193
LINKS = ("", "s", "n", "en", "es", "er")  # between the parts of a compound
MIN_PART = 3  # letters of a part of a compound; shorter parts around a hyphen are not looked up
MAX_PARTS = 4


def hash_word(key: str) -> int:
    """The 32-bit FNV-1a hash of a text in UTF-8, mixed."""
    value = FNV_OFFSET
    for byte in key.encode():
        value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return mix(value)


def mix(value: int) -> int:
    """Spreads the bits of a 32-bit number: the last step of MurmurHash3, since those of FNV-1a are too alike."""
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


class Vocabulary:
    """Words by language, of which only bits are kept."""

    def __init__(self, bits: bytes | bytearray):
        self.bits = bits

    def positions(self, language: str, word: str) -> Iterator[int]:
        """The bits of a word, by double hashing (Kirsch and Mitzenmacher 2006)."""
        first = hash_word(f"{language}:{word}")
        second = mix(first ^ FNV_OFFSET)
        for i in range(HASHES):
            yield (first + i * second & 0xFFFFFFFF) % (8 * len(self.bits))

    def has(self, language: str, word: str) -> bool:
        return all(self.bits[position >> 3] >> (position & 7) & 1 for position in self.positions(language, word))

    def is_english(self, word: str) -> bool:
        """Whether a word in small letters is English and not German."""
        return self.has("en", word) and not self.has("de", word)

    def is_german(self, word: str) -> bool:
        """Whether a word in small letters, or each of its parts around hyphens, is German or a German compound."""
        parts = word.split("-")
        return self.has("de", word) or all(len(part) < MIN_PART or self.is_compound(part) for part in parts)

    def is_compound(self, word: str, parts: int = MAX_PARTS) -> bool:
        """Whether a word consists of at most so many German words, with a linking element between two."""
        if self.has("de", word):
            return True
        if parts == 1:
            return False
        return any(
            word.startswith(link, end) and self.is_compound(word[end + len(link) :], parts - 1)
            for end in range(MIN_PART, len(word) - MIN_PART + 1)
            if self.has("de", word[:end])
            for link in LINKS
            if len(word) - end - len(link) >= MIN_PART
        )


@cache
def german_words() -> Vocabulary:
    return Vocabulary(GERMAN_WORDS.read_bytes())


def is_all_german(text: str) -> bool:
    """Whether every word of a text is German and none is English alone."""
    words = german_words()
    bare = (re.sub(r"^\W+|\W+$", "", word).lower() for word in text.split())
    return all(words.is_german(word) and not words.is_english(word) for word in bare)
