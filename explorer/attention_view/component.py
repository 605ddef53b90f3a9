"""The attention view: its initial state, its figures and HTML, its settings and its component."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal
from unicodedata import east_asian_width

from explorer.recording.trace import Choice
from explorer.ui import words as shared_words
from explorer.ui.component import (
    PLOTLY_JS,
    TRANSPORT_STYLE,
    Component,
    fill_template,
    pickers,
    read_css,
    transport,
    url,
)
from explorer.ui.glossary import link_terms
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.palette import CLEAR, LIGHT, MONOSPACE, NO_TEMPLATE, PALETTES, ink, page_font
from explorer.ui.translations import Translations
from model.probe import Kind

FOLDER = Path(__file__).parent
words = Translations(__file__)
STYLES = (TRANSPORT_STYLE, FOLDER / "viewer.css")
TITLE_SIZE = 14  # pixels
TITLE_LETTERS = 16  # of a line of the rows' title
LINE_PARTS = re.compile(r"[^ ：，]+[ ：，]*")


def attention_frame(
    kind: str,
    palette: Mapping[str, str] = LIGHT,
    transposed: bool = False,
    queries: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The heatmap of a kind of attention without its data: colours, axes, fonts, hatching, and what marks a step.

    It is Plotly's JSON. The notebook (`explorer.notebook.heatmap`) and the page (heatmap.js) fill arrays and labels
    into it; a test compares the two. `queries` are the titles of rows by kind, by default pieces.
    """
    titles = axis_titles(queries or words.QUERIES, words.KEYS)[kind]
    down, along = (titles["key"], titles["query"]) if transposed else (titles["query"], titles["key"])
    layout = {
        "annotations": [rows_title(down)],
        "font": {"color": palette["text"], "family": page_font(), "size": 12},
        "margin": {"b": 10, "l": 130, "r": 10, "t": 90},  # at least, for the title of the rows
        "modebar": {"activecolor": palette[kind], "bgcolor": CLEAR, "color": palette["text"]},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "shapes": marks(palette[kind], palette),
        "template": NO_TEMPLATE,
        "xaxis": frame_axis(side="top", tickangle=-60, title={"text": along, "font": {"size": TITLE_SIZE}}),
        "yaxis": frame_axis(autorange=False),
    }
    return {"data": empty_traces(kind, palette), "layout": layout}


def axis_titles(queries: Mapping[str, str], keys: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The titles of the queries and keys of every kind."""
    return {
        kind: {
            "query": words.AXES["query"].format(pieces=queries[kind]),
            "key": words.AXES["key"].format(pieces=keys[kind]),
        }
        for kind in shared_words.KIND_TITLES
    }


def rows_title(text: str) -> dict[str, Any]:
    """The title of the rows, in the corner above their labels: upright, it would be longer than a low figure."""
    return {
        "text": "<br>".join(break_lines(text, TITLE_LETTERS)),
        "align": "right",
        "borderpad": 0,
        "font": {"size": TITLE_SIZE},
        "showarrow": False,
        "x": 0,
        "xref": "paper",
        "xanchor": "right",
        "xshift": -3,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 3,
    }


def break_lines(text: str, letters: int) -> list[str]:
    """A text in lines of so many letters, where a Chinese one counts twice and may begin a line after punctuation.

    Nothing measures a figure in a notebook; the page breaks the same title by its pixels (plot.js).
    """
    lines = [""]
    for part in LINE_PARTS.findall(text):
        if lines[-1] and width_of(lines[-1] + part.rstrip()) > letters:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def width_of(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def frame_axis(**more: object) -> dict[str, Any]:
    """An axis without lines, with monospaced labels."""
    return {
        "automargin": True,
        "showgrid": False,
        "tickfont": {"family": page_font(MONOSPACE), "size": 11},
        "ticklabeloverflow": "allow",  # otherwise Plotly measures every label twice, the slowest part
        "ticks": "",
        "zeroline": False,
        **more,
    }


def empty_traces(kind: str, palette: Mapping[str, str]) -> list[dict[str, Any]]:
    """The cells, and the hatching of masked ones."""
    weights = {
        "colorbar": {"len": 1, "outlinewidth": 0, "thickness": 10, "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        "colorscale": ink(palette[kind]),
        "hoverongaps": False,
        "hovertemplate": "%{text}<extra></extra>",
        "zmax": 1,
        "zmin": 0,
        "type": "heatmap",
    }
    masked = {
        "fill": "toself",
        "fillpattern": {"bgcolor": CLEAR, "fgcolor": palette["masked"], "shape": "/", "size": 6, "solidity": 0.2},
        "hoverinfo": "skip",
        "line": {"width": 0},
        "mode": "lines",
        "showlegend": False,
        "type": "scatter",
    }
    return [weights, masked]


def marks(colour: str, palette: Mapping[str, str]) -> list[dict[str, object]]:
    """Rectangles over the cells, from the lowest to the topmost; the notebook and the page place them.

    On the page they cover the rows and columns that are not known yet, so that a step changes no value.
    """
    cover = {"fillcolor": palette["ground"], "line": {"width": 0}}
    styles: dict[str, dict[str, object]] = {
        "later": cover,
        "beyond": cover,
        "edge": {"line": {"color": "rgba(128,128,128,0.3)", "width": 1}},
        "pinned": {"line": {"color": colour, "width": 2, "dash": "dash"}},
        "mark": {"line": {"color": colour, "width": 2}},
        "cell": {"line": {"color": palette["ink"], "width": 2}},
    }
    return [{"type": "rect", "name": name, **style} for name, style in styles.items()]


LayerChoice = Choice | Literal["rollout"]  # across all layers (explorer/recording/rollout.py): of the mean of heads


@dataclass(frozen=True)
class View:
    """The choices of the attention view; the defaults are those of a first visit.

    The browser limits a view to the trace: a layer, head or step beyond the end becomes the last one.
    """

    level: Literal["picture", "heads"] | None = None  # None: as stored in the browser
    kind: Kind = "cross"
    layer: LayerChoice = 1_000_000  # the last layer of any model: its cross-attention aligns most visibly
    head: Choice = "mean"
    measure: Literal["weight", "length"] = "weight"  # "length": explorer/recording/vector_lengths.py
    step: int | None = None  # None: the default step (explorer/derived/default_step.js)
    pin: dict[str, str | int] | None = None  # axis ("query" or "key") and index of the pinned row or column
    look: Literal["heatmap", "ribbon", "table"] = "heatmap"
    whole: bool = False  # all decoding steps, instead of those up to the current one
    scale: Literal["fixed", "row", "auto"] = "fixed"  # colours: 0 to 1, each row's maximum, or the map's maximum
    specials: bool = True  # False: start and end are hidden as keys, and the rows renormalised
    transposed: bool = False  # True: keys down the rows, queries along the columns
    words: bool = False  # the sentences in words instead of pieces
    speed: Literal[1, 2, 5, 15, 60] = 2  # steps a second while playing
    compared: Literal["one", "beside", "difference"] = "one"  # of two runs (comparison.js): both maps, or a difference
    cell: dict[str, int] | None = None  # query and key of the selected cell, which a blackboard explains


INITIAL_VIEW = View()  # of a first visit


def frames(palette: Mapping[str, str], queries: Mapping[str, str]) -> dict[str, object]:
    """The empty figures of every kind, which the browser fills."""
    return {
        layout: {
            kind: attention_frame(kind, palette, layout == "transposed", queries) for kind in shared_words.KIND_TITLES
        }
        for layout in ("upright", "transposed")
    }


def explanation_html(heads: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The HTML of the explanation of every kind, by level; `heads` are the texts for single heads."""
    length: str = words.LENGTH
    texts = {
        "heads": heads,
        "picture": words.PLAIN_EXPLANATIONS,
        "length": dict.fromkeys(shared_words.KIND_TITLES, length),
        "rollout": words.ROLLOUT_EXPLANATIONS,
    }
    return {level: {kind: link_terms(text) for kind, text in by_kind.items()} for level, by_kind in texts.items()}


def viewer_settings(
    explanations: Mapping[str, str] | None = None,
    queries: Mapping[str, str] | None = None,
    word_queries: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The settings to draw any trace: figures, colours and words; `queries` are the titles of rows by kind.

    `word_queries` are those of rows in words. All three have defaults.
    """
    rows = queries or words.QUERIES
    return {
        "frames": {theme: frames(palette, rows) for theme, palette in PALETTES.items()},
        "colours": PALETTES,
        "axes": axis_titles(rows, words.KEYS),
        "wordAxes": axis_titles(word_queries or words.WORD_QUERIES, words.WORD_KEYS),
        "text": {
            **words.TEXT,
            "status": shared_words.STEP,
            "fork": shared_words.FORK,
            "excluded": shared_words.EXCLUDED,
            "plain": words.PLAIN,
            "noFont": shared_words.NO_FONT,
        },
        "codes": LANGUAGE_CONTEXT.get().codes(),
        "kinds": shared_words.KIND_TITLES,
        "kindNames": shared_words.KIND_NAMES,
        "plainKinds": words.PLAIN_KINDS,
        "heads": shared_words.HEADS,
        "explanations": explanation_html(explanations or words.EXPLANATIONS),
        "plotly": url(PLOTLY_JS),
    }


def viewer_html() -> str:
    """The view's HTML with its words, for its own component or as a part of another."""
    parts = {
        "transport": transport(shared_words.TRANSPORT, slider="slider", status="status"),
        "pickers": pickers(),
    }
    return fill_template(FOLDER / "viewer.html", {**words.HTML, **parts})


def attention_viewer(
    trace: str,
    *,
    named: Mapping[str, Any] | None = None,
    has_tabs: bool = False,
) -> Component:
    """The attention view with its first trace, a payload as JSON.

    The browser handles all interaction. It requests `weights` of a sentence and kind if a trace is too large for one
    response, and `lengths` of vectors when the user selects that measure. `has_tabs` says whether other tabs follow
    this view. `named` holds the names of measured heads (head_names.js).
    """
    request_area = "#ask, #examples"  # focus moves from there to the picture
    choices = {"hasTabs": has_tabs, "changes": True, "asking": request_area, "lengths": True}
    return Component(
        "viewer",
        html=viewer_html(),
        css=read_css(*STYLES),
        module=FOLDER / "viewer.js",
        settings={
            **viewer_settings(),
            **choices,
            "named": named,
            "view": asdict(INITIAL_VIEW),
            "trace": trace,
        },
    )
