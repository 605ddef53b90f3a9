"""The tab Train one: a toy model learns a task, by requests to a route of its own; the recorded training below it."""

from html import escape
from pathlib import Path

from explorer.attention_view.component import STYLES
from explorer.recording.app_context import AppContext
from explorer.tabs.train_one.replay import replay_html, replay_settings, words
from explorer.toys.recipe import ToyConfig
from explorer.toys.recipe import words as toy_words
from explorer.toys.tasks import TASKS
from explorer.ui import words as shared_words
from explorer.ui.component import Component, file_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import PALETTES

FOLDER = Path(__file__).parent
MAX_LAYERS, MAX_HEADS = 3, 4
SAMPLES = {"reverse": "3 1 4", "copy": "3 1 4", "sort": "3 1 4", "numbers": "forty two", "dates": "3 May 1998"}


def train_tab(app: AppContext) -> list[Component]:
    """The form and the view of a toy's training, or how to get one; and the recorded training of the page's model."""
    defaults = ToyConfig()
    texts = {
        **words.HTML,
        "tab_label": words.TAB,
        "tasks": "".join(task_choice(name, name == defaults.task) for name in words.TASKS),
        "layer_choices": number_choices("layers", MAX_LAYERS, defaults.layers),
        "head_choices": number_choices("heads", MAX_HEADS, defaults.heads),
        "off_text": code_html(words.OFF),
        "replay": replay_html(app),
    }
    settings = {
        "offered": app.max_trainings > 0,
        "replay": replay_settings(app.story) if app.story else None,
        "text": {**words.TEXT, "wanted": words.TASKS, "tokenNames": shared_words.TOKEN_NAMES},
        "colours": PALETTES,
        "language": LANGUAGE_CONTEXT.get().language,
    }
    files = [app.story.resolve()] if app.story else []
    return [file_component(FOLDER / "train_one", texts, settings, STYLES, id="train", files=files)]


def task_choice(name: str, is_default: bool) -> str:
    """The HTML of a task's radio button, with the use of attention for the task."""
    box = f'<input type="radio" name="task" value="{name}"{" checked" if is_default else ""}>'
    sample = f"{SAMPLES[name]} → {TASKS[name].answer(SAMPLES[name])}"
    task, use = escape(toy_words.TASKS[name]), escape(words.TASKS[name])
    label = f"<b>{task}</b> <code>{escape(sample)}</code> <small>{use}</small>"
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
