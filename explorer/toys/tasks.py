"""The toy tasks: endless random pairs over a closed vocabulary, each with one right answer."""

import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from model.languages import Language, Languages
from model.tokenizer import SPECIAL_PIECES, Tokenizer
from model.training.data import Pair

EXTRA_EXAMPLES = 5  # besides the example that is shown during training
HELD_OUT_MODULUS = 10  # one source in ten, chosen by checksum, is only in the test
MIN_DIGITS, MAX_DIGITS = 3, 9  # digits of a source
MAX_NUMBER = 999_999
YEARS = range(1900, 2030)
DAYS_PER_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # without 29 February, so that all years are alike

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


@cache
def tokenizer_of(words: Sequence[str]) -> Tokenizer:
    """A tokenizer with one piece per word; any other word is unknown. The same words give the same model."""
    return Tokenizer.train(words, len(words) + len(SPECIAL_PIECES), kind="word")


@dataclass(frozen=True, eq=False)
class Task:
    """A task. Sources and targets are words separated by spaces; each word is one piece."""

    name: str
    languages: Languages
    words: tuple[str, ...]  # the vocabulary of both sides
    draw: Callable[[random.Random], str]  # returns a random source
    answer: Callable[[str], str]  # returns the right target; raises ValueError if the source is invalid
    example: str  # a held-out source, shown during training

    def pairs(self, rng: random.Random, *, held_out: bool = False) -> Iterator[Pair]:
        """Yields endless pairs: those for training, or the held-out ones."""
        while True:
            source = self.draw(rng)
            if is_held_out(source) == held_out:
                yield Pair(source, self.answer(source))

    def test(self, count: int, seed: int = 0) -> list[Pair]:
        """Returns `count` distinct held-out pairs, the same for the same seed."""
        pairs: dict[str, Pair] = {}
        for pair in self.pairs(random.Random(f"test {self.name} {seed}"), held_out=True):
            pairs[pair.src] = pair
            if len(pairs) == count:
                return list(pairs.values())
        raise AssertionError("pairs end")

    @property
    def examples(self) -> list[str]:
        """Held-out sources to try: the example, and some more."""
        pairs = islice(self.pairs(random.Random(0), held_out=True), EXTRA_EXAMPLES)
        return list(dict.fromkeys([self.example, *(pair.src for pair in pairs)]))

    @property
    def tokenizer(self) -> Tokenizer:
        """A tokenizer with one piece per word."""
        return tokenizer_of(self.words)


def is_held_out(source: str) -> bool:
    """Whether a source is held out for the test; a checksum decides, so the answer never changes."""
    return zlib.crc32(source.encode()) % HELD_OUT_MODULUS == 0


def draw_digits(rng: random.Random) -> str:
    return " ".join(rng.choices(DIGITS, k=rng.randint(MIN_DIGITS, MAX_DIGITS)))


def parse_digits(source: str) -> list[str]:
    """Splits a source into digits. Raises ValueError if it contains anything else."""
    digits = source.split()
    if not digits or not set(digits) <= set(DIGITS):
        raise ValueError(f"{source!r} is no digits with blanks between them")
    return digits


def reverse(source: str) -> str:
    return " ".join(reversed(parse_digits(source)))


def copy(source: str) -> str:
    return " ".join(parse_digits(source))


def sort(source: str) -> str:
    return " ".join(sorted(parse_digits(source)))


def draw_number(rng: random.Random) -> str:
    """A random number in words; all lengths are equally likely, so that the model learns short ones too."""
    return number_words(rng.randrange(10 ** rng.randint(1, len(str(MAX_NUMBER)))))


def number_words(value: int) -> str:
    """A number in English words, without "and" and hyphens: "four hundred two thousand sixteen"."""
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
    """The digits of a number in words. Raises ValueError if it is not one."""
    thousands, separator, rest = f" {' '.join(source.split())} ".partition(" thousand ")
    parts = [thousands.strip(), rest.strip()] if separator else ["zero", thousands.strip()]
    if separator and not parts[1]:
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
    return f"{rng.randint(1, DAYS_PER_MONTH[month])} {MONTHS[month]} {rng.choice(YEARS)}"


def to_iso(source: str) -> str:
    """An ISO 8601 date with separated characters: "1 9 9 8 - 0 5 - 0 3". Raises ValueError if the text is no date."""
    match source.split():
        case [day, month, year] if (
            month in MONTHS
            and year in map(str, YEARS)
            and day in map(str, range(1, DAYS_PER_MONTH[MONTHS.index(month)] + 1))
        ):
            return " ".join(f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}")
    raise ValueError(f"{source!r} is no date such as '3 May 1998'")


def private_languages(source: tuple[str, str], target: tuple[str, str]) -> Languages:
    """A source and a target language with private-use tags ("zxx-x-..."; zxx means no linguistic content)."""
    return Languages(*(Language(f"zxx-x-{code}", name) for code, name in (source, target)))


REVERSE, COPY, SORT = (
    Task(name, private_languages(source, target), tuple(DIGITS), draw_digits, answer, example)
    for name, source, target, answer, example in (
        ("reverse", ("forwards", "Original"), ("backward", "Reversal"), reverse, "2 7 4 3 1 6 0"),
        ("copy", ("original", "Original"), ("copy", "Copy"), copy, "2 7 4 3 1 6 0"),
        ("sort", ("unsorted", "Unsorted digits"), ("sorted", "Sorted digits"), sort, "6 4 9 2 3 2 1"),
    )
)
NUMBERS = Task(
    "numbers",
    private_languages(("spelled", "Number words"), ("digits", "Digits")),
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
