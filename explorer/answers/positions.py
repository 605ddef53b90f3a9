"""What the answers of Positions in the browser take from Python: the figures without their numbers, and the texts.

A figure is one that Python drew for a few positions; positions.js replaces the numbers. A text is HTML in which names
in braces, with their formats, stand for numbers.
"""

import json
from typing import Any, get_args

import numpy as np
import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder

from explorer.tabs.positions import words
from explorer.tabs.positions.answers import MAX_DIMENSIONS
from explorer.tabs.positions.figures import (
    distance_panels,
    positions_curves,
    positions_heatmap,
    similarity_curve,
    similarity_heatmap,
    token_strips,
    turn_figure,
    wavelength_figure,
)
from explorer.tabs.positions.sinusoids import Measure, similarity, similarity_by_distance
from explorer.tabs.positions.table import PositionTable
from explorer.ui.figures import MAX_COLUMN_LETTERS, MAX_LABELS
from explorer.ui.prose import prose
from explorer.ui.translations import LocalFormatter
from model.decoding import Translator

FIRST_NUMBER = 900_001  # numbers that no text contains, which stand for values until a text is HTML
FEW = 2  # positions, or pieces


class Placeholder:
    """Stands for a value in `str.format`, and remembers the format that the text gives it."""

    def __init__(self, number: int):
        self.number, self.spec = number, ""

    def __format__(self, spec: str) -> str:
        self.spec = f":{spec}" if spec else ""
        return str(self.number)


class Placeholders(dict[str, Any]):
    """Values for `str.format`; what is missing gets a placeholder."""

    def __missing__(self, name: str) -> Placeholder:
        self[name] = Placeholder(FIRST_NUMBER + len(self))
        return self[name]


def html_template(text: str, **values: str) -> str:
    """A text of the catalogue as HTML, with names and formats in braces for all but `values`."""
    found = Placeholders(values)
    html = prose(LocalFormatter().vformat(text, (), found))
    for name, value in found.items():
        if isinstance(value, Placeholder):
            html = html.replace(str(value.number), f"{{{name}{value.spec}}}")
    return html


def figure_json(figure: go.Figure) -> dict[str, Any]:
    return json.loads(json.dumps(figure, cls=PlotlyJSONEncoder))


def positions_data(translator: Translator) -> dict[str, Any]:
    table, config = PositionTable.of(translator), translator.model.config
    scale, added = translator.model.encoder.embedding.scale, table.kind != "none"
    kind = "added" if added else "none"
    return {
        "kind": table.kind,
        "trained": table.trained,
        "shown": table.shown,
        "tied": {"encoder": config.tying == "all", "decoder": config.tying in ("all", "output")},
        "maxLabels": MAX_LABELS,
        "maxLetters": MAX_COLUMN_LETTERS,
        "figures": {**(table_figures(table) if added else {}), **sentence_figures(scale, kind)},
        "texts": {**(table_texts(table) if added else {}), **sentence_texts(kind)},
    }


def table_figures(table: PositionTable) -> dict[str, Any]:
    """The figures about the table itself: all that they may contain, with the numbers of a few positions."""
    few, order = table.vectors[:FEW], table.kind
    similar = similarity(few, "cosine")
    wavelengths = None if table.waves is None else figure_json(wavelength_figure(table.waves, table.trained, order))
    turn = turn_figure(few[:, :2], 0, 1, None if order == "learned" else 1.0, order)
    measures: tuple[Measure, ...] = get_args(Measure)
    return {
        "heatmap": figure_json(positions_heatmap(few, (0, 0), trained=1)),
        "curves": figure_json(positions_curves(few, range(min(MAX_DIMENSIONS, table.width)), table.waves, order)),
        "wavelengths": wavelengths,
        "similarity": {measure: figure_json(similarity_heatmap(similar, measure)) for measure in measures},
        "similarity-curve": {
            measure: figure_json(similarity_curve(similarity_by_distance(similar), measure)) for measure in measures
        },
        "turn": figure_json(turn),
    }


def sentence_figures(scale: float, kind: str) -> dict[str, Any]:
    """The figures about sentences; those of pieces with the factor and without."""
    rows, labels = np.ones((FEW, FEW)), [""] * FEW
    panels = [(name, rows) for name in words.ORDER_PANELS[kind]]

    def strips(factor: str) -> go.Figure:
        names = [words.STRIPS[factor].format(scale=scale), words.STRIPS["positions"], words.STRIPS["stream"]]
        shown = names if kind == "added" else names[:1]
        return token_strips(labels, [(name, rows) for name in shown], [np.ones(FEW)] * len(shown))

    return {
        "pieces": {factor: figure_json(strips(factor)) for factor in ("scaled", "unscaled")},
        "order": figure_json(distance_panels(labels, labels, panels)),
    }


def table_texts(table: PositionTable) -> dict[str, Any]:
    """Names and hover texts of curves, the formula for a sine and for a cosine, and the error of a shift."""
    formulas = [
        html_template(
            words.FORMULA[table.kind], name=words.WAVE_NAMES[cosine], half=words.HALVES[cosine], function=function
        )
        for cosine, function in enumerate(("sin", "cos"))
    ]
    figures = {name: words.FIGURES[name] for name in ("trained", "wave", "curve", "point", "one", "hand")}
    errors = {name: html_template(words.ERROR[name]) for name in (table.kind, "undetermined")}
    return {**figures, "formula": formulas, "error": errors[table.kind], "undetermined": errors["undetermined"]}


def sentence_texts(kind: str) -> dict[str, Any]:
    """The text about the mistake is by whether the pieces drown, and then by whether the output shares their table."""
    mistakes = [
        [html_template(words.MISTAKE, drowned=drowned, tied=tied) for tied in ("", words.TIED)]
        for drowned in ("", words.DROWNED)
    ]
    return {
        "norms": html_template(words.NORMS if kind == "added" else words.NOTHING_ADDED),
        "mistake": mistakes if kind == "added" else None,
        "pair": words.FIGURES["pair"],
        "result": html_template(words.ORDER_RESULT[kind]),
        "twoSentences": prose(words.TWO_SENTENCES),
        "otherPieces": words.OTHER_PIECES,
    }
