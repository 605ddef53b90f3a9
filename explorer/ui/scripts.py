"""Support for scripts that differ from English: right to left, without spaces, or with combining marks.

scripts.js has the same functions for the browser; a test compares the two.
"""

import re
import unicodedata

from babel import Locale, UnknownLocaleError
from babel.core import get_global

from model.languages import Language

# Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours; the last is what Unicode keeps for such scripts.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Thai, Lao, Myanmar, Khmer; then Chinese and Japanese with their marks, Bopomofo and forms of full and half width.
WITHOUT_BLANKS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f\u3000-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff]"
)
SCRIPT = re.compile("[a-z]{2,8}(?:-[a-z]{3})*-([a-z]{4})(?=-|$)", re.IGNORECASE)  # in a language code
SCRIPTS_RIGHT_TO_LEFT = ("Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa")
SCRIPTS_WITHOUT_BLANKS = (
    *("Bopo", "Hani", "Hans", "Hant", "Hira", "Hrkt", "Jpan", "Kana"),
    *("Khmr", "Laoo", "Mymr", "Thai"),
)
# Right-to-left languages that babel does not know: Arabic of a region, and some of Iran, Pakistan and old books.
CODES_RIGHT_TO_LEFT = re.compile(
    "(abv|acm|acq|acw|acx|adf|aeb|aec|afb|apd|arc|arq|ars|ary|arz|avl|ayh|ayl|ayn|ayp|azb|bqi|glk|hbo|jpr|jrb|khw|pbt|"
    "pga|pnb|prs|sam|shu|ssh|syc)(-|$)",
    re.IGNORECASE,
)
CIRCLE = "◌"  # the base of a mark without a letter
ISOLATE, END = "\u2068", "\u2069"  # isolate the direction of the text between them
BLANK = "·"  # marks a piece that begins a word


def direction_of(language: Language) -> str:
    """The direction of a language for HTML's `dir`: from the script in its code, else from known languages."""
    if script := SCRIPT.match(language.code):
        return "rtl" if script[1].title() in SCRIPTS_RIGHT_TO_LEFT else "ltr"
    if CODES_RIGHT_TO_LEFT.match(language.code):
        return "rtl"
    try:
        return "rtl" if Locale.parse(language.code, sep="-").character_order == "right-to-left" else "ltr"
    except (UnknownLocaleError, ValueError):
        return "ltr"


def is_written_without_blanks(language: Language) -> bool:
    """Whether a language has no blanks between words: by the script in its code, else by its usual one."""
    primary, *_ = language.code.lower().split("-")
    usual = get_global("likely_subtags").get(primary, "").split("_")
    script = SCRIPT.match(language.code)
    return (script[1].title() if script else usual[1] if len(usual) > 1 else "") in SCRIPTS_WITHOUT_BLANKS


def isolate(text: str) -> str:
    """The text with direction isolates if it is right to left, for use in a sentence of another direction.

    A text that already has isolates stays the same.
    """
    return f"{ISOLATE}{text}{END}" if RIGHT_TO_LEFT.search(text) and ISOLATE not in text else text


def lacks_blanks(text: str) -> bool:
    """Whether a text has characters of a script without spaces between words."""
    return WITHOUT_BLANKS.search(text) is not None


def add_mark_base(text: str) -> str:
    """The piece with a dotted circle as the base of a mark at its beginning, if there is one."""
    start = text.startswith(BLANK)
    return f"{text[:start]}{CIRCLE}{text[start:]}" if is_mark(text[start : start + 1]) else text


def join_pieces(texts: list[str]) -> str:
    """Joins pieces into a text and removes the circles of marks that have a base again."""
    bare = [text[1:] if text.startswith(CIRCLE) and is_mark(text[1:2]) else text for text in texts[1:]]
    return "".join(texts[:1] + bare)


def is_mark(sign: str) -> bool:
    return sign != "" and unicodedata.category(sign).startswith("M")
