"""Makes assets/words.bloom: which words are German, and which are English alone, from sentence pairs.

    python -m tools.vocabulary --pairs train.tsv.gz ... [--out assets/words.bloom]

Pairs may quote the other language. A word belongs to German if it is not far more frequent in English, and to English
alone if people write it small, more than twice, and it is not German. NOTICE names the pairs of the shipped file.
"""

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from explorer.derived.german_words import Vocabulary
from explorer.ui.component import GERMAN_WORDS
from model import command
from model.files import write_atomically
from model.training.data import read_pairs

NAME = "python -m tools.vocabulary"
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
MIN_GERMAN_SHARE = 0.05  # occurrences in German for each in English
MIN_ENGLISH_COUNT = 3
BITS_PER_WORD = 10


def list_words(paths: Sequence[Path]) -> tuple[list[str], list[str]]:
    """German words, the shortest first, and words that are English alone."""
    german, english, small = Counter[str](), Counter[str](), Counter[str]()
    for pair in read_pairs(paths):
        words = WORD.findall(pair.src)
        german.update(word.lower() for word in WORD.findall(pair.tgt))
        english.update(word.lower() for word in words)
        small.update(word for word in words if word == word.lower())
    is_german = {word for word, count in german.items() if count > MIN_GERMAN_SHARE * english[word]}
    alone = [word for word, count in small.items() if count >= MIN_ENGLISH_COUNT and word not in is_german]
    return sorted(is_german, key=lambda word: (len(word), word)), sorted(alone)


def fill(german: Sequence[str], english: Sequence[str], size: int) -> tuple[Vocabulary, int]:
    """The filter of so many bytes, and how many words it holds; compounds of words in it are left out."""
    vocabulary, held = Vocabulary(bytearray(size)), 0
    for language, words in (("de", german), ("en", english)):
        for word in words:
            if language == "de" and vocabulary.is_german(word) and len(word) > 2:
                continue
            held += 1
            for position in vocabulary.positions(language, word):
                vocabulary.bits[position >> 3] |= 1 << (position & 7)  # type: ignore[index]
    return vocabulary, held


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Makes the list of German and English words.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="English-German pairs written by people")
    parser.add_argument("--out", type=Path, default=GERMAN_WORDS, help=f"the file to write (default {GERMAN_WORDS})")
    options = parser.parse_args(arguments)
    with command.exit_on_error(NAME):
        german, english = list_words(options.pairs)
        _, needed = fill(german, english, (len(german) + len(english)) * BITS_PER_WORD // 8)
        filled, held = fill(german, english, needed * BITS_PER_WORD // 8)
        write_atomically(options.out, bytes(filled.bits))
    print(f"{len(german)} German and {len(english)} English words, {held} of them held in {len(filled.bits)} bytes")


if __name__ == "__main__":
    main()
