"""The dialog that saves the current view; the toolbar's button and the key s open it.

A new entry needs a line in ENTRIES, its words (ENTRIES), and a function of the same name in entries.js, which creates
the file.
"""

from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

from explorer.experiments.laboratory import shared_laboratory
from explorer.files.everything import describe_model
from explorer.handout.report import report_answer, worksheet_answer
from explorer.page.head import base_address
from explorer.page.save.numbers import Numbers
from explorer.recording.app_context import AppContext
from explorer.ui.component import Component, file_component
from explorer.ui.palette import PALETTES
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)
Answer = Callable[..., str]  # takes the browser's arguments; returns JSON, or raises ValueError to refuse


class Entry(NamedTuple):
    """One way to save the current view."""

    name: str  # in words/ and in entries.js
    group: Literal["picture", "numbers", "handout"]
    serve: Callable[[AppContext], Answer] | None = None  # makes the function that answers its question to the server


ENTRIES: tuple[Entry, ...] = (  # each a button, in this order
    Entry("svg", "picture"),
    Entry("png", "picture"),
    Entry("csv", "numbers", lambda app: Numbers(app).csv_answer),
    Entry("csv_unchanged", "numbers", lambda app: Numbers(app).csv_answer),
    Entry("json", "numbers", lambda app: Numbers(app).json_answer),
    Entry("npz", "numbers", lambda app: Numbers(app).npz_answer),
    Entry("report", "handout", lambda app: partial(report_answer, shared_laboratory(app))),
    Entry("worksheet", "handout", lambda app: partial(worksheet_answer, shared_laboratory(app))),
    Entry("print", "handout", lambda app: partial(worksheet_answer, shared_laboratory(app))),
)


def save_dialog(app: AppContext) -> Component:
    """The dialog's component. Its questions to the server have the names of the entries."""
    for entry in ENTRIES:
        if entry.serve:
            app.questions.add(f"save.{entry.name}", entry.serve(app))
    settings = {
        "text": {**words.TEXT, "caption": words.CAPTION, "parts": words.PARTS},
        "tabs": app.tabs,
        "base": base_address(),
        "model": model_line(app),
        "colours": PALETTES,
    }
    return file_component(FOLDER / "save", {**words.HTML, **groups()}, settings)


def model_line(app: AppContext) -> str:
    """The model in one line, for a caption."""
    model = describe_model(app.translator, app.folder)
    sizes = {name: model[name] for name in ("layers", "decoder_layers", "heads", "d_model")}
    sizes_text = words.MODEL.format(**sizes, parameters=f"{model['parameters'] / 1e6:.1f}")
    return f"{model['name']}, {sizes_text}" if model["name"] else sizes_text


def groups() -> dict[str, str]:
    """The HTML of the headings and buttons of each group, by name; empty for groups without entries."""
    html = {}
    for group, title in words.GROUPS.items():
        names = [entry.name for entry in ENTRIES if entry.group == group]
        html[group] = f"<h3>{escape(title)}</h3>" if names else ""
        html[f"{group}_buttons"] = "".join(buttons(names))
    return html


def buttons(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        label, gives = words.ENTRIES[name]
        yield f'<button type="button" data-entry="{name}" title="{escape(gives)}">{escape(label)}</button>'
