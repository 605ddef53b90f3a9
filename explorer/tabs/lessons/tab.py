"""The tab Lessons: a card for each."""

import json
from pathlib import Path

import gradio as gr

from explorer.lessons.running import doable, lessons_for
from explorer.recording.app_context import AppContext
from explorer.tabs.lessons import words
from explorer.ui.component import component, filled, module
from explorer.ui.language import LANGUAGE_CONTEXT

FOLDER = Path(__file__).parent


def lessons_tab(app: AppContext) -> None:
    """The cards, or a sentence that says why there are none."""
    lessons = lessons_for(app)
    if not lessons:
        gr.Markdown(words.FOREIGN)
        return
    language = LANGUAGE_CONTEXT.get().language
    shown = [lesson.shown(name, language) for name, lesson in lessons.items()]
    fields, here = ("name", "title", "shows", "minutes", "steps"), doable(app)
    cards = [{**{name: lesson[name] for name in fields}, "away": lesson["name"] not in here} for lesson in shown]
    component(
        "",
        html=filled((FOLDER / "lessons.html").read_text(encoding="utf-8"), words.HTML),
        css=(FOLDER / "lessons.css").read_text(encoding="utf-8"),
        script=f"{module(FOLDER / 'lessons.js')}.then(({{ mount }}) => mount(element, JSON.parse(props.settings)));",
        settings=json.dumps({"cards": cards, "text": words.CARD}),
        elem_id="lessons",
    )
