"""The curves of a training and the player of its story, as one component that runs in the browser."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLE, viewer_html, viewer_settings
from explorer.attention_view.view import View
from explorer.recording.sentence import examples
from explorer.tabs.training import words
from explorer.tabs.training.figures import training_curves
from explorer.ui.component import Component, fill_template, read_css, transport, url
from explorer.ui.palette import DARK, LIGHT
from model.checkpoints.record import joined_log, start_steps

FOLDER = Path(__file__).parent


def training_player(runs: list[dict[str, Any]], story: Path | None, *, is_toy: bool = False) -> Component:
    """The curves of runs that have a log, and the player of a story above an attention view, if there is one.

    The browser fetches the story's file (story.py) once, when the component is first shown, and sends no other
    requests. The training of a toy model has no dropout or label smoothing.
    """
    controls = transport(words.TRANSPORT, slider="moment", status="where")
    texts = {**words.HTML, "transport": controls, "viewer": viewer_html() if story else ""}
    log, later_starts, panels = joined_log(runs), start_steps(runs)[1:], (words.LOSSES, words.PACE)
    curves = {
        "figures": {
            theme: [training_curves(log, curves, later_starts, palette).to_plotly_json() for curves in panels]
            for theme, palette in (("light", LIGHT), ("dark", DARK))
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
    return Component(
        "training",
        html=fill_template(FOLDER / "training.html", texts),
        css=read_css(STYLE, FOLDER / "training.css"),
        module=FOLDER / "training.js",
        settings=settings,
        files=[story.resolve()] if story else [],
    )
