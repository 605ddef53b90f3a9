"""Tidying: source sentences get the quotes, dashes and blanks of the text that the model learned from.

People type and paste quotes, dashes and blanks in many ways. Rules unify them, before training and before every
translation, so that the model need not learn all variants. They depend on the source language: English has no blank
before "?", French has one, Japanese has none anywhere.

The record of a checkpoint names its rules under "tidying"; without that, its source language decides. "none" changes
nothing, for models that were trained elsewhere.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Literal

from model.languages import Language, languages_of

Rules = Callable[[str], str]
RulesName = Literal["en", "de", "fr", "latin", "plain", "none"]

QUOTES_AND_DASHES = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),  # quotes, prime, accents used as apostrophes
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2013\u2212", "-"),  # hyphens, en dash, minus
    "\u2014": " - ",  # an em dash stands between words without blanks
    **dict.fromkeys("\u2044\u2215", "/"),  # of a fraction
}
TYPEWRITER = str.maketrans(QUOTES_AND_DASHES)
GUILLEMETS = str.maketrans({**QUOTES_AND_DASHES, **dict.fromkeys("«»", '"'), **dict.fromkeys("‹›", "'")})
# Characters without a width, or with a direction alone. Joiners, fillers and selectors may change how the letters of
# some scripts are read, and a blank of no width parts the words of others.
FORMATS = "\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U0001d173-\U0001d17a"
JOINERS = (
    "\u034f\u17b4\u17b5\ufe00-\ufe0f\u180b-\u180f\u115f\u1160\u200b-\u200d\u3164\uffa0\U0001bca0-\U0001bca3"
    "\U000e0000-\U000e0fff"
)
FORMAT = re.compile(f"[{FORMATS}]")
INVISIBLE = re.compile(f"[{FORMATS}{JOINERS}]")
FRACTION = re.compile("([0-9]?)([\u00bc-\u00be\u2150-\u215e\u2189])")

BLANK_BEFORE_MARK = re.compile(r"\s+(?=[.,?!;:\u2026]+(?:[\s'\"]|$))")
# A full stop only between sentences: "Ph.D." and "p.m." stay as they are.
MARK_BEFORE_WORD = re.compile(r"(?<=[a-z])[,?!](?=[A-Za-z])|(?<=[a-z]{2})\.(?=[A-Z])")
LETTER = r"[^\W\d_]"
COMMA_BEFORE_WORD = re.compile(rf"(?<={LETTER})[,?!](?={LETTER})")
STOP_BEFORE_WORD = re.compile(rf"(?<={LETTER}{LETTER})\.(?={LETTER})")
INSIDE_GUILLEMETS = re.compile(r"(?<=[«‹])\s+|\s+(?=[»›])")
HIGH_MARK = re.compile(r"(?<=\S)\s*([?!;:]+)(?=[\s'\"]|$)")


def english(source: str) -> str:
    """Tidies an English sentence: plain quotes and dashes, no blanks before marks, and one after them.

    SentencePiece's own normalisation (NFKC) reduces runs of blanks to one, and makes three dots of an ellipsis.
    """
    source = BLANK_BEFORE_MARK.sub("", spelled(source).translate(TYPEWRITER))
    return MARK_BEFORE_WORD.sub(r"\g<0> ", source)


def latin(source: str) -> str:
    """The same for other languages in Latin letters, with any accents."""
    return add_missing_blanks(BLANK_BEFORE_MARK.sub("", spelled(source).translate(TYPEWRITER)))


def german(source: str) -> str:
    """The same, with guillemets as quotes, too."""
    return add_missing_blanks(BLANK_BEFORE_MARK.sub("", spelled(source).translate(GUILLEMETS)))


def french(source: str) -> str:
    """Guillemets become quotes without inner blanks; ?, !, ; and : have one blank before them, as printed in French."""
    plain = INSIDE_GUILLEMETS.sub("", spelled(source)).translate(GUILLEMETS)
    return HIGH_MARK.sub(r" \1", add_missing_blanks(BLANK_BEFORE_MARK.sub("", plain)))


def plain(source: str) -> str:
    """Removes invisible characters but joiners, for any script; SentencePiece itself normalises characters (NFKC)."""
    return FORMAT.sub("", source)


def spelled(source: str) -> str:
    """Removes all invisible characters and spells fractions: 1½ is "1 1/2", not SentencePiece's "11/2"."""
    return FRACTION.sub(spell_fraction, INVISIBLE.sub("", source))


def spell_fraction(fraction: re.Match[str]) -> str:
    digit, sign = fraction.groups()
    return (f"{digit} " if digit else "") + unicodedata.normalize("NFKC", sign)


def add_missing_blanks(source: str) -> str:
    """Adds missing blanks after marks, but after a full stop only at the end of a sentence: "z.B." does not change."""
    source = COMMA_BEFORE_WORD.sub(lambda mark: mark[0] + " " * mark.string[mark.start() - 1].islower(), source)
    return STOP_BEFORE_WORD.sub(lambda mark: ". " if is_sentence_end(mark.string, mark.start()) else ".", source)


def is_sentence_end(text: str, stop: int) -> bool:
    """Whether the full stop at an index follows two small letters and precedes a capital."""
    return text[stop - 2 : stop].islower() and text[stop + 1].isupper()


RULES: dict[RulesName, Rules] = {
    "en": english,
    "de": german,
    "fr": french,
    "latin": latin,
    "plain": plain,
    "none": str,
}
MOSTLY_LATIN = (
    "af br bs ca co cs cy da es et eu fi fo fy ga gd gl hr ht hu id is it lb lt lv mg ms mt nb nl nn no oc pl pt rm ro "
    "sk sl sq sv sw tl tr vi"
)  # codes of languages


def rules_for(source: Language) -> RulesName:
    """The name of the rules for a language, by its code, which may name its script ("sr-Latn")."""
    primary, *others = source.code.lower().split("-")
    script = next((part for part in others if len(part) == 4 and part.isalpha()), None)
    if script not in (None, "latn"):
        return "plain"
    if primary in ("en", "de", "fr"):
        return primary
    return "latin" if script or primary in MOSTLY_LATIN.split() else "plain"


def rules_of(record: Mapping[str, Any]) -> RulesName:
    """The name of a checkpoint's rules."""
    return record.get("tidying") or rules_for(languages_of(record).source)
