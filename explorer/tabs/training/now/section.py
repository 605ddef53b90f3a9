"""The section Train one now; the browser sends its requests to a route of its own."""

from html import escape
from pathlib import Path

from explorer.tabs.training.now import words
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import TASKS
from explorer.ui.component import Component, fill_template, read_css
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import DARK, LIGHT, MONOSPACE

FOLDER = Path(__file__).parent
MAX_LAYERS, MAX_HEADS = 3, 4
SAMPLES = {"reverse": "3 1 4", "copy": "3 1 4", "sort": "3 1 4", "numbers": "forty two", "dates": "3 May 1998"}


def now_section(is_available: bool, *, has_story: bool) -> Component:
    """The choice between the model's story and a training now; if none is available, how to get one.

    `has_story` says that the page also has a story's player, which shares the tab's URL state.
    """
    defaults = ToyConfig()
    texts = {
        **words.HTML,
        "tasks": "".join(task_choice(name, name == defaults.task) for name in words.TASKS),
        "layer_choices": number_choices("layers", MAX_LAYERS, defaults.layers),
        "head_choices": number_choices("heads", MAX_HEADS, defaults.heads),
        "off_text": code_html(words.OFF),
    }
    settings = {
        "offered": is_available,
        "story": has_story,
        "text": {**words.TEXT, "wanted": {name: texts["why"] for name, texts in words.TASKS.items()}},
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


def task_choice(name: str, is_default: bool) -> str:
    """The HTML of a task's radio button, with the use of attention for the task."""
    texts = {key: escape(text) for key, text in words.TASKS[name].items()}
    box = f'<input type="radio" name="task" value="{name}"{" checked" if is_default else ""}>'
    sample = f"{SAMPLES[name]} → {TASKS[name].answer(SAMPLES[name])}"
    label = f"<b>{texts['name']}</b> <code>{escape(sample)}</code> <small>{texts['why']}</small>"
    return f"<label>{box}<span>{label}</span></label>"


def number_choices(name: str, largest: int, default: int) -> str:
    """The HTML of radio buttons for the numbers from 1 to `largest`."""
    return "".join(
        f'<label><input type="radio" name="{name}" value="{number}"{" checked" if number == default else ""}>'
        f"<span>{number}</span></label>"
        for number in range(1, largest + 1)
    )


def code_html(text: str) -> str:
    """The HTML of a text with commands between backticks."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
