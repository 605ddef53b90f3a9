"""The browser side of the attention view: its HTML, its settings, and the component of Explore."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from explorer.attention_view import words
from explorer.attention_view.frame import attention_frame
from explorer.attention_view.view import View
from explorer.ui import words as shared_words
from explorer.ui.component import PLOTLY_JS, Component, fill_template, pickers, read_css, transport, url
from explorer.ui.glossary import linked
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.limits import LOW_CONFIDENCE
from explorer.ui.palette import DARK, LIGHT

FOLDER = Path(__file__).parent
STYLE = FOLDER / "viewer.css"
FIRST = View()  # what a first visit shows


def frames(palette: Mapping[str, str], queries: Mapping[str, str]) -> dict[str, object]:
    """The empty figures of every kind, for the browser to fill."""
    return {
        layout: {
            kind: attention_frame(kind, palette, layout == "transposed", queries).to_plotly_json()
            for kind in shared_words.KIND_TITLES
        }
        for layout in ("upright", "transposed")
    }


def explained(heads: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What is said of every kind, by level, with its terms linked; `heads` is what is said of single heads."""
    length: str = words.LENGTH
    texts = {
        "heads": heads,
        "picture": words.PLAIN_EXPLANATIONS,
        "length": dict.fromkeys(shared_words.KIND_TITLES, length),
        "rollout": words.ROLLOUT_EXPLANATIONS,
    }
    return {level: {kind: linked(text) for kind, text in said.items()} for level, said in texts.items()}


def viewer_settings(
    explanations: Mapping[str, str] | None = None,
    queries: Mapping[str, str] | None = None,
    word_queries: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What the browser needs to draw any trace: figures, colours and words; `queries` says what the rows are.

    `word_queries` says it of the rows in words. All three are those of the view unless others are given.
    """
    rows = queries or words.QUERIES
    rows_in_words = word_queries or words.WORD_QUERIES
    return {
        "frames": {"light": frames(LIGHT, rows), "dark": frames(DARK, rows)},
        "colours": {"light": LIGHT, "dark": DARK},
        "wordAxes": {
            kind: {
                "query": words.AXES["query"].format(pieces=rows_in_words[kind]),
                "key": words.AXES["key"].format(pieces=words.WORD_KEYS[kind]),
            }
            for kind in shared_words.KIND_TITLES
        },
        "text": {
            **words.TEXT,
            "status": shared_words.STEP,
            "fork": shared_words.FORK,
            "plain": words.PLAIN,
            "noFont": shared_words.NO_FONT,
        },
        "codes": LANGUAGE_CONTEXT.get().codes(),
        "kinds": shared_words.KIND_TITLES,
        "kindNames": shared_words.KIND_NAMES,
        "plainKinds": words.PLAIN_KINDS,
        "heads": shared_words.HEADS,
        "explanations": explained(explanations or words.EXPLANATIONS),
        "lowConfidence": LOW_CONFIDENCE,
        "plotly": url(PLOTLY_JS),
    }


def viewer_html() -> str:
    """The view's HTML with its words, for a component of its own or as a part of another."""
    parts = {
        "transport": transport(shared_words.TRANSPORT, slider="slider", status="status"),
        "pickers": pickers("role"),
    }
    return fill_template(FOLDER / "viewer.html", {**words.HTML, **parts})


def attention_viewer(trace: str, inside: str | None = None, lab: str | None = None) -> Component:
    """The attention view of Explore with its first trace, a payload as JSON.

    Stepping and choosing happen in the browser and never ask the server; only where a trace is too large for one
    answer, it is asked for the `weights` of a sentence and kind, and for `lengths`, what is added instead of what is
    looked at. `inside` and `lab` are the labels of the tabs that show the arithmetic of a cell and in which the German
    goes on with another candidate, where there are such tabs.
    """
    asking = "#ask, #examples"  # where a visitor asks for a trace: focus moves from there to its picture
    choices = {"inside": inside, "lab": lab, "forks": lab is not None, "asking": asking, "lengths": True}
    return Component(
        "viewer",
        html=viewer_html(),
        css=read_css(STYLE),
        module=FOLDER / "viewer.js",
        settings={**viewer_settings(), **choices, "view": asdict(FIRST), "trace": trace},
    )
