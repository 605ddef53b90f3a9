"""A worksheet: the last layer's mean cross-attention by words, and its pages as HTML, two of them with exercises.

Pictures are SVG in millimetres. explorer/answers/handout/sheets.js draws the same in the browser, with the same
template and sizes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
from jaxtyping import Float

from explorer.handout.inline import fill_placeholders
from explorer.recording.default_step import default_step
from explorer.recording.splitting import is_punctuation, joined_text, joined_words
from explorer.recording.trace import Trace
from explorer.ui.component import fill_template
from explorer.ui.language import LANGUAGE_CONTEXT, format_decimal
from explorer.ui.scripts import isolate
from explorer.ui.translations import Translations
from model.errors import UserError

FOLDER = Path(__file__).parent
words = Translations(__file__)
TEMPLATE, STYLE = FOLDER / "sheets.html", FOLDER / "sheets.css"
WIDTH_MM = 180.0  # between the margins of A4
MAX_HEATMAP_HEIGHT_MM = 102.0
MAX_CELL_MM = 10.0
FONT_SIZE_MM = 3.3
LETTER_WIDTH_MM = 2.0  # about
SLANT = 0.87  # height of a slanted label per length
SHADES = 10  # of grey: weights are shown to one decimal
LINE_MM = 7.0  # preferred distance between words in the drawing
DRAWING_WIDTH_MM = 66.0
MAX_DRAWING_HEIGHT_MM = 150.0  # on the first page
MAX_KEY_DRAWING_HEIGHT_MM = 92.0  # among the answers
MAX_LABEL_LETTERS = 20

MAX_WORDS = 24  # of the sentence, with its end, and of the translation
MAX_ROWS_TO_GUESS = 12
ROWS_TO_READ = 2


class TooManyWordsError(UserError):
    """The sentence or its translation has too many words for a page."""


@dataclass(frozen=True, eq=False)
class Worksheet:
    """A word-level attention map, and the rows that exercises use."""

    sentence: str
    translation: str
    columns: tuple[str, ...]  # words of the sentence, with its end
    rows: tuple[str, ...]  # words of the translation, without its end
    weights: Float[np.ndarray, "row column"]
    rows_to_guess: tuple[int, ...]  # students guess the strongest column
    rows_to_read: tuple[int, ...]  # students read the weights to one decimal
    heads: int

    @property
    def strongest(self) -> list[int]:
        """The strongest column of every row."""
        return self.weights.argmax(axis=1).tolist()

    @property
    def crossings(self) -> int:
        """The number of crossings of the lines from the rows to guess to their strongest columns."""
        ends = [self.strongest[row] for row in self.rows_to_guess]
        return sum(first > second for i, first in enumerate(ends) for second in ends[i + 1 :])


def worksheet_of(trace: Trace) -> Worksheet:
    """The worksheet of a trace. Raises TooManyWordsError with a sentence for the user."""
    keys = joined_words(trace.source)
    target = (trace.steps[0].fed, *(step.predicted for step in trace.steps))
    groups = [group for group in joined_words(target) if not target[group[0]].special]
    if max(len(keys), len(groups)) > MAX_WORDS:
        count = max(len(keys), len(groups))
        raise TooManyWordsError(words.TOO_LONG.format(words=count, limit=MAX_WORDS))
    queries = [[place - 1 for place in group] for group in groups]  # a piece is predicted in the row before its own
    layers, heads, *_ = trace.cross.weights.shape
    weights = sum_by_words(trace.cross.matrix(layers - 1, "mean"), queries, keys)
    rows_to_guess = select_rows_to_guess([joined_text(target, group) for group in groups])
    default_row = next((row for row, query in enumerate(queries) if default_step(trace) in query), 0)
    return Worksheet(
        sentence=trace.sentence,
        translation=trace.translation,
        columns=tuple(joined_text(trace.source, group) for group in keys),
        rows=tuple(joined_text(target, group) for group in groups),
        weights=weights,
        rows_to_guess=rows_to_guess,
        rows_to_read=select_rows_to_read(weights, rows_to_guess, default_row),
        heads=heads,
    )


def sum_by_words(
    weights: Float[np.ndarray, "query key"], queries: list[list[int]], keys: list[list[int]]
) -> Float[np.ndarray, "row column"]:
    """Weights between words: summed over the pieces of a key, averaged over those of a query."""
    return np.array([[weights[np.ix_(row, column)].sum() / len(row) for column in keys] for row in queries])


def select_rows_to_guess(rows: list[str]) -> tuple[int, ...]:
    """The longest words, at most MAX_ROWS_TO_GUESS, in their order, without punctuation."""
    candidates = [row for row, text in enumerate(rows) if not is_punctuation(text)]
    return tuple(sorted(sorted(candidates, key=lambda row: -len(rows[row]))[:MAX_ROWS_TO_GUESS]))


def select_rows_to_read(
    weights: Float[np.ndarray, "row column"], rows_to_guess: Sequence[int], default_row: int
) -> tuple[int, ...]:
    """The row of the default step, and the row to guess whose weights have the highest entropy."""
    entropy = -(weights * np.log(np.maximum(weights, 1e-12))).sum(axis=1)
    by_entropy = sorted((row for row in rows_to_guess if row != default_row), key=lambda row: -entropy[row])
    return tuple(sorted((default_row, *by_entropy[: ROWS_TO_READ - 1])))


def sheets(sheet: Worksheet) -> str:
    """All three pages, with the texts escaped."""
    return fill_placeholders(sheets_template(sheet.heads), sheet_parts(sheet))


def sheets_template(heads: int) -> str:
    """The HTML of the pages with a placeholder for each of `sheet_parts`; `heads` is the number in a layer."""
    titles = {name: title for name, (title, _) in words.SHEET.items()}
    tasks = {f"{name}_task": task.format(heads=heads) for name, (_, task) in words.SHEET.items()}
    labels = {
        **dict(zip(("name", "date"), words.BLANKS, strict=True)),
        **dict(zip(("source", "target"), words.SIDES, strict=True)),
        **dict(zip(("crossing_lines", "moved_words"), words.ORDER_BLANKS, strict=True)),
    }
    texts = {"title": words.SHEET_TITLE, "intro": words.INTRO, "thought": words.THOUGHT}
    key = {"key_title": words.KEY_TITLE, "key_intro": words.KEY_INTRO.format(heads=heads)}
    return fill_template(TEMPLATE, {**titles, **tasks, **labels, **texts, **key})


def sheet_parts(sheet: Worksheet) -> dict[str, str]:
    """What is different on every worksheet, as HTML by the names of the placeholders."""
    return {
        "sentence": escape(sheet.sentence),
        "translation": escape(sheet.translation),
        "guesses": guesses(sheet),
        "drawing": drawing(sheet),
        "heatmap": heatmap(sheet),
        "weights": weights(sheet),
        "guesses_answers": guesses(sheet, with_answers=True),
        "drawing_answers": drawing(sheet, with_answers=True),
        "weights_answers": weights(sheet, with_answers=True),
        "crossings": escape(words.CROSSINGS.format(count=sheet.crossings)),
    }


def language_attributes(side: str) -> str:
    """The HTML attributes of a text in the model's source or target language."""
    return f'{lang_attribute(side)} dir="{LANGUAGE_CONTEXT.get().directions()[side]}"'


def lang_attribute(side: str) -> str:
    """The lang attribute alone, for SVG, where `dir` would flip a text around its anchor."""
    return f' lang="{escape(LANGUAGE_CONTEXT.get().codes()[side])}"'


def guesses(sheet: Worksheet, *, with_answers: bool = False) -> str:
    """A table of the rows to guess; with answers, the strongest word of each and its weight."""
    header = words.KEY_HEADER if with_answers else words.GUESS_HEADER
    rows = []
    for row in sheet.rows_to_guess:
        column = sheet.strongest[row]
        answer = f"{column + 1}  {sheet.columns[column]}" if with_answers else ""
        last = format_decimal(float(sheet.weights[row, column]), 1) if with_answers else ""
        cells = f"<td{language_attributes('source')}>{escape(answer)}</td><td>{last}</td>"
        rows.append(f'<tr><th scope="row"{language_attributes("target")}>{escape(sheet.rows[row])}</th>{cells}</tr>')
    return table("guesses answers" if with_answers else "guesses", header, rows)


def weights(sheet: Worksheet, *, with_answers: bool = False) -> str:
    """A table of the rows to read: blanks for the weights, or the weights."""
    header = ("", *(f"{i}" for i in range(1, len(sheet.columns) + 1)))
    rows = [
        f'<tr><th scope="row"{language_attributes("target")}>{escape(sheet.rows[row])}</th>'
        + "".join(
            f"<td>{format_decimal(float(weight), 1) if with_answers else ''}</td>" for weight in sheet.weights[row]
        )
        + "</tr>"
        for row in sheet.rows_to_read
    ]
    return table("weights", header, rows)


def table(name: str, header: Sequence[str], rows: list[str]) -> str:
    cells = "".join(f'<th scope="col">{escape(text)}</th>' for text in header)
    return f'<table class="{name}"><thead><tr>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def heatmap(sheet: Worksheet) -> str:
    """The heatmap in eleven greys, with its scale."""
    rows, columns = sheet.weights.shape
    numbered_columns = [f"{i} {isolate(text)}" for i, text in enumerate(sheet.columns, start=1)]
    left = min(40.0, LETTER_WIDTH_MM * max(map(len, sheet.rows)) + 3)
    top = min(34.0, SLANT * LETTER_WIDTH_MM * max(map(len, numbered_columns)) + 4)
    cell = min(MAX_CELL_MM, (WIDTH_MM - left - 26) / columns, (MAX_HEATMAP_HEIGHT_MM - top) / rows)
    size = min(FONT_SIZE_MM, 0.8 * cell)
    parts = [
        rect(left + column * cell, top + row * cell, cell, cell, weight)
        for row, row_weights in enumerate(sheet.weights)
        for column, weight in enumerate(row_weights)
    ]
    for row, text in enumerate(sheet.rows):
        parts.append(label(left - 1.5, top + (row + 0.5) * cell + 1, text, "target", anchor="end", size=size))
    for column, text in enumerate(numbered_columns):
        x, y = left + (column + 0.6) * cell, top - 1.5
        parts.append(label(x, y, text, "source", transform=f"rotate(-60 {x:.2f} {y:.2f})", size=size))
    parts.append(scale(left + columns * cell + 8, top))
    height = top + max(rows * cell, 5.0 * (SHADES + 1)) + 1
    return svg("heatmap", WIDTH_MM, height, parts, words.PICTURE.format(rows=rows, columns=columns))


def scale(x: float, y: float) -> str:
    """The greys and their weights, largest first."""
    steps = range(SHADES, -1, -1)
    return "".join(
        rect(x, y + 5 * i, 6.0, 5.0, step / SHADES) + label(x + 8, y + 5 * i + 3.6, format_decimal(step / SHADES, 1))
        for i, step in enumerate(steps)
    )


def drawing(sheet: Worksheet, *, with_answers: bool = False) -> str:
    """Source and target words with dots to connect; with answers, connected to the strongest word."""
    parts = []
    rows, width = sheet.rows_to_guess, DRAWING_WIDTH_MM
    max_height = MAX_KEY_DRAWING_HEIGHT_MM if with_answers else MAX_DRAWING_HEIGHT_MM
    height = min(max_height, LINE_MM * max(len(sheet.columns), len(rows)))
    spacing = height / len(sheet.columns), height / max(1, len(rows))
    left, right = 0.37 * width, 0.7 * width
    for i, text in enumerate(sheet.columns):
        y = (i + 0.5) * spacing[0]
        parts += [label(left - 2, y + 1, f"{i + 1} {isolate(text)}", "source", anchor="end"), dot(left, y)]
    for i, row in enumerate(rows):
        y = (i + 0.5) * spacing[1]
        parts += [label(right + 2, y + 1, sheet.rows[row], "target"), dot(right, y)]
        if with_answers:
            end = (sheet.strongest[row] + 0.5) * spacing[0]
            parts.append(f'<path d="M{left:.2f} {end:.2f}L{right:.2f} {y:.2f}" stroke="#000" stroke-width="0.4"/>')
    return svg("drawing", width, height, parts, words.DRAWING)


def svg(name: str, width: float, height: float, parts: list[str], description: str) -> str:
    """An SVG; width and height are in millimetres, and screen readers read the description."""
    size = f'width="{width:.1f}mm" height="{height:.1f}mm" viewBox="0 0 {width:.1f} {height:.1f}"'
    return f'<svg class="{name}" {size} role="img" aria-label="{escape(description)}">{"".join(parts)}</svg>'


def rect(x: float, y: float, width: float, height: float, weight: float) -> str:
    shade = round(SHADES * weight) / SHADES
    attributes = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    return f'<rect {attributes} fill="#000" fill-opacity="{shade:.1f}" stroke="#999" stroke-width="0.15"/>'


def dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.7"/>'


def label(
    x: float,
    y: float,
    text: str,
    side: str = "",
    anchor: str = "start",
    transform: str = "",
    size: float = FONT_SIZE_MM,
) -> str:
    """An SVG text, in the language of a side if one is given."""
    attributes = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="{anchor}"' + (
        f' transform="{transform}"' if transform else ""
    )
    return f"<text{lang_attribute(side) if side else ''} {attributes}>{escape(shorten(text))}</text>"


def shorten(text: str, letters: int = MAX_LABEL_LETTERS) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
