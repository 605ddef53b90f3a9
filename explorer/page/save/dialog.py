"""The dialog that saves the current view; the toolbar's button and the key s open it.

A new entry needs its name in ENTRIES, words (ENTRIES), and a function of the same name in entries.js, which creates the
file.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from html import escape
from pathlib import Path

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import shared_laboratory
from explorer.files.export_trace import describe_model
from explorer.files.export_trace import words as file_words
from explorer.handout.report import report_answer, worksheet_answer
from explorer.page.head import base_address
from explorer.recording.app_context import AppContext
from explorer.ui.component import Component, file_component
from explorer.ui.palette import PALETTES
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)
ENTRIES = {  # the buttons of each group, in this order
    "picture": ("svg", "png"),
    "numbers": ("csv", "csv_unchanged", "json", "npz"),
    "handout": ("report", "worksheet", "print"),
}


def answers(app: AppContext) -> dict[str, Callable[..., str]]:
    """The answers to the entries that need the server, as JSON; the page makes all other files by itself."""
    laboratory = shared_laboratory(app)
    return {
        "report": partial(report_answer, laboratory),
        "worksheet": partial(worksheet_answer, laboratory),
        "print": partial(worksheet_answer, laboratory),
    }


def save_dialog(app: AppContext) -> Component:
    """The dialog's component. Its questions to the server have the names of the entries."""
    for name, answer in answers(app).items():
        app.questions.add(f"save.{name}", answer)
    settings = {
        "text": {**words.TEXT, "caption": words.CAPTION, "parts": words.PARTS},
        "tabs": app.tabs,
        "base": base_address(),
        "model": model_line(app),
        "colours": PALETTES,
        "files": {  # what files of numbers say about themselves
            "corner": file_words.CORNER,
            "readme": file_words.JSON,
            "npzReadme": file_words.NPZ,
            "model": describe_model(app.translator, app.folder),
            "unchanged": asdict(Experiment()),
        },
    }
    return file_component(FOLDER / "save", {**words.HTML, **groups()}, settings)


def model_line(app: AppContext) -> str:
    """The model in one line, for a caption."""
    model = describe_model(app.translator, app.folder)
    sizes = {name: model[name] for name in ("layers", "decoder_layers", "heads", "d_model")}
    sizes_text = words.MODEL.format(**sizes, parameters=f"{model['parameters'] / 1e6:.1f}")
    return f"{model['name']}, {sizes_text}" if model["name"] else sizes_text


def groups() -> dict[str, str]:
    """The HTML of the headings and buttons of each group, by name."""
    html = {}
    for group, title in words.GROUPS.items():
        html[group] = f"<h3>{escape(title)}</h3>"
        html[f"{group}_buttons"] = "".join(buttons(ENTRIES[group]))
    return html


def buttons(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        label, gives = words.ENTRIES[name]
        yield f'<button type="button" data-entry="{name}" title="{escape(gives)}">{escape(label)}</button>'
