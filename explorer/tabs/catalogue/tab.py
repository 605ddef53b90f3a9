"""The tab Heads: a table of all heads with the numbers that `python -m explorer.catalogue` measured."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.experiments import words as experiments_words
from explorer.experiments.catalogue import NUMBERS, RULES, names_of
from explorer.experiments.importance import STABLE
from explorer.experiments.measured import Measured, MeasuredHead, read
from explorer.recording.app_context import AppContext
from explorer.tabs.catalogue import words
from explorer.ui import words as shared_words
from explorer.ui.component import component, filled, module
from explorer.ui.glossary import linked
from explorer.ui.palette import DARK, LIGHT, MONOSPACE
from model.checkpoints.card import markdown_table

FOLDER = Path(__file__).parent


def catalogue_tab(app: AppContext) -> None:
    """The table, or a sentence that says why there is none and what to do."""
    try:
        measured = read(app.folder, app.translator) if app.folder else None
    except ValueError as reason:
        gr.Markdown(words.REFUSED.format(reason=reason))
        return
    if measured is None:
        gr.Markdown(words.NO_HEADS)
        return
    catalogue(measured, app.tabs)
    with gr.Row(elem_id="heads-measured"):
        for title, text in ((words.HTML["rules"], rules_text()), (words.HTML["measured"], measured_text(measured))):
            with gr.Column(min_width=340):
                gr.Markdown(f"### {title}\n\n{text}", latex_delimiters=[])


def catalogue(measured: Measured, tabs: Mapping[str, str]) -> gr.HTML:
    """The table itself, which never asks the server; a row leads to its head in other tabs, by their labels."""
    heads = [head_json(head) for head in measured.heads]
    settings = {
        "text": words.TABLE,
        "columns": columns_of(measured),
        "names": experiments_words.HEAD_NAMES,
        "heading": words.HEADING,
        "kindNames": shared_words.KIND_NAMES,
        "heads": heads,
        "explore": tabs["explore"],
        "lab": tabs["lab"],
        "colours": {"light": LIGHT, "dark": DARK},
        "monospace": MONOSPACE,
    }
    used = ("room", "kinds", "name", "name_hint", "region")
    texts = {name: words.HTML[name] for name in used}
    named = sum(bool(head["names"]) for head in heads)
    what = linked(words.HTML["what"].format(sentences=measured.sentences, named=named, heads=len(heads)))
    return component(
        "",
        html=filled((FOLDER / "catalogue.html").read_text(encoding="utf-8"), {**texts, "what": what}),
        css=(FOLDER / "catalogue.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'catalogue.js')}.then(({{ mount }}) => mount(element, JSON.parse(props.settings)));",
        settings=json.dumps(settings),
        elem_id="catalogue",
    )


def columns_of(measured: Measured) -> dict[str, dict[str, str]]:
    """The words of all columns, in the order of the table."""
    shares = {name: f"{getattr(measured.links, name):.0%}" for name in ("by_chance", "on_diagonal")}
    meaning = words.COLUMNS["links"]["meaning"].format(**shares)
    texts = {**words.COLUMNS, "links": {**words.COLUMNS["links"], "meaning": meaning}}
    return {name: texts[name] for name in ("drop", *NUMBERS)}


def head_json(head: MeasuredHead) -> dict[str, Any]:
    found = head.model_dump()
    return {**found, "names": names_of(head.kind, found)}


def rules_text() -> str:
    """The thresholds as a table."""
    header = [words.HTML[name] for name in ("rule_name", "rule_kinds", "rule_number", "rule_threshold")]
    rows = [
        [
            experiments_words.HEAD_NAMES[rule.name],
            ", ".join(shared_words.KIND_NAMES[kind] for kind in rule.kinds),
            words.COLUMNS[rule.number]["title"],
            words.THRESHOLDS[words.COLUMNS[rule.number]["form"]].format(rule.threshold),
        ]
        for rule in RULES
    ]
    return f"{markdown_table(header, rows)}\n\n{words.HTML['rules_hint']}"


def measured_text(measured: Measured) -> str:
    """The sentences, the command and what the numbers are worth."""
    return words.MEASURED.format(
        sentences=measured.sentences,
        data=", ".join(measured.data),
        pairs=", ".join(measured.pairs),
        seed=measured.seed,
        log_probability=measured.log_probability,
        split_half=measured.split_half,
        stability=experiments_words.STABILITY["stable" if measured.split_half >= STABLE else "unstable"],
        links=measured.links.count,
        command=measured.command,
    )
