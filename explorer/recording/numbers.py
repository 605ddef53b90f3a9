"""Whether the numbers of an English sentence stand in its German, in digits or in words.

English 1,234.56 is German 1.234,56; "half past eight" is "halb neun", and 8 p.m. 20 Uhr. Where in doubt, a number
counts as found: "one", whose German is an article, and years or hundreds in words are not looked for.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from explorer.recording.splitting import Word

NUMBER = re.compile(r"[0-9]+(?:[.,:/][0-9]+)*")
ENGLISH_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
ENGLISH_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
GERMAN_DECIMAL = re.compile(r"(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?")
GROUP_BLANK = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))")  # of "10 000"
TIME = re.compile(r"([0-9]{1,2})(?:[:.]([0-5][0-9]))?")
CODE = re.compile(r"(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{3,}")  # "LH2374"
ADDRESS = re.compile(r"@|://|^www\.")
LETTERS = re.compile(r"[^\W\d_]+")
GERMAN_NUMBERS = {
    "zwei": 2,
    "zwo": 2,
    "beid": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
    "sechs": 6,
    "sieben": 7,
    "siebt": 7,
    "acht": 8,
    "neun": 9,
    "zehn": 10,
    "elf": 11,
    "zwölf": 12,
    "dreizehn": 13,
    "vierzehn": 14,
    "fünfzehn": 15,
    "sechzehn": 16,
    "siebzehn": 17,
    "achtzehn": 18,
    "neunzehn": 19,
    "zwanzig": 20,
    "dreißig": 30,
    "vierzig": 40,
    "fünfzig": 50,
    "sechzig": 60,
    "siebzig": 70,
    "achtzig": 80,
    "neunzig": 90,
}
CARDINALS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
ORDINALS = ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ENGLISH_NUMBERS = {
    **{word: number for number, word in enumerate(CARDINALS, 2)},
    **{word: number for number, word in enumerate(ORDINALS, 4)},
    **{f"{word}th": number for number, word in enumerate(CARDINALS, 2) if number > 12},
    **{word: 10 * number for number, word in enumerate(TENS, 2)},
    **{f"{word[:-1]}ieth": 10 * number for number, word in enumerate(TENS, 2)},
}
ATOM = re.compile("|".join(sorted(GERMAN_NUMBERS, key=len, reverse=True)))
NUMBER_WORD = re.compile(rf"(?:ein(?:und|hundert|tausend)|hundert|tausend|{ATOM.pattern}).*")


class GermanNumbers(NamedTuple):
    """The numbers of a German text: in digits as written, and the parts of those in words ("fünf", "zwanzig")."""

    digits: frozenset[str]
    atoms: frozenset[int]
    has_words: bool
    is_half: bool  # with "halb" before an hour


def german_numbers(text: str) -> GermanNumbers:
    small = text.lower()
    words = [word for word in LETTERS.findall(small) if NUMBER_WORD.fullmatch(word)]
    digits = frozenset(NUMBER.findall(text)) | frozenset(NUMBER.findall(GROUP_BLANK.sub("", text)))
    atoms = frozenset(GERMAN_NUMBERS[atom] for word in words for atom in ATOM.findall(word))
    return GermanNumbers(digits, atoms, bool(words), "halb" in LETTERS.findall(small))


def decimal_value(number: str) -> float:
    return float(number.replace(",", ""))


def has_digits(number: str, found: GermanNumbers) -> bool:
    """Whether a number in digits stands in the German: as it is, with German marks, as an hour, or in words."""
    values = [float(one.replace(".", "").replace(",", ".")) for one in found.digits if GERMAN_DECIMAL.fullmatch(one)]
    is_decimal = ENGLISH_THOUSANDS.fullmatch(number) or ENGLISH_DECIMAL.fullmatch(number)
    if is_decimal and decimal_value(number) in values:
        return True
    if not ENGLISH_THOUSANDS.fullmatch(number) and {number, number.replace(":", ".")} & found.digits:
        return True
    return has_time(number, found) or (not found.digits and found.has_words and has_words(number, found))


def has_time(number: str, found: GermanNumbers) -> bool:
    """Whether a number from 1 to 12, perhaps with minutes, stands in the German as an hour or in words."""
    time = TIME.fullmatch(number)
    if not time or not 0 < int(time[1]) <= 12:
        return False
    hour, minutes = int(time[1]), time[2] or "00"
    shown = {f"{one}{mark}{minutes}" for one in (hour, hour + 12) for mark in ":."}
    if minutes == "00":
        shown |= {str(hour), str(hour + 12)}
    in_words = has_hour(hour, found) or (minutes != "00" and has_hour(hour % 12 + 1, found))
    return bool(shown & found.digits) or in_words


def has_hour(hour: int, found: GermanNumbers) -> bool:
    return hour in found.atoms or hour == 1


def has_words(number: str, found: GermanNumbers) -> bool:
    """Whether the German may say in words what stands in digits; below 100, its tens and ones must be there."""
    value = decimal_value(number) if ENGLISH_DECIMAL.fullmatch(number) else None
    if value is None or not value.is_integer() or value >= 100:
        return True
    parts = {value} if value < 20 else {value - value % 10, value % 10}
    return parts - {0, 1} <= found.atoms


def has_number_words(words: Sequence[Word], i: int, found: GermanNumbers) -> bool:
    """Whether the numbers in words of the word at i stand in the German, whose "halb neun" is half past eight."""
    wanted = [ENGLISH_NUMBERS[part] for part in LETTERS.findall(words[i].bare) if part in ENGLISH_NUMBERS]
    if not wanted or found.digits:
        return True
    hour = wanted[0] % 12 + 1
    is_past = [word.bare for word in words[max(0, i - 2) : i]] == ["half", "past"]
    if is_past or wanted[1:] == [30]:  # "eight-thirty"
        return (found.is_half and has_hour(hour, found)) or {wanted[0], 30} <= found.atoms
    return found.atoms.issuperset(wanted)


def missing_numbers(words: Sequence[Word], translation: str) -> list[Word]:
    """The English words with a number, a code or an address that does not stand in the German translation."""
    found = german_numbers(translation)
    return [word for i, word in enumerate(words) if not is_rendered(words, i, translation, found)]


def is_rendered(words: Sequence[Word], i: int, translation: str, found: GermanNumbers) -> bool:
    text = words[i].clean
    if ADDRESS.search(text) or CODE.fullmatch(text):
        return text.lower() in translation.lower()
    if not words[i].is_number:
        return has_number_words(words, i, found)
    return all(has_digits(number, found) for number in NUMBER.findall(text))
