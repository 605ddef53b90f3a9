"""The tasks: pairs without end from a random generator, each with one right answer, of a closed set of words."""

import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from model.languages import Language, Languages
from model.tokenizer import SPECIAL_PIECES, Tokenizer
from model.training.data import Pair


@cache
def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """Every word is a piece that begins a word; any other word is unknown. The same words give the same model."""
    return Tokenizer.train(words, len(words) + len(SPECIAL_PIECES), kind="word")


EXTRA_EXAMPLES = 5  # examples of a toy beside that which was looked at while it learnt
HELD_OUT_MODULUS = 10  # every so many-th question, by its checksum, is asked in the test alone
MIN_DIGITS, MAX_DIGITS = 3, 9  # digits of a question
MAX_NUMBER = 999_999
YEARS = range(1900, 2030)
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # 29 February is left out, so that every year has it or none

DIGITS = [str(digit) for digit in range(10)]
MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]
ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@dataclass(frozen=True, eq=False)
class Task:
    """Something to learn. Sources and targets are words with a blank between them, each of which is one piece."""

    name: str
    languages: Languages
    words: tuple[str, ...]  # all there are, of both sides
    draw: Callable[[random.Random], str]  # a source
    answer: Callable[[str], str]  # the right target of a source; ValueError where it is none of this task
    example: str  # a held-out source that is looked at while it is learnt

    def pairs(self, rng: random.Random, *, held_out: bool = False) -> Iterator[Pair]:
        """Pairs without end: those to train on, or those that are never trained on."""
        while True:
            source = self.draw(rng)
            if is_held_out(source) == held_out:
                yield Pair(source, self.answer(source))

    def test(self, count: int, seed: int = 0) -> list[Pair]:
        """So many different held-out pairs, the same for the same seed."""
        found: dict[str, Pair] = {}
        for pair in self.pairs(random.Random(f"test {self.name} {seed}"), held_out=True):
            found[pair.src] = pair
            if len(found) == count:
                return list(found.values())
        raise AssertionError("pairs end")

    @property
    def examples(self) -> list[str]:
        """Sources to begin with: the one that was looked at, and some more that it never trained on."""
        drawn = islice(self.pairs(random.Random(0), held_out=True), EXTRA_EXAMPLES)
        return list(dict.fromkeys([self.example, *(pair.src for pair in drawn)]))

    @property
    def tokenizer(self) -> Tokenizer:
        """A SentencePiece model of its words."""
        return tokenizer_of(self.words)


def is_held_out(source: str) -> bool:
    """Whether a source belongs to the test; the checksum of its text says so, the same everywhere and always."""
    return zlib.crc32(source.encode()) % HELD_OUT_MODULUS == 0


def draw_digits(rng: random.Random) -> str:
    return " ".join(rng.choices(DIGITS, k=rng.randint(MIN_DIGITS, MAX_DIGITS)))


def parse_digits(source: str) -> list[str]:
    """Raises ValueError where a text is no digits with blanks between them."""
    found = source.split()
    if not found or not set(found) <= set(DIGITS):
        raise ValueError(f"{source!r} is no digits with blanks between them")
    return found


def reverse(source: str) -> str:
    return " ".join(reversed(parse_digits(source)))


def copy(source: str) -> str:
    return " ".join(parse_digits(source))


def sort(source: str) -> str:
    return " ".join(sorted(parse_digits(source)))


def draw_number(rng: random.Random) -> str:
    """A number in words; as many of one digit as of six, so that short ones are learnt, too."""
    return number_words(rng.randrange(10 ** rng.randint(1, len(str(MAX_NUMBER)))))


def number_words(value: int) -> str:
    """English, without "and" and hyphens: "four hundred two thousand sixteen"."""
    if value < 20:
        return ONES[value]
    if value < 100:
        return " ".join([TENS[value // 10 - 2], *([ONES[value % 10]] if value % 10 else [])])
    size, name = (1000, "thousand") if value >= 1000 else (100, "hundred")
    return " ".join([number_words(value // size), name, *([number_words(value % size)] if value % size else [])])


@cache
def numbers_by_words() -> Mapping[str, int]:
    """The numbers below a thousand by their words."""
    return {number_words(value): value for value in range(1000)}


def to_digits(source: str) -> str:
    """Raises ValueError where a text is no number in words."""
    thousands, comma, rest = f" {' '.join(source.split())} ".partition(" thousand ")
    parts = [thousands.strip(), rest.strip()] if comma else ["zero", thousands.strip()]
    if comma and not parts[1]:
        parts[1] = "zero"
    try:
        value = sum(numbers_by_words()[part] * size for part, size in zip(parts, (1000, 1), strict=True))
    except KeyError as error:
        raise ValueError(f"{source!r} is no number in words") from error
    if number_words(value) != " ".join(source.split()):
        raise ValueError(f"{source!r} is no number in words")
    return " ".join(str(value))


def draw_date(rng: random.Random) -> str:
    month = rng.randrange(12)
    return f"{rng.randint(1, DAYS[month])} {MONTHS[month]} {rng.choice(YEARS)}"


def to_iso(source: str) -> str:
    """ISO 8601 with its signs apart: "1 9 9 8 - 0 5 - 0 3". Raises ValueError where a text is no date of the task."""
    match source.split():
        case [day, month, year] if (
            month in MONTHS and year in map(str, YEARS) and day in map(str, range(1, DAYS[MONTHS.index(month)] + 1))
        ):
            return " ".join(f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}")
    raise ValueError(f"{source!r} is no date such as '3 May 1998'")


def private_languages(source: tuple[str, str], target: tuple[str, str]) -> Languages:
    """What is read and what is written, as languages without linguistic content ("zxx") for private use ("x")."""
    return Languages(*(Language(f"zxx-x-{code}", name) for code, name in (source, target)))


REVERSE, COPY, SORT = (
    Task(name, private_languages(source, target), tuple(DIGITS), draw_digits, answer, example)
    for name, source, target, answer, example in (
        ("reverse", ("forwards", "Forwards"), ("backward", "Backwards"), reverse, "2 7 4 3 1 6 0"),
        ("copy", ("original", "Original"), ("copy", "Copy"), copy, "2 7 4 3 1 6 0"),
        ("sort", ("unsorted", "Unsorted"), ("sorted", "Sorted"), sort, "6 4 9 2 3 2 1"),
    )
)
NUMBERS = Task(
    "numbers",
    private_languages(("spelled", "Spelled out"), ("digits", "Digits")),
    (*DIGITS, *ONES, *TENS, "hundred", "thousand"),
    draw_number,
    to_digits,
    "five thousand forty seven",
)
DATES = Task(
    "dates",
    private_languages(("date", "Date"), ("isodate", "ISO date")),
    tuple(dict.fromkeys([*DIGITS, "-", *map(str, range(1, 32)), *MONTHS, *map(str, YEARS)])),
    draw_date,
    to_iso,
    "9 May 1984",
)
TASKS = {task.name: task for task in (REVERSE, COPY, SORT, NUMBERS, DATES)}
