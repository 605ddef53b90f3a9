"""The dialog that saves the current view; the toolbar's button and the key s open it.

A new entry needs its name in ENTRIES, words (ENTRIES), and a function of the same name in entries.js, which creates the
file.
"""

from collections.abc import Iterable
from dataclasses import asdict
from html import escape
from pathlib import Path

from explorer.experiments.experiment import Experiment
from explorer.files.export_trace import describe_model
from explorer.files.export_trace import words as file_words
from explorer.handout.inline import compress, json_bytes
from explorer.handout.report import change_words, templates
from explorer.page import words as page_words
from explorer.page.head import base_address
from explorer.recording.app_context import AppContext
from explorer.ui.component import PLOTLY_JS, Component, file_component, static_data, url
from explorer.ui.language import format_decimal
from explorer.ui.palette import PALETTES
from explorer.ui.translations import Translations

FOLDER = Path(__file__).parent
words = Translations(__file__)
ENTRIES = {  # the buttons of each group, in this order
    "picture": ("svg", "png", "pdf", "embed", "writing", "film", "flight"),
    "numbers": ("csv", "json", "npz"),
    "handout": ("report", "worksheet", "print"),
}


def save_dialog(app: AppContext) -> Component:
    """The dialog's component. The page makes all files by itself."""
    handout = static_data("handout", compress(json_bytes(templates(app.translator))))
    settings = {
        "text": {
            **words.TEXT,
            "caption": words.CAPTION,
            "parts": words.PARTS,
            "poster": words.POSTER,
            "frame": words.FRAME,
        },
        "title": page_words.TITLE,
        "tabs": app.tabs,
        "base": base_address(),
        "changes": change_words(),
        "model": model_line(app),
        "colours": PALETTES,
        "files": {  # what files of numbers say about themselves
            "corner": file_words.CORNER,
            "readme": file_words.JSON,
            "npzReadme": file_words.NPZ,
            "model": describe_model(app.translator, app.folder),
            "unchanged": asdict(Experiment()),
        },
        "handout": url(handout),
        "plotly": url(PLOTLY_JS),
    }
    return file_component(FOLDER / "save", {**words.HTML, **groups()}, settings, files=[handout])


def model_line(app: AppContext) -> str:
    """The model in one line, for a caption."""
    model = describe_model(app.translator, app.folder)
    sizes = {name: model[name] for name in ("layers", "decoder_layers", "heads", "d_model")}
    sizes_text = words.MODEL.format(**sizes, parameters=format_decimal(model["parameters"] / 1e6, 1))
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
