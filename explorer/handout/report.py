"""A report: one translation in one HTML file, with the attention of all kinds, layers, heads and steps.

    python -m explorer.report "A sentence" -o report.html

It opens from the disk without a server, and prints as a worksheet. User input (the sentence, the notes, texts of an
experiment) is escaped or compressed, and a Content-Security-Policy lets only our script run.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from explorer.attention_view.component import STYLE, View, viewer_html, viewer_settings
from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment, HeadAt, Patch, experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.handout.inline import csp_hash, embed_data, fill_placeholders, json_bytes, script_of, style_sheet
from explorer.handout.sheets import STYLE as SHEETS_STYLE
from explorer.handout.sheets import TooManyWordsError, language_attributes, sheets, words, worksheet_of
from explorer.recording.lengths import value_norms
from explorer.recording.payload import tensor_json, trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace, pieces
from explorer.ui import words as shared_words
from explorer.ui.component import PLOTLY_JS, fill_template, read_css
from explorer.ui.language import LANGUAGE_CONTEXT, join_list, tag_of
from explorer.ui.scripts import isolate
from model.decoding import Translator
from model.errors import UserError
from model.parameters import parameter_table
from model.probe import KINDS
from model.tokenizer import require_characters

FOLDER = Path(__file__).parent
FILE_NAME = "report.html"
FIRST_VIEW = View(level="heads")
VIEW_ADAPTER = TypeAdapter(View)
MAX_NOTES_CHARACTERS = 20_000  # a few pages


def describe_experiment(experiment: Experiment, changed: Trace, translator: Translator) -> list[str]:
    """One sentence for each change; `changed` is the trace of the experiment."""
    return [line.strip() for line in describe_changes(experiment, changed, translator)]


def describe_changes(experiment: Experiment, changed: Trace, translator: Translator) -> Iterator[str]:
    templates = words.EXPERIMENT
    if experiment.source is not None:
        yield templates["source"].format(text=isolate(experiment.source))
    if experiment.word_order is not None:
        yield templates["word_order"].format(text=isolate(changed.sentence))
    if experiment.hidden:
        yield templates["hidden"].format(
            pieces=join_list(changed.source[place].isolated.text for place in experiment.hidden)
        )
    if experiment.beginning:
        beginning = pieces(translator, [*experiment.beginning])
        yield templates["beginning"].format(pieces=isolate(" ".join(piece.text for piece in beginning)))
    if experiment.off:
        yield templates["off"].format(heads=list_heads(experiment.off), how=templates["off_by"][experiment.off_by])
    for stack, how in (("encoder", experiment.encoder_positions), ("decoder", experiment.decoder_positions)):
        if how:
            yield templates[stack].format(
                how=templates["positions"][how].format(seed=experiment.seed, shift=experiment.shift)
            )
    if experiment.patch:
        yield describe_patch(experiment.patch)


def list_heads(heads: tuple[HeadAt, ...]) -> str:
    """The names of heads, with one-based numbers."""
    names = (f"{shared_words.KIND_NAMES[head.kind]} {head.layer + 1}.{head.head + 1}" for head in heads)
    return join_list(names)


def describe_patch(patch: Patch) -> str:
    templates = words.EXPERIMENT
    cells = (
        templates["cell"].format(
            stack=templates["stacks"][cell.stack], layer=cell.layer + 1, position=cell.position + 1
        )
        for cell in patch.cells
    )
    what = join_list(part for part in (list_heads(patch.heads), *cells) if part)
    return templates["patch"].format(sentence=isolate(patch.sentence), what=what)


def report(translator: Translator, sentence: str, *, experiment: Experiment | None = None, notes: str = "") -> str:
    """The HTML of a report, in the current language (explorer/ui/language.py).

    With an experiment, it shows the changed translation beside the unchanged one. Raises UserError with a sentence for
    the user if the text or the experiment is invalid.
    """
    return report_of(Laboratory(Recordings(translator)), sentence, experiment, notes)


def report_of(
    laboratory: Laboratory,
    sentence: str,
    experiment: Experiment | None = None,
    notes: str = "",
    view: View = FIRST_VIEW,
) -> str:
    """The same, from the recordings of a laboratory, with the view that it opens in."""
    require_characters(notes)
    trace = laboratory.recordings.trace(sentence)
    changed = laboratory.trace(sentence, experiment) if experiment and experiment != Experiment() else None
    try:
        sheet = sheets(worksheet_of(trace))
    except TooManyWordsError:
        sheet = ""
    data = embedded_data(laboratory, trace, changed, view)
    parts = {
        "title": escape(words.REPORT_TITLE.format(sentence=trace.sentence)),
        "sentence": escape(trace.sentence),
        "translations": translations_html(trace, changed),
        "experiment": changes_html(describe_experiment(experiment, changed, laboratory.translator))
        if experiment and changed
        else "",
        "notes": escape(notes),
        "printing": escape(words.PRINTING if sheet else words.LONG),
        "sheets": sheet,
        "embedded": "".join(embed_data(name, content) for name, content in data.items()),
    }
    return fill_placeholders(report_template(laboratory.translator), parts)


def report_template(translator: Translator) -> str:
    """The HTML of every report of a model, with a placeholder for each of its parts."""
    body = fill_template(FOLDER / "report.html", page_words(translator))
    style = style_sheet(read_css(STYLE, FOLDER / "report.css", SHEETS_STYLE))
    return document(style, f"{body}<!--sheets--><!--embedded-->", script_of(FOLDER / "report.js", "module.mount();"))


def worksheet(translator: Translator, sentence: str) -> str:
    """The HTML of a worksheet, three A4 pages, in the current language.

    Raises UserError as `report` does, and if the sentence has too many words for a page.
    """
    return worksheet_page(Recordings(translator).trace(sentence))


def worksheet_page(trace: Trace) -> str:
    title = escape(f"{words.SHEET_TITLE} {trace.sentence}")
    return fill_placeholders(worksheet_template(), {"title": title, "sheets": sheets(worksheet_of(trace))})


def worksheet_template() -> str:
    """The HTML of every worksheet, with a placeholder for each of its parts."""
    return document(style_sheet(read_css(SHEETS_STYLE)), "<!--sheets-->")


def document(style: str, body: str, script: str = "") -> str:
    """A complete HTML page with a placeholder for its title; it runs only this script and Plotly, fetching nothing."""
    script_policy = f"script-src {csp_hash(script)} {csp_hash(plotly_text())};" if script else ""
    policy = f"default-src 'none'; {script_policy} style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'"
    language = LANGUAGE_CONTEXT.get().language
    return (
        f'<!doctype html>\n<html lang="{tag_of(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title><!--title--></title>\n<style>{style}</style>\n</head>\n<body>\n{body}"
        + (f'<script type="module">{script}</script>\n' if script else "")
        + "</body>\n</html>\n"
    )


def page_words(translator: Translator) -> dict[str, str]:
    config, (whole, *_) = translator.model.config, parameter_table(translator.model)
    sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
    origin = words.MADE.format(**sizes, parameters=whole.parameters / 1e6)
    return {**words.REPORT, "viewer": viewer_html(), "made": escape(origin)}


def translations_html(trace: Trace, changed: Trace | None) -> str:
    """HTML of the translation; with an experiment, of both translations and their log-probabilities."""
    if changed is None:
        return f"<dt>{escape(words.TARGET)}</dt><dd{language_attributes('target')}>{escape(trace.translation)}</dd>"

    def line(name: str, trace: Trace) -> str:
        log_probability = words.WORTH.format(total=trace.log_probability)
        translation = f"<span{language_attributes('target')}>{escape(trace.translation)}</span>"
        return f"<dt>{escape(words.TEXT[name])}</dt><dd>{translation} <small>({escape(log_probability)})</small></dd>"

    return line("unchanged", trace) + line("changed", changed)


def changes_html(lines: list[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<div class="changes"><strong>{escape(words.CHANGES)}</strong><ul>{items}</ul></div>'


def embedded_data(laboratory: Laboratory, trace: Trace, changed: Trace | None, view: View) -> dict[str, bytes]:
    """The report, Plotly, and the lengths of each kind, which exist only without an experiment."""
    forward_pass = laboratory.recordings.forward_pass(trace.sentence)
    lengths = (
        {f"norms-{kind}": json_bytes({"norms": tensor_json(value_norms(forward_pass, kind))}) for kind in KINDS}
        if changed is None
        else {}
    )
    return {**viewer_data(trace, changed, view), **lengths}


def viewer_data(trace: Trace, changed: Trace | None, view: View) -> dict[str, bytes]:
    """What embedded_view.js reads of one trace, or of two side by side."""
    report_data: dict[str, Any] = {
        **report_settings(),
        "view": asdict(view),
        "trace": payload(trace),
        "experiment": changed and {"trace": payload(changed), "pairs": pair_pieces(trace, changed)._asdict()},
    }
    return {"report": json_bytes(report_data), "plotly": plotly_text().encode()}


@cache
def plotly_text() -> str:
    return PLOTLY_JS.read_text(encoding="utf-8")


def report_settings() -> dict[str, Any]:
    """What every report embeds; it carries Plotly itself."""
    settings = viewer_settings()
    del settings["plotly"]
    return {"settings": settings, "text": {"file": FILE_NAME, "names": words.NAMES}}


def payload(trace: Trace) -> dict[str, Any]:
    """A trace as JSON for the viewer, without a limit on its size."""
    return trace_json(trace, max_characters=sys.maxsize)


def report_answer(laboratory: Laboratory, sentence: str, changes: Any, notes: Any, view: Any) -> str:
    """A report as JSON; `changes` are an experiment's fields or null. Raises UserError if a part is invalid."""
    if not isinstance(notes, str) or len(notes) > MAX_NOTES_CHARACTERS:
        raise UserError(words.NOTES.format(limit=MAX_NOTES_CHARACTERS))
    experiment = experiment_of(changes) if changes else None
    return json.dumps({"text": report_of(laboratory, sentence, experiment, notes, parse_view(view))})


def parse_view(value: Any) -> View:
    """The view that the browser sent. Raises UserError if it is not one."""
    try:
        fields = {name: field for name, field in value.items() if name in asdict(View())}
        return VIEW_ADAPTER.validate_python({**fields, "level": "heads"})
    except (ValidationError, AttributeError) as error:
        raise UserError(words.NO_VIEW) from error


def worksheet_answer(laboratory: Laboratory, sentence: str) -> str:
    """A worksheet as JSON. Raises UserError if the sentence is too long."""
    return json.dumps({"text": worksheet_page(laboratory.recordings.trace(sentence))})
