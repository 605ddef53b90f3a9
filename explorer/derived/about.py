"""What the page needs to know of the model and its languages to say something about a translation."""

from importlib import resources
from typing import Any

from explorer.derived import words
from explorer.recording.app_context import AppContext
from explorer.recording.examples import primary_subtag
from explorer.recording.word_lists import (
    AMBIGUOUS_WORDS,
    COMMON_WORDS,
    DISTINCTIVE_WORDS,
    ENGLISH_LIGHT_WORDS,
    ENGLISH_OPEN_WORDS,
    FUNCTION_WORDS,
    WORDS_IN_NAMES,
)
from explorer.ui import words as shared_words
from explorer.ui.component import GERMAN_WORDS, url
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.scripts import is_written_without_blanks
from explorer.ui.translations import language_name
from model.languages import Language
from model.tidying import rules_for

SENSES = resources.files("assets") / "senses.tsv"  # explorer/derived/senses.js


def about_model(app: AppContext) -> dict[str, Any]:
    """The `about` of explorer/ui/model.js, in the language in use."""
    return {**about_translations(app.translator.record.get("likelihood")), "subjects": app.subjects}


def about_translations(fit: dict[str, Any] | None = None) -> dict[str, Any]:
    """What remarks on translations between the languages in use need; `fit` is that of the likelihood."""
    languages = LANGUAGE_CONTEXT.get().languages
    source, target = (primary_subtag(language) for language in (languages.source, languages.target))
    return {
        "code": source,
        "codes": {"source": source, "target": target},
        "tokenNames": shared_words.TOKEN_NAMES,
        "isMended": rules_for(languages.source) != "plain",  # written in Latin letters, unlike the language of toys
        "fit": fit,
        "germanWords": url(GERMAN_WORDS) if (source, target) == ("en", "de") else None,
        "notes": {
            "texts": words.NOTES,
            "directions": direction_notes(),
            "sidesWithoutBlanks": sides_without_blanks(),
        },
        "warnings": warning_words(source, target),
    }


def warning_words(source: str, target: str) -> dict[str, Any]:
    """The texts of warnings, and the lists of words that they look into; "common" is missing without a list."""
    is_english = source == "en"
    common = {"common": sorted(COMMON_WORDS[source])} if source in COMMON_WORDS else {}
    page_language = LANGUAGE_CONTEXT.get().language
    return {
        "texts": words.WARNINGS,
        "reasons": words.PIECE_REASONS,
        "words": {
            **common,
            "ambiguous": sorted(AMBIGUOUS_WORDS) if is_english else [],
            "inNames": sorted(WORDS_IN_NAMES) if is_english else [],
            "light": sorted(ENGLISH_LIGHT_WORDS) if is_english else [],
            "open": sorted(ENGLISH_OPEN_WORDS) if is_english else [],
            "targetFunction": sorted(FUNCTION_WORDS.get(target, ())),
        },
        "senses": sense_lines() if (source, target) == ("en", "de") else [],
        "distinctive": {code: sorted(listed) for code, listed in DISTINCTIVE_WORDS.get(source, {}).items()},
        "languageNames": {code: language_name(page_language, Language(code, code)) for code in COMMON_WORDS},
    }


def sense_lines() -> list[str]:
    """The lines of the list of English words with several meanings, without its comments."""
    return [line for line in SENSES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def sides_without_blanks() -> list[str]:
    """The sides ("source", "target") whose language has no blanks between words."""
    languages = LANGUAGE_CONTEXT.get().languages._asdict()
    return [side for side, language in languages.items() if is_written_without_blanks(language)]


def direction_notes() -> list[str]:
    """A remark on mirrored axes if a language is written from right to left."""
    mirrored = [side for side, direction in LANGUAGE_CONTEXT.get().directions().items() if direction == "rtl"]
    return [words.NOTES[f"{'both' if len(mirrored) > 1 else mirrored[0]}_turned"]] if mirrored else []
