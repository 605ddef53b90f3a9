"""Scripts that are not written as English is: from right to left, without blanks, or with marks above and below.

What a text needs to be shown among others of another direction stands here, and in scripts.js the same for the browser;
a test holds the two together.
"""

import re
import unicodedata

from babel import Locale, UnknownLocaleError

from model.languages import Language

# Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours; the last is what Unicode keeps for such scripts.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Thai, Lao, Myanmar, Khmer; then Chinese and Japanese with their marks, Bopomofo and forms of full and half width.
WITHOUT_BLANKS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f\u3000-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff]"
)
SCRIPT = re.compile("[a-z]{2,8}(?:-[a-z]{3})*-([a-z]{4})(?=-|$)", re.IGNORECASE)  # where a code names it
SCRIPTS_RIGHT_TO_LEFT = ("Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa")
# Languages of those scripts that babel does not know: Arabic of a region, and some of Iran, Pakistan and old books.
CODES_RIGHT_TO_LEFT = re.compile(
    "(abv|acm|acq|acw|acx|adf|aeb|aec|afb|apd|arc|arq|ars|ary|arz|avl|ayh|ayl|ayn|ayp|azb|bqi|glk|hbo|jpr|jrb|khw|pbt|"
    "pga|pnb|prs|sam|shu|ssh|syc)(-|$)",
    re.IGNORECASE,
)
CIRCLE = "◌"  # what stands for the letter that a mark alone has not
ISOLATE, END = "\u2068", "\u2069"  # a text between them has a direction of its own, and leaves others theirs
BLANK = "·"  # how a piece shows that a word begins with it


def direction_of(language: Language) -> str:
    """How a language is written, as HTML's `dir` says it: by its script where that is named, else by what is known."""
    if script := SCRIPT.match(language.code):
        return "rtl" if script[1].title() in SCRIPTS_RIGHT_TO_LEFT else "ltr"
    if CODES_RIGHT_TO_LEFT.match(language.code):
        return "rtl"
    try:
        return "rtl" if Locale.parse(language.code, sep="-").character_order == "right-to-left" else "ltr"
    except (UnknownLocaleError, ValueError):
        return "ltr"


def isolated(text: str) -> str:
    """A text that may stand in a sentence of another direction without moving what is around it.

    One whose parts do already stays as it is.
    """
    return f"{ISOLATE}{text}{END}" if RIGHT_TO_LEFT.search(text) and ISOLATE not in text else text


def without_blanks(text: str) -> bool:
    """Whether a text has letters or marks of a script that puts no blanks between words."""
    return WITHOUT_BLANKS.search(text) is not None


def supported(text: str) -> str:
    """A piece with a dotted circle for a mark at its beginning, which would else stand on whatever is before it."""
    start = text.startswith(BLANK)
    return f"{text[:start]}{CIRCLE}{text[start:]}" if is_mark(text[start : start + 1]) else text


def together(texts: list[str]) -> str:
    """Pieces as one text: a mark stands on the piece before it again."""
    bare = [text[1:] if text.startswith(CIRCLE) and is_mark(text[1:2]) else text for text in texts[1:]]
    return "".join(texts[:1] + bare)


def is_mark(sign: str) -> bool:
    return sign != "" and unicodedata.category(sign).startswith("M")
