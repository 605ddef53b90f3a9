"""The origin of a converted model: its repository, licence and languages."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.core import get_global

from model.checkpoints.record import Origin
from model.errors import UserError
from model.files import read_bytes
from model.languages import CODE, NAME, Language, Languages

CARD, MAX_CARD_BYTES = "README.md", 4_000_000  # bytes
LICENCE = re.compile(r"^license:[ \t]*['\"]?([\w.+-]{1,60})['\"]?[ \t]*$", re.M)
LANGUAGES_EXAMPLE = "en:English fr:French"

# Groups of languages for which OPUS-MT has models; babel knows only single languages.
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


def origin_sentence(origin: Origin) -> str:
    """The origin as a sentence in English, for the record and the page."""
    at = f" (commit {origin.revision[:12]})" if origin.revision else ""
    licence = f"Its licence: {origin.licence}." if origin.licence else "Its licence is not recorded: look there."
    project = " of the OPUS-MT project, which learned from the OPUS collection of parallel texts"
    known = project if origin.repository.rpartition("/")[2].startswith("opus-mt") else ""
    return f"Not trained here: converted from {origin.repository}{at}, a Marian model{known}. {licence}"


def returned_sentence(origin: Origin) -> str:
    """What is said of a model of ours that was exported and came back."""
    return (
        f"Imported from {origin.repository}, where python -m model.opus --export wrote it for other tools. How it was "
        "trained, and under which licence it is, stands in the checkpoint that was exported."
    )


def read_licence(folder: Path) -> str:
    """The licence in the metadata of a model card, or an empty text."""
    if not os.path.lexists(folder / CARD):
        return ""
    card = read_bytes(folder / CARD, MAX_CARD_BYTES).decode("utf-8", "replace")
    block = re.match(r"---\r?\n(.*?)\n---", card, re.S)
    match = LICENCE.search(block[1]) if block else None
    return match[1] if match else ""


def languages_of_repository(origin: Origin, config: Mapping[str, Any], tag: str) -> Languages:
    """The languages in the tokenizer's configuration, or else in the repository's name; a tag overrides the target.

    Raises UserError if neither names them.
    """
    name = origin.repository.rpartition("/")[2]
    by_name = name.split("-")[-2:] if name.startswith("opus-mt") and name.count("-") > 2 else (None, None)
    configured = (config.get("source_lang"), tag[2:-2] or config.get("target_lang"))
    codes = [code if isinstance(code, str) and code else other for code, other in zip(configured, by_name, strict=True)]
    source, target = (language_from_code(code) if code else None for code in codes)
    if source is None or target is None:
        raise UserError(
            f"neither its files nor its name tell its languages: name them with --languages {LANGUAGES_EXAMPLE}"
        )
    return Languages(source, target)


def language_from_code(code: str) -> Language | None:
    """The language of an OPUS-MT code: "fr", "fra", "cmn_Hans", "ROMANCE".

    None if the code is not that of a single language or group; "cat_oci_spa" are three.
    """
    first, *others = OTHER_CODES.get(code, code).replace("_", "-").split("-")
    if any(len(other) == 3 and other.isalpha() and other.islower() for other in others):
        return None
    primary = get_global("language_aliases").get(first, first).replace("_", "-") if first.islower() else first
    code = "-".join([primary, *others])
    if not re.fullmatch(CODE, code):
        return None
    if code in GROUPS:
        return Language(code, f"{GROUPS[code]} languages")
    if code == "mul":
        return Language(code, "several languages")
    try:
        name = Locale.parse(code, sep="-").get_display_name("en") or code
    except (UnknownLocaleError, ValueError):
        name = code
    return Language(code, name if re.fullmatch(NAME, name) else code)
