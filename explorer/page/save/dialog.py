"""The dialog by which what is shown leaves the page; the toolbar's button and the key s open it."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from explorer.files.described import described
from explorer.page.hosted import base_address
from explorer.page.save import words
from explorer.page.save.entries import ENTRIES
from explorer.recording.app_context import AppContext
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.palette import DARK, LIGHT

FOLDER = Path(__file__).parent


def save_dialog(app: AppContext) -> Component:
    """Takes no room on the page. Its script asks the server by the name of an entry."""
    for entry in ENTRIES:
        if entry.serve:
            app.questions.add(f"save.{entry.name}", entry.serve(app))
    settings = {
        "text": {**words.TEXT, "caption": words.CAPTION, "parts": words.PARTS},
        "tabs": app.tabs,
        "base": base_address(),
        "model": model_line(app),
        "colours": {"light": LIGHT, "dark": DARK},
    }
    return Component(
        "save",
        html=fill_template(FOLDER / "save.html", {**words.HTML, **groups()}),
        css=read_css(FOLDER / "save.css"),
        module=FOLDER / "save.js",
        settings=settings,
    )


def model_line(app: AppContext) -> str:
    """The model in a line, for a caption."""
    found = described(app.translator, app.folder)
    sizes = {name: found[name] for name in ("layers", "decoder_layers", "heads", "d_model")}
    said = words.MODEL.format(**sizes, parameters=f"{found['parameters'] / 1e6:.1f}")
    return f"{found['name']}, {said}" if found["name"] else said


def groups() -> dict[str, str]:
    """HTML of the headings and buttons of each group, by name; a group without entries is nothing."""
    found = {}
    for group, title in words.GROUPS.items():
        names = [entry.name for entry in ENTRIES if entry.group == group]
        found[group] = f"<h3>{escape(title)}</h3>" if names else ""
        found[f"{group}_buttons"] = "".join(buttons(names))
    return found


def buttons(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        label, gives = words.ENTRIES[name]
        yield f'<button type="button" data-entry="{name}" title="{escape(gives)}">{escape(label)}</button>'
