"""What reports and worksheets in the browser take from Python: templates of HTML, texts, sizes."""

from dataclasses import asdict
from types import ModuleType
from typing import Any

from explorer.handout import answer, report, sheets, words, worksheet
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words
from explorer.ui.language import LANGUAGE_CONTEXT

TEXTS = (
    "REPORT_TITLE",
    "PRINTING",
    "LONG",
    "TARGET",
    "TEXT",
    "WORTH",
    "CHANGES",
    "EXPERIMENT",
    "SHEET_TITLE",
    "GUESS_HEADER",
    "KEY_HEADER",
    "PICTURE",
    "DRAWING",
    "CROSSINGS",
)


def handout_data() -> dict[str, Any]:
    """The texts and sizes of what is filled into the templates."""
    return {
        "refusals": {"notes": words.NOTES, "noView": words.NO_VIEW, "tooLong": words.TOO_LONG},
        "MAX_NOTES_CHARACTERS": answer.MAX_NOTES_CHARACTERS,
        "view": asdict(report.FIRST_VIEW),
        "viewSchema": answer.VIEW_ADAPTER.json_schema(),
        "texts": {name: getattr(words, name) for name in TEXTS},
        "kindNames": shared_words.KIND_NAMES,
        "languages": LANGUAGE_CONTEXT.get().attributes(),
        **numbers(worksheet),
        **numbers(sheets),
    }


def numbers(module: ModuleType) -> dict[str, int | float]:
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
