"""What the answers in the browser take from Python: texts, limits, lists of words, patterns.

The constants keep their names, so that a search finds both sides. Patterns are in Python's syntax, which
python_text.js translates.
"""

import base64
import re
from dataclasses import asdict
from types import ModuleType
from typing import Any

from explorer import recording
from explorer.experiments import patching, running, searching
from explorer.experiments import words as experiments_words
from explorer.experiments.experiment import EXPERIMENT, Experiment
from explorer.files import everything, matrix
from explorer.files.everything import describe_model
from explorer.handout import report, sheets
from explorer.page.save import numbers as save_numbers
from explorer.recording import (
    default_step,
    likelihood,
    numbers,
    payload,
    reading,
    splitting,
    vocabulary,
    warnings,
)
from explorer.recording.app_context import AppContext
from explorer.recording.examples import primary_subtag
from explorer.recording.languages import (
    AMBIGUOUS_WORDS,
    COMMON_WORDS,
    DISTINCTIVE_WORDS,
    ENGLISH_LIGHT_WORDS,
    ENGLISH_OPEN_WORDS,
    FUNCTION_WORDS,
)
from explorer.recording.sentence import direction_notes, sides_without_blanks
from explorer.tabs.what_if.heads import panel as heads
from explorer.tabs.what_if.hide import panel as hide
from explorer.tabs.what_if.patch import panel as patch
from explorer.tabs.what_if.search import panel as search
from explorer.ui import questions
from explorer.ui import words as shared_words
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.translations import language_name
from model.languages import Language

HANDOUT_TEXTS = (
    *("REPORT_TITLE", "PRINTING", "LONG", "TARGET", "TEXT", "WORTH", "CHANGES", "EXPERIMENT"),
    *("SHEET_TITLE", "GUESS_HEADER", "KEY_HEADER", "PICTURE", "DRAWING", "CROSSINGS"),
)


def answers_data(app: AppContext) -> dict[str, Any]:
    """Everything that the answers need of a page, in the language in use, after its tabs have added their questions."""
    return {
        "language": LANGUAGE_CONTEXT.get().language,
        "limits": {
            **constants(recording, "LOW_CONFIDENCE", "MAX_CHARACTERS", "MAX_PIECES"),
            **constants(payload, "MAX_WEIGHTS_CHARACTERS"),
            **constants(default_step, "MIN_LETTERS"),
        },
        "questions": {
            "refusals": shared_words.REFUSALS,
            "maxErrorCharacters": questions.MAX_ERROR_CHARACTERS,
            "schemas": app.questions.schemas(),
        },
        "subjects": {example["sentence"]: example["subject"] for example in app.sentences if example["subject"]},
        "sentence": {
            "refusals": recording.words.REFUSALS,
            "notes": recording.words.NOTES,
            "directionNotes": direction_notes(),
            "sidesWithoutBlanks": sides_without_blanks(),
            "tags": app.translator.tokenizer.tags,
        },
        "splitting": splitting_data(source_code()),
        "reading": reading_data(),
        "warnings": warnings_data(source_code()),
        "likelihood": {"measures": likelihood.MEASURES, **constants(likelihood, "UNSURE_PROBABILITY", "MIN_REASON")},
        "whatIf": what_if_data(app),
        "save": save_data(app),
        "handout": handout_data(),
    }


def constants(module: ModuleType, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def source_code() -> str:
    return primary_subtag(LANGUAGE_CONTEXT.get().languages.source)


def splitting_data(source: str) -> dict[str, str]:
    return {
        "boundary": splitting.SENTENCE_BOUNDARY.pattern,
        "abbreviation": splitting.abbreviation_pattern(source).pattern,
        "punctuation": splitting.PUNCTUATION,
    }


def reading_data() -> dict[str, Any]:
    source, names = LANGUAGE_CONTEXT.get().languages.source, ("BROKEN_WORD", "FIRST_LETTER", "SMALL_ENGLISH_I")
    return {
        "isMended": reading.is_mended(source),
        "isEnglish": source_code() == "en",
        "patterns": {
            **{name: getattr(reading, name).pattern for name in names},
            "LETTERS": warnings.LETTERS.pattern,
        },
    }


def warnings_data(source: str) -> dict[str, Any]:
    """Of `words`, `common` is missing where there is no list for the language that the model reads."""
    target = primary_subtag(LANGUAGE_CONTEXT.get().languages.target)
    thresholds = [
        name for name, value in vars(warnings).items() if name.isupper() and isinstance(value, int | float | str)
    ]
    common = {"common": sorted(COMMON_WORDS[source])} if source in COMMON_WORDS else {}
    return {
        "codes": {"source": source, "target": target},
        "replaced": warnings.REPLACED,
        "thresholds": constants(warnings, *thresholds),
        "patterns": patterns(warnings),
        "words": {
            **common,
            "ambiguous": sorted(AMBIGUOUS_WORDS) if source == "en" else [],
            "light": sorted(ENGLISH_LIGHT_WORDS) if source == "en" else [],
            "open": sorted(ENGLISH_OPEN_WORDS) if source == "en" else [],
            "targetFunction": sorted(FUNCTION_WORDS.get(target, ())),
        },
        "distinctive": {code: sorted(words) for code, words in DISTINCTIVE_WORDS.get(source, {}).items()},
        "languageNames": {
            code: language_name(LANGUAGE_CONTEXT.get().language, Language(code, code)) for code in COMMON_WORDS
        },
        "texts": recording.words.WARNINGS,
        "reasons": recording.words.PIECE_REASONS,
        "german": german_data() if (source, target) == ("en", "de") else None,
    }


def patterns(module: ModuleType) -> dict[str, str]:
    return {name: value.pattern for name, value in vars(module).items() if isinstance(value, re.Pattern)}


def german_data() -> dict[str, Any]:
    """What the checks of German take: number words, and the bits of the vocabulary."""
    names = ("HASHES", "FNV_OFFSET", "FNV_PRIME", "LINKS", "MIN_PART", "MAX_PARTS")
    bits = base64.b64encode(vocabulary.vocabulary().bits).decode("ascii")
    return {
        "numbers": {
            "patterns": patterns(numbers),
            "germanNumbers": numbers.GERMAN_NUMBERS,
            "englishNumbers": numbers.ENGLISH_NUMBERS,
        },
        "vocabulary": {**constants(vocabulary, *names), "bits": bits},
    }


def what_if_data(app: AppContext) -> dict[str, Any]:
    """The examples are the sentences over which the heads' means are taken."""
    return {
        "unchanged": asdict(Experiment()),
        "schema": EXPERIMENT.json_schema(),
        "refusals": {**experiments_words.REFUSALS, **experiments_words.PATCHING},
        "examples": [example["sentence"] for example in app.sentences][: running.MAX_EXAMPLES],
        "ranking": {"noPart": heads.words.NO_PART, **constants(heads, "MAX_HEADS_PER_PART")},
        "omission": {
            "refusals": hide.words.REFUSALS,
            **constants(hide, "ROWS_PER_PART", "MIN_PIECES_PER_PART", "TIE"),
        },
        "patching": {
            "refusals": patch.words.REFUSALS,
            **constants(patch, "ROWS_PER_PART", "MIN_PLACES_PER_PART"),
            **constants(patching, "MIN_PREFERENCE_GAP", "MAX_BATCH_ROWS"),
        },
        "searching": {**constants(searching, "MAX_WIDTH"), **constants(search, "SAMPLES")},
    }


def save_data(app: AppContext) -> dict[str, Any]:
    return {
        "refusals": save_numbers.words.REFUSALS,
        "corner": matrix.words.CORNER,
        "readme": everything.words.JSON,
        "npzReadme": everything.words.NPZ,
        "model": describe_model(app.translator, app.folder),
        "MAX_LABEL_CHARS": save_numbers.MAX_LABEL_CHARS,
    }


def handout_data() -> dict[str, Any]:
    """The texts and sizes of what is filled into the templates."""
    return {
        "refusals": {"notes": sheets.words.NOTES, "noView": sheets.words.NO_VIEW, "tooLong": sheets.words.TOO_LONG},
        "MAX_NOTES_CHARACTERS": report.MAX_NOTES_CHARACTERS,
        "view": asdict(report.FIRST_VIEW),
        "viewSchema": report.VIEW_ADAPTER.json_schema(),
        "texts": {name: getattr(sheets.words, name) for name in HANDOUT_TEXTS},
        "kindNames": shared_words.KIND_NAMES,
        "languages": LANGUAGE_CONTEXT.get().attributes(),
        **number_constants(sheets),
    }


def number_constants(module: ModuleType) -> dict[str, int | float]:
    """A module's constants that are numbers."""
    return {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, int | float)}


def handout_templates(app: AppContext) -> dict[str, Any]:
    """The HTML with placeholders, and what every report embeds."""
    translator = app.translator
    return {
        "report": report.report_template(translator),
        "worksheet": report.worksheet_template(),
        "sheets": sheets.sheets_template(translator.model.config.n_heads),
        "settings": report.report_settings(),
    }
