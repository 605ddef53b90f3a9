"""The tab What if: one thing is changed, and the changed translation stands beside the unchanged one."""

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.attention_view.component import STYLE as VIEWER_STYLE
from explorer.attention_view.component import viewer_html, viewer_settings
from explorer.attention_view.view import View
from explorer.experiments.laboratory import laboratory_of
from explorer.recording.app_context import AppContext
from explorer.tabs.what_if import words
from explorer.tabs.what_if.answer import ANSWERS
from explorer.tabs.what_if.station import Station
from explorer.tabs.what_if.stations import STATIONS
from explorer.ui.component import component, filled, module
from explorer.ui.palette import MONOSPACE

FOLDER = Path(__file__).parent


def lab_tab(app: AppContext) -> gr.HTML:
    """The frame, its stations, and an attention view for what they find; experiments run when they are asked for."""
    laboratory = laboratory_of(app)
    answers = {**ANSWERS, **{name: answer for station in STATIONS for name, answer in station.answers.items()}}
    for name, answer in answers.items():
        app.questions.add(f"lab.{name}", partial(answer, laboratory))
    settings = {
        **viewer_settings(),
        "view": asdict(View(level="heads", whole=True)),
        "lab": {"text": words.LAB, "stations": {station.name: settings_of(station, app) for station in STATIONS}},
        "monospace": MONOSPACE,
    }
    styles = [path.read_text(encoding="utf-8") for path in (VIEWER_STYLE, FOLDER / "lab.css")]
    return component(
        "",
        html=lab_html(),
        css="".join((*styles, *(station.style for station in STATIONS))),
        script=f"{module(FOLDER / 'lab.js')}.then(({{ mount }}) => "
        "mount(element, JSON.parse(props.settings), server));",
        settings=json.dumps(settings),
        elem_id="lab",
    )


def settings_of(station: Station, app: AppContext) -> dict[str, Any]:
    words = station.words
    return {"label": words.LABEL, "hint": words.HINT, "text": dict(words.TEXT), **station.settings(app)}


def lab_html() -> str:
    """The frame with the HTML of its stations and that of the attention view."""
    stations = "".join(
        f'<div class="station {station.name}" data-station="{station.name}" hidden>{station.page}</div>'
        for station in STATIONS
    )
    parts = {"stations": stations, "viewer": viewer_html()}
    return filled((FOLDER / "lab.html").read_text(encoding="utf-8"), {**words.HTML, **parts})
