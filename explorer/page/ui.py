"""The page: its tabs, and the endpoints for programs."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.lessons.running import doable
from explorer.page import words
from explorer.page.api import Api
from explorer.page.draft import draft
from explorer.page.experiments import ExperimentsApi
from explorer.page.files import FilesApi
from explorer.page.save.dialog import save_dialog
from explorer.page.toolbar import toolbar
from explorer.recording.opened import Opened
from explorer.tabs import ROOMS
from explorer.ui.component import module
from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LANGUAGES, LanguageContext, use_language
from explorer.ui.questions import bordered
from explorer.ui.queued import PROGRAMS, queued, require_enough
from model.decoding import Translator

PAGE_EVENTS = Path(__file__).parent.parent / "ui" / "page_events.js"


def create_ui(opened: Opened) -> gr.Blocks:
    """The whole page in every language, with the first example already translated.

    The first language stands at /, the others at /de and so on; launch.py leads a visitor to his.
    """
    translator = opened.translator
    with (
        gr.Blocks(title=words.TITLE, analytics_enabled=False) as page,
        use_language(LanguageContext(FIRST, translator.languages)),
    ):
        build(opened)
        publish_api(opened)
    for language, name in LANGUAGES.items():
        if language != FIRST:
            with (
                page.route(name, language, show_in_navbar=False),
                use_language(LanguageContext(language, translator.languages)),
            ):
                build(opened)
    page.validate_inputs = require_enough
    return page


def build(opened: Opened) -> None:
    """The page in the language in force."""
    rooms = [room for room in ROOMS if room.id not in opened.away]
    opened = replace(opened, tabs={room.id: room.label for room in rooms})
    with gr.Row(elem_id="top"):
        marks = ["toy"] if opened.about else []
        gr.Markdown(f"# {words.TITLE}\n{headline(opened)}", elem_id="heading", elem_classes=marks)
        draft()
        toolbar(opened.tabs, lessons_shown(opened))
        save_dialog(opened)
    with gr.Tabs(overflow_behavior="wrap"):  # none in a menu: on a phone they scroll sideways (look.css)
        for room in rooms:
            with gr.Tab(opened.tabs[room.id], id=room.id, elem_id=f"{room.id}-tab") as tab:
                room.build(opened)
            tab.select(None, js=tab_opened(room.id), api_visibility="private")


def lessons_shown(opened: Opened) -> list[dict[str, Any]]:
    """All lessons that can be done, in the language in force, as the page shows them."""
    return [lesson.shown(name, LANGUAGE_CONTEXT.get().language) for name, lesson in doable(opened).items()]


def tab_opened(room: str) -> str:
    """JavaScript that tells the browser's modules which tab is open."""
    return f"() => {{ {module(PAGE_EVENTS)}.then(({{ emitTabOpened }}) => emitTabOpened({json.dumps(room)})); }}"


def headline(opened: Opened) -> str:
    """What is looked at; of a model that was trained here also the way back, which is two steps up (toys/door.py)."""
    if opened.about is None:
        return f"{words.SUBTITLE} {summary(opened.translator)}"
    language = LANGUAGE_CONTEXT.get().language
    back = f"[{words.TOY['back']}](../../{'' if language == FIRST else language})"
    return f"{words.TOY['trained'].format(about=opened.about())} · {back}"


def summary(translator: Translator) -> str:
    """The loaded model in one line."""
    config = translator.model.config
    sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
    return f"*{words.MODEL.format(**sizes)}*"


def publish_api(opened: Opened) -> None:
    """The endpoints for programs, which answer in the language in force."""
    api = Api(opened.recordings)
    others = [*ExperimentsApi(opened).endpoints(), *FilesApi(opened).endpoints()]
    for endpoint in (api.translate, api.attention, *others):
        answer = queued(opened.queue, bordered(endpoint), PROGRAMS)
        gr.api(answer, api_name=endpoint.__name__, concurrency_limit=None)
