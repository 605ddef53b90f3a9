"""The tab Training: how the checkpoint was trained."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from explorer.attention_view.component import STYLE, View, viewer_html, viewer_settings
from explorer.recording.app_context import AppContext
from explorer.recording.sentence import examples
from explorer.tabs.training.record import Record, data_text, model_text, runs_text, summary_text
from explorer.ui.component import Component, file_component, transport, url
from explorer.ui.figures import apply_neutral_layout, create_panels
from explorer.ui.language import join_list
from explorer.ui.palette import LIGHT, PALETTES
from explorer.ui.prose import markdown, markdown_with_html
from explorer.ui.translations import Translations
from model.checkpoints.record import joined_log, runs_of, start_steps

FOLDER = Path(__file__).parent
words = Translations(__file__)
PANEL_GAP = 0.06  # of the figure's width


def training_curves(
    log: Sequence[Mapping[str, float | int]],
    panel_curves: Sequence[Sequence[Any]],
    run_starts: Sequence[int] = (),
    palette: Mapping[str, str] = LIGHT,
) -> go.Figure:
    """The curves of a training, in panels side by side; curves that the log lacks are left out.

    `panel_curves` are the panels, LOSSES or PACE of the words: a title, and the names of curves by their keys.
    `run_starts` are the steps after which another run continued the training; a dotted line marks each.
    """
    available = {title: names for title, names in panel_curves if any(name in line for line in log for name in names)}
    line_colours = (palette["text"], palette["encoder"])
    colours = {title: dict(zip(names, line_colours, strict=False)) for title, names in available.items()}
    titles = [training_title(title, names, colours[title]) for title, names in available.items()]
    figure = apply_neutral_layout(create_panels(titles, across=True, gap=PANEL_GAP), height=150)
    for column, title in enumerate(available, start=1):
        for name, colour in colours[title].items():
            figure.add_trace(training_curve(log, run_starts, name, colour), row=1, col=column)
    for step in run_starts:
        figure.add_vline(step, line={"color": palette["text"], "width": 1, "dash": "dot"})
    figure.update_xaxes(**training_axis(palette), tickformat=",")
    figure.update_yaxes(**training_axis(palette), rangemode="tozero")
    return figure.update_layout(
        font={"color": palette["text"]}, showlegend=False, margin={"l": 44, "r": 12, "t": 22, "b": 22}
    )


def training_title(title: str, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """A panel's title with the names of its curves in their colours, if they have names."""
    curve_names = join_list(
        f'<span style="color:{colours[name]}">{label}</span>' for name, label in names.items() if label
    )
    return words.PANEL.format(title=title, curves=curve_names) if curve_names else title


def training_curve(
    log: Sequence[Mapping[str, float | int]], run_starts: Sequence[int], name: str, colour: str
) -> go.Scatter:
    """One value of the log over its steps, interrupted at the start of each further run."""
    points = [(line["step"], line[name]) for line in log if name in line]
    gaps = [(step, None) for step in run_starts]
    rows = sorted([*points, *gaps], key=lambda point: (point[0], point[1] is None))
    return go.Scatter(
        x=[step for step, _ in rows],
        y=[value for _, value in rows],
        mode="lines+markers" if name == "dev_loss" or len(points) == 1 else "lines",
        marker={"size": 4},
        line={"color": colour, "width": 1.5},
        name=name,
        hovertemplate=f"{words.POINT}<extra></extra>",
    )


def training_axis(palette: Mapping[str, str]) -> dict[str, Any]:
    """An axis of the training curves."""
    return {
        "gridcolor": palette["masked"],
        "griddash": "dot",
        "zeroline": False,
        "nticks": 5,
        "exponentformat": "none",
        "separatethousands": True,
    }


def training_tab(app: AppContext) -> list[Component]:
    """The checkpoint's story, if it has one, and its record."""
    record, story = app.translator.record, app.story
    runs = runs_of(record)
    log = joined_log(runs)
    is_toy = app.about is not None
    parts = [Component("summary", html=f"<p>{escape(summary_text(app.translator))}</p>")]
    if reason := why_no_story(app, runs, log):
        parts.append(Component("no-story", html=f'<div class="prose">{markdown(reason)}</div>'))
    if story or log:
        parts.append(training_player(runs, story, is_toy=is_toy))
    texts = (f"{model_text(app.translator)}\n\n{runs_text(runs) if runs else ''}", data_text(record))
    columns = "".join(f'<div class="prose">{markdown_with_html(text)}</div>' for text in texts)
    return [*parts, Component("record", html=f'<div class="columns">{columns}</div>')]


def why_no_story(app: AppContext, runs: Sequence[Record], log: Sequence[Any]) -> str:
    """Why there is no story or no curve; empty if there are both."""
    fault, reasons = app.story_file.fault, []
    if fault:
        reasons.append(words.STORY_REFUSED.format(fault=fault))
    elif not app.story and not runs:
        return words.NO_RUN["converted" if "origin" in app.translator.record else "unknown"]
    elif not app.story and app.about is None:  # a toy model needs no story
        reasons.append(words.NO_STORY)
    return "\n\n".join([*reasons, *([] if log else [words.MISSING["log"]])])


def training_player(runs: list[dict[str, Any]], story: Path | None, *, is_toy: bool = False) -> Component:
    """The curves of runs that have a log, and the player of a story above an attention view, if there is one.

    The browser fetches the story's file (story.py) once, when the component is first shown, and sends no other
    requests. The training of a toy model has no dropout or label smoothing.
    """
    controls = transport(words.TRANSPORT, slider="moment", status="where")
    texts = {**words.HTML, "tab_label": words.TAB, "transport": controls, "viewer": viewer_html() if story else ""}
    log, later_starts, panels = joined_log(runs), start_steps(runs)[1:], (words.LOSSES, words.PACE)
    curves = {
        "figures": {
            theme: [training_curves(log, curves, later_starts, palette).to_plotly_json() for curves in panels]
            for theme, palette in PALETTES.items()
        },
        "steps": [line["step"] for line in log],
        "hint": "" if is_toy else f"{words.CURVES} {words.CURVES_OF_RUNS}" if later_starts else words.CURVES,
    }
    labels = {example["sentence"]: example["shows"] for example in examples()}
    settings = {
        **viewer_settings(words.STORY_EXPLANATIONS, words.STORY_QUERIES, words.STORY_WORD_QUERIES),
        "view": asdict(View(level="heads", whole=True, step=0)),
        "keys": {},  # the arrow keys move through the moments, not the steps
        "curves": curves if log else None,
        "story": {"url": url(story), "text": words.STORY, "labels": labels} if story else None,
    }
    files = [story.resolve()] if story else []
    return file_component(FOLDER / "training", texts, settings, (STYLE,), files=files)
