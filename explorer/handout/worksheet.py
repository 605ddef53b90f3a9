"""A worksheet: three A4 pages, two with exercises on the attention of a translation, and the answers.

worksheet_pages.js draws them, from the raw trace: on the page, in a report, and in a file of its own
(worksheet_file.js).
"""

import sys
from html import escape
from pathlib import Path
from typing import Any

from explorer.handout.inline import document, embed_data, fill_placeholders, json_bytes, script_of, style_sheet
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.splitting import joined_words
from explorer.recording.trace import Trace
from explorer.ui import words as shared_words
from explorer.ui.component import fill_template, read_css
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.translations import Translations
from model.decoding import Translator
from model.errors import UserError

FOLDER = Path(__file__).parent
words = Translations(__file__)
TEMPLATE, STYLE = FOLDER / "sheets.html", FOLDER / "sheets.css"
MAX_WORDS = 24  # of the sentence, with its end, and of the translation


def worksheet(translator: Translator, sentence: str) -> str:
    """The HTML of a worksheet, three A4 pages, in the current language.

    Raises UserError with a sentence for the user if the text is invalid, or has too many words for a page.
    """
    trace = Recordings(translator).trace(sentence)
    require_room(trace)
    settings = sheet_settings(translator.model.config.n_heads)
    data = embed_data("worksheet", json_bytes({"trace": trace_json(trace, sys.maxsize), **settings}))
    noscript = f"<noscript>{escape(words.REPORT['noscript'])}</noscript>"
    html = document(
        style_sheet(read_css(STYLE)),
        f"{noscript}<!--embedded-->",
        script_of(FOLDER / "worksheet_file.js", "module.mount();"),
    )
    return fill_placeholders(html, {"title": escape(f"{words.SHEET_TITLE} {trace.sentence}"), "embedded": data})


def require_room(trace: Trace) -> None:
    """Raises UserError if a page has no room for the words of a trace."""
    target = [step.predicted for step in trace.steps]
    translated = [group for group in joined_words(target) if not target[group[0]].special]
    count = max(len(joined_words(trace.source)), len(translated))
    if count > MAX_WORDS:
        raise UserError(words.TOO_LONG.format(words=count, limit=MAX_WORDS))


def worksheet_template() -> str:
    """The HTML of a worksheet that the page makes, with placeholders for its title and its pages."""
    return document(style_sheet(read_css(STYLE)), "<!--sheets-->")


def sheet_settings(heads: int) -> dict[str, Any]:
    """What worksheet_pages.js needs besides a trace of a model with `heads` heads in a layer."""
    return {
        "template": sheets_template(heads),
        "languages": LANGUAGE_CONTEXT.get().attributes(),
        "maxWords": MAX_WORDS,
        "tokenNames": shared_words.TOKEN_NAMES,
        "text": {
            "title": words.SHEET_TITLE,
            "guessHeader": words.GUESS_HEADER,
            "keyHeader": words.KEY_HEADER,
            "picture": words.PICTURE,
            "drawing": words.DRAWING,
            "crossings": words.CROSSINGS,
            "tooLong": words.TOO_LONG,
        },
    }


def sheets_template(heads: int) -> str:
    """The HTML of the pages, with a placeholder for everything that depends on the trace."""
    titles = {name: title for name, (title, _) in words.SHEET.items()}
    tasks = {f"{name}_task": task.format(heads=heads) for name, (_, task) in words.SHEET.items()}
    labels = {
        **dict(zip(("name", "date"), words.BLANKS, strict=True)),
        **dict(zip(("source", "target"), words.SIDES, strict=True)),
        **dict(zip(("crossing_lines", "moved_words"), words.ORDER_BLANKS, strict=True)),
    }
    texts = {"title": words.SHEET_TITLE, "intro": words.INTRO, "thought": words.THOUGHT}
    key = {"key_title": words.KEY_TITLE, "key_intro": words.KEY_INTRO.format(heads=heads)}
    return fill_template(TEMPLATE, {**titles, **tasks, **labels, **texts, **key})
