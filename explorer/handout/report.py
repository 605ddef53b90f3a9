"""A report: one translation in one HTML file, with the attention of all kinds, layers, heads and steps.

    python -m explorer.report "A sentence" -o report.html

It opens from the disk without a server, and prints as a worksheet. The file carries the raw trace, and its script makes
everything else of it (report.js). What was typed (the sentence, the notes, texts of an experiment) is escaped or
compressed, and a Content-Security-Policy lets only our script run.
"""

import sys
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLES, View, viewer_html, viewer_settings
from explorer.derived.about import about_translations
from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.handout.inline import (
    document,
    embed_data,
    fill_placeholders,
    json_bytes,
    plotly_text,
    script_of,
    style_sheet,
)
from explorer.handout.worksheet import STYLE as SHEETS_STYLE
from explorer.handout.worksheet import sheet_settings, words, worksheet_template
from explorer.recording.payload import tensor_json, trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace
from explorer.recording.vector_lengths import value_norms
from explorer.ui import words as shared_words
from explorer.ui.component import GERMAN_WORDS, fill_template, read_css
from model.decoding import Translator
from model.parameters import parameter_table
from model.probe import KINDS
from model.tokenizer import require_characters

FOLDER = Path(__file__).parent
FILE_NAME = "report.html"
FIRST_VIEW = View(level="heads")


def report(translator: Translator, sentence: str, *, experiment: Experiment | None = None, notes: str = "") -> str:
    """The HTML of a report, in the current language (explorer/ui/language.py).

    With an experiment, it shows the changed translation beside the unchanged one. Raises UserError with a sentence for
    the user if the text or the experiment is invalid.
    """
    require_characters(notes)
    laboratory = Laboratory(Recordings(translator))
    trace = laboratory.recordings.trace(sentence)
    changed = laboratory.trace(sentence, experiment) if experiment and experiment != Experiment() else None
    embedded = {**libraries(), **file_data(trace, changed, FIRST_VIEW, experiment)}
    if changed is None:  # lengths exist only without an experiment
        forward_pass = laboratory.recordings.forward_pass(trace.sentence)
        for kind in KINDS:
            embedded[f"norms-{kind}"] = json_bytes({"norms": tensor_json(value_norms(forward_pass, kind))})
    parts = {
        "title": escape(words.REPORT_TITLE.format(sentence=trace.sentence)),
        "notes": escape(notes),
        "embedded": "".join(embed_data(name, content) for name, content in embedded.items()),
    }
    return fill_placeholders(report_template(translator), parts)


def report_template(translator: Translator) -> str:
    """The HTML of every report of a model, with placeholders for its title, its notes and its embedded data."""
    body = fill_template(FOLDER / "report.html", page_words(translator))
    style = style_sheet(read_css(*STYLES, FOLDER / "report.css", SHEETS_STYLE))
    settings = embed_data("settings", json_bytes(report_settings(translator)))
    return document(style, f"{body}{settings}<!--embedded-->", script_of(FOLDER / "report.js", "module.mount();"))


def templates(translator: Translator) -> dict[str, Any]:
    """What the page needs to make reports and worksheets by itself (files.js)."""
    return {
        "title": words.REPORT_TITLE,
        "report": report_template(translator),
        "worksheet": worksheet_template(),
        "sheets": sheet_settings(translator.model.config.n_heads),
    }


def page_words(translator: Translator) -> dict[str, str]:
    config, (whole, *_) = translator.model.config, parameter_table(translator.model)
    sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
    origin = words.MADE.format(**sizes, parameters=whole.parameters / 1e6)
    return {**words.REPORT, "viewer": viewer_html(), "made": escape(origin)}


def report_settings(translator: Translator) -> dict[str, Any]:
    """What report.js needs besides the traces."""
    texts = {"target": words.TARGET, "worth": words.WORTH, "changes": words.CHANGES, **words.TEXT}
    return {
        **view_settings(translator.record.get("likelihood")),
        "fileName": FILE_NAME,
        "text": {**texts, "printing": words.PRINTING, "long": words.LONG},
        "changes": change_words(),
        "sheets": sheet_settings(translator.model.config.n_heads),
    }


def change_words() -> dict[str, Any]:
    """The words in which changes.js describes an experiment."""
    return {"texts": words.EXPERIMENT, "kindNames": shared_words.KIND_NAMES}


def view_settings(fit: dict[str, Any] | None) -> dict[str, Any]:
    """What embedded_view.js needs to show traces; `fit` is that of their likelihood. The file carries the libraries."""
    viewer = viewer_settings()
    del viewer["plotly"]
    about = about_translations(fit)
    return {"viewer": viewer, "about": {**about, "germanWords": bool(about["germanWords"])}, "names": words.NAMES}


def file_data(
    trace: Trace, changed: Trace | None, view: View, experiment: Experiment | None = None
) -> dict[str, bytes]:
    """What embedded_view.js reads of one trace, or of two side by side."""
    content = {
        "raw": trace_json(trace, sys.maxsize),
        "isModelsChoice": trace.fit is not None,
        "changed": changed and trace_json(changed, sys.maxsize),
        "experiment": experiment and asdict(experiment),
        "view": asdict(view),
    }
    return {"file": json_bytes(content)}


def libraries() -> dict[str, bytes]:
    """Plotly, and the filter of words if the languages have one."""
    plotly = {"plotly": plotly_text().encode()}
    return {**plotly, "words": GERMAN_WORDS.read_bytes()} if about_translations()["germanWords"] else plotly
