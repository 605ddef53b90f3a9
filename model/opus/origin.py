"""Where a converted model comes from, and between which languages it translates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.core import get_global

from model.files import read_text
from model.languages import CODE, NAME, Language, Languages

CARD, MAX_CARD_BYTES = "README.md", 4_000_000  # bytes
LICENCE = re.compile(r"^license:[ \t]*['\"]?([\w.+-]{1,60})['\"]?[ \t]*$", re.M)
LANGUAGES_EXAMPLE = "en:English fr:French"  # how they are named by hand

# Groups of languages that OPUS-MT has models for; babel knows single languages alone.
GROUPS = {
    "afa": "Afro-Asiatic",
    "bat": "Baltic",
    "bnt": "Bantu",
    "cel": "Celtic",
    "dra": "Dravidian",
    "fiu": "Finno-Ugrian",
    "gem": "Germanic",
    "gmq": "North Germanic",
    "gmw": "West Germanic",
    "iir": "Indo-Iranian",
    "inc": "Indic",
    "ine": "Indo-European",
    "itc": "Italic",
    "roa": "Romance",
    "sem": "Semitic",
    "sla": "Slavic",
    "trk": "Turkic",
    "urj": "Uralic",
    "zle": "East Slavic",
    "zls": "South Slavic",
    "zlw": "West Slavic",
}
OTHER_CODES = {"ROMANCE": "roa", "SCANDINAVIA": "gmq", "CELTIC": "cel"}


@dataclass(frozen=True)
class Origin:
    """Empty where it is not known."""

    repository: str  # on the Hugging Face Hub, or the name of a folder
    revision: str = ""  # its commit
    licence: str = ""  # as the Hub calls it

    @property
    def sentence(self) -> str:
        """For the record and the page; English, as all records are."""
        at = f" (commit {self.revision[:12]})" if self.revision else ""
        licence = f"Its licence: {self.licence}." if self.licence else "Its licence is not recorded: look there."
        project = " of the OPUS-MT project, which learned from the OPUS collection of parallel texts"
        known = project if self.repository.rpartition("/")[2].startswith("opus-mt") else ""
        return f"Not trained here: converted from {self.repository}{at}, a Marian model{known}. {licence}"


def read_licence(folder: Path) -> str:
    """The licence that a model card names in the block of metadata in front of it, or an empty text."""
    if not (folder / CARD).is_file():
        return ""
    try:
        block = re.match(r"---\r?\n(.*?)\n---", read_text(folder / CARD, MAX_CARD_BYTES, encoding="utf-8"), re.S)
    except UnicodeDecodeError:
        return ""  # a card that is no text names none
    found = LICENCE.search(block[1]) if block else None
    return found[1] if found else ""


def languages_of_repository(origin: Origin, told: Mapping[str, Any], tag: str) -> Languages:
    """By the tokenizer's configuration, or else by the repository's name; the tag says into which of several.

    Raises ValueError where neither tells.
    """
    name = origin.repository.rpartition("/")[2]
    by_name = name.split("-")[-2:] if name.startswith("opus-mt") and name.count("-") > 2 else (None, None)
    named = zip((told.get("source_lang"), tag[2:-2] or told.get("target_lang")), by_name, strict=True)
    codes = [said if isinstance(said, str) and said else other for said, other in named]
    found = [language_from_code(code) if code else None for code in codes]
    if found[0] is None or found[1] is None:
        raise ValueError(
            f"neither its files nor its name tell its languages: name them with --languages {LANGUAGES_EXAMPLE}"
        )
    return Languages(found[0], found[1])


def language_from_code(code: str) -> Language | None:
    """By a code of the OPUS-MT project: "fr", "fra", "cmn_Hans", "ROMANCE".

    None where it cannot be the code of one language; "cat_oci_spa" are three.
    """
    first, *others = OTHER_CODES.get(code, code).replace("_", "-").split("-")
    if any(len(other) == 3 and other.isalpha() and other.islower() for other in others):
        return None
    known = get_global("language_aliases").get(first, first).replace("_", "-") if first.islower() else first
    code = "-".join([known, *others])
    if not CODE.fullmatch(code):
        return None
    if code in GROUPS:
        return Language(code, f"{GROUPS[code]} languages")
    if code == "mul":
        return Language(code, "several languages")
    try:
        name = Locale.parse(code, sep="-").get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        name = code
    return Language(code, name if NAME.fullmatch(name) else code)
