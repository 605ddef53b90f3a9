"""The section Train one now ; the browser asks the server by a route of its own."""

from html import escape
from pathlib import Path

from explorer.tabs.training.now import words
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import TASKS
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import DARK, LIGHT, MONOSPACE

FOLDER = Path(__file__).parent
LAYERS, HEADS = 3, 4  # at most
SAMPLES = {"reverse": "3 1 4", "copy": "3 1 4", "sort": "3 1 4", "numbers": "forty two", "dates": "3 May 1998"}


def now_section(offered: bool, *, story: bool) -> Component:
    """The choice between how the model came about and a training now; where none is `offered`, how to get it.

    `story` says that a story's player stands beside it, and shares its part of the address.
    """
    first = ToyConfig()
    texts = {
        **words.HTML,
        "tasks": "".join(task(name, name == first.task) for name in words.TASKS),
        "layer_choices": numbers("layers", LAYERS, first.layers),
        "head_choices": numbers("heads", HEADS, first.heads),
        "off_text": code(words.OFF),
    }
    settings = {
        "offered": offered,
        "story": story,
        "text": {**words.TEXT, "wanted": {name: told["why"] for name, told in words.TASKS.items()}},
        "colours": {"light": LIGHT, "dark": DARK},
        "monospace": MONOSPACE,
        "language": LANGUAGE_CONTEXT.get().language,
    }
    return Component(
        "now",
        html=fill_template(FOLDER / "now.html", texts),
        css=read_css(FOLDER / "now.css"),
        module=FOLDER / "now.js",
        settings=settings,
    )


def task(name: str, chosen: bool) -> str:
    """HTML of a task to choose, with what attention is for in it."""
    told = {key: escape(text) for key, text in words.TASKS[name].items()}
    box = f'<input type="radio" name="task" value="{name}"{" checked" if chosen else ""}>'
    sample = f"{SAMPLES[name]} → {TASKS[name].answer(SAMPLES[name])}"
    shown = f"<b>{told['name']}</b> <code>{escape(sample)}</code> <small>{told['why']}</small>"
    return f"<label>{box}<span>{shown}</span></label>"


def numbers(name: str, most: int, chosen: int) -> str:
    """HTML of a choice of one number."""
    return "".join(
        f'<label><input type="radio" name="{name}" value="{number}"{" checked" if number == chosen else ""}>'
        f"<span>{number}</span></label>"
        for number in range(1, most + 1)
    )


def code(text: str) -> str:
    """HTML of a text in which commands stand between backticks."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
