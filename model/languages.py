"""The two languages of a translator, as its checkpoint's record names them."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Language(NamedTuple):
    """A language by its code (BCP 47: "en", "pt-BR") and its English name."""

    code: str
    name: str


class Languages(NamedTuple):
    """What a translator reads, and what it writes."""

    source: Language
    target: Language


ENGLISH_TO_GERMAN = Languages(Language("en", "English"), Language("de", "German"))


def languages_of(record: Mapping[str, Any]) -> Languages:
    """Those under "languages" of a training record, {"source": {"code", "name"}, "target": ...}.

    A record without them is that of a translator from English to German, as all were before records named them.
    """
    if "languages" not in record:
        return ENGLISH_TO_GERMAN
    named = record["languages"]
    return Languages(*(Language(named[side]["code"], named[side]["name"]) for side in Languages._fields))
