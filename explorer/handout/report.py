"""A report: one translation in one HTML file, with all kinds, layers, heads and steps in the page's own viewer.

    python -m explorer.report "A sentence" -o report.html

It opens from the disk, asks nothing of any server, and prints as a worksheet. What somebody typed (the sentence, the
notes, texts of an experiment) stands in it escaped or packed, and a Content-Security-Policy lets no script run but
ours.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLE, viewer_html, viewer_settings
from explorer.attention_view.view import View
from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.handout import words
from explorer.handout.experiment import told
from explorer.handout.inline import carried, hashed, json_bytes, script_of
from explorer.handout.look import look, style_of
from explorer.handout.sheets import STYLE as SHEETS_STYLE
from explorer.handout.sheets import language_attributes, sheets
from explorer.handout.worksheet import TooLong, worksheet_of
from explorer.recording.payload import lengths_payload, trace_payload
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import notes as remarks
from explorer.recording.trace import Trace
from explorer.recording.warnings import warnings
from explorer.ui.component import PLOTLY_JS, filled
from explorer.ui.language import LANGUAGE_CONTEXT
from model.decoding import Translator
from model.parameters import parameter_table
from model.probe import KINDS

FOLDER = Path(__file__).parent
FILE = "report.html"
FIRST = View(level="heads")
PLACE = re.compile(r"<!--(\w+)-->")


def report(translator: Translator, sentence: str, *, experiment: Experiment | None = None, notes: str = "") -> str:
    """The HTML of a report, in the voice in force (explorer/ui/language.py).

    With an experiment, its translation stands beside the unchanged one. Raises ValueError, with a sentence that can be
    shown, where the text or the experiment is refused.
    """
    return report_of(Laboratory(Recordings(translator)), sentence, experiment, notes)


def report_of(
    laboratory: Laboratory, sentence: str, experiment: Experiment | None = None, notes: str = "", view: View = FIRST
) -> str:
    """The same, of what may have been recorded already, opening in a view."""
    trace = laboratory.recordings.trace(sentence)
    changed = laboratory.trace(sentence, experiment) if experiment and experiment != Experiment() else None
    shown = carried_by(laboratory, trace, changed, view)
    try:
        sheet = sheets(worksheet_of(trace))
    except TooLong:
        sheet = ""
    body = placed(
        filled((FOLDER / "report.html").read_text(encoding="utf-8"), page_words(laboratory.translator)),
        {
            "sentence": escape(trace.sentence),
            "translations": translations(trace, changed),
            "experiment": changes(told(experiment, changed, laboratory.translator)) if experiment and changed else "",
            "notes": escape(notes),
            "printing": escape(words.PRINTING if sheet else words.LONG),
        },
    )
    data = "".join(carried(name, text) for name, text in shown.items())
    return document(
        words.REPORT_TITLE.format(sentence=trace.sentence),
        style_of(STYLE, FOLDER / "report.css", SHEETS_STYLE),
        body + sheet + data,
        script_of(FOLDER / "report.js", "module.mount();"),
    )


def worksheet(translator: Translator, sentence: str) -> str:
    """The HTML of a worksheet alone, three A4 sides, in the voice in force. Raises ValueError as `report` does.

    A sentence of more words than a side has room for is refused, too.
    """
    return worksheet_page(Recordings(translator).trace(sentence))


def worksheet_page(trace: Trace) -> str:
    title = f"{words.SHEET_TITLE} {trace.sentence}"
    return document(title, style_of(SHEETS_STYLE), sheets(worksheet_of(trace)))


def document(title: str, style: str, body: str, script: str = "") -> str:
    """A page on its own: nothing but this script runs in it, and nothing is fetched."""
    allowed = f"script-src {hashed(script)} blob:;" if script else ""
    policy = f"default-src 'none'; {allowed} style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'"
    return (
        f'<!doctype html>\n<html lang="{LANGUAGE_CONTEXT.get().language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{look(style)}</style>\n</head>\n<body>\n{body}"
        + (f'<script type="module">{script}</script>\n' if script else "")
        + "</body>\n</html>\n"
    )


def placed(html: str, parts: Mapping[str, str]) -> str:
    """HTML with others in the place of comments that name them; what is put in is not looked through again."""
    return PLACE.sub(lambda match: parts[match[1]], html)


def page_words(translator: Translator) -> dict[str, str]:
    config, (whole, *_) = translator.model.config, parameter_table(translator.model)
    sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
    made = words.MADE.format(**sizes, parameters=whole.parameters / 1e6)
    return {**words.REPORT, "viewer": viewer_html(), "made": escape(made)}


def translations(trace: Trace, changed: Trace | None) -> str:
    """HTML of the German, with an experiment of both and what each is worth to its own run."""
    if changed is None:
        return f"<dt>{escape(words.TARGET)}</dt><dd{language_attributes('target')}>{escape(trace.translation)}</dd>"

    def line(name: str, found: Trace) -> str:
        worth = words.WORTH.format(total=found.log_probability)
        text = (
            f"<span{language_attributes('target')}>{escape(found.translation)}</span> <small>({escape(worth)})</small>"
        )
        return f"<dt>{escape(words.TEXT[name])}</dt><dd>{text}</dd>"

    return line("unchanged", trace) + line("changed", changed)


def changes(lines: list[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<div class="changes"><strong>{escape(words.CHANGES)}</strong><ul>{items}</ul></div>'


def carried_by(laboratory: Laboratory, trace: Trace, changed: Trace | None, view: View) -> dict[str, bytes]:
    """What the browser unpacks: the report, Plotly, and the lengths of each kind, which only an unchanged run has."""
    shown: dict[str, Any] = {
        "settings": {**viewer_settings(), "lengths": changed is None},
        "view": asdict(view),
        "trace": payload(trace),
        "experiment": changed and {"trace": payload(changed), "pairs": pair_pieces(trace, changed)._asdict()},
        "text": {"file": FILE, "names": words.NAMES},
    }
    whole = laboratory.recordings.forward_pass(trace.sentence)
    lengths = {f"lengths-{kind}": lengths_payload(whole, kind).encode() for kind in KINDS} if changed is None else {}
    return {"report": json_bytes(shown), "plotly": PLOTLY_JS.read_bytes(), **lengths}


def payload(trace: Trace) -> dict[str, Any]:
    """All of a trace, however large."""
    return json.loads(trace_payload(trace, remarks(trace), max_characters=10**9, warnings=warnings(trace)))
