"""The sides of a worksheet as HTML: two to work on and one with the answers, pictures as SVG in millimetres."""

from html import escape
from pathlib import Path

from explorer.handout import words
from explorer.handout.worksheet import Worksheet
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.scripts import isolated

STYLE = Path(__file__).parent / "sheets.css"
WIDTH = 180.0  # millimetres between the margins of A4
HEIGHT = 102.0  # of the picture at most
LARGEST = 10.0  # of a cell
TYPE = 3.3  # of the pictures
LETTER = 2.0  # as wide, about
SLANT = 0.87  # how much of a slanted label's length goes up
SHADES = 10  # of the scale: weights are drawn and read to one decimal
LINE = 7.0  # from one word to the next in the drawing, where there is room
DRAWING = 66.0, 150.0, 92.0  # its width, and its height at most, on the first side and in the key


def sheets(sheet: Worksheet) -> str:
    """All three sides; nothing in a sentence is read as HTML."""
    sides = (side(guessing(sheet)), side(reading(sheet)), side(answers(sheet)))
    return f'<section class="sheets">{"".join(sides)}</section>\n'


def side(content: str) -> str:
    return f'<article class="sheet">{content}</article>\n'


def section(name: str, content: str, **values: object) -> str:
    title, task = words.SHEET[name]
    return f"<h2>{escape(title)}</h2><p>{escape(task.format(**values))}</p>{content}"


def language_attributes(side: str) -> str:
    """The attributes of HTML for a text of the model's source or target language."""
    return f'{named(side)} dir="{LANGUAGE_CONTEXT.get().directions()[side]}"'


def named(side: str) -> str:
    """That of SVG, where a direction of its own would turn a text around its anchor."""
    return f' lang="{escape(LANGUAGE_CONTEXT.get().codes()[side])}"'


def texts(sheet: Worksheet) -> str:
    source, target = words.SIDES
    return (
        f'<dl class="texts"><dt>{escape(source)}</dt><dd{language_attributes("source")}>{escape(sheet.sentence)}</dd>'
        f"<dt>{escape(target)}</dt><dd{language_attributes('target')}>{escape(sheet.translation)}</dd></dl>"
    )


def guessing(sheet: Worksheet) -> str:
    """The first side: what is guessed before the picture is seen."""
    blanks = "".join(f"<span>{escape(label)}</span><i></i>" for label in words.BLANKS)
    return (
        f'<div class="blanks">{blanks}</div><h1>{escape(words.SHEET_TITLE)}</h1><p>{escape(words.INTRO)}</p>'
        f'{texts(sheet)}<div class="columns"><div>{section("guess", guesses(sheet))}</div>'
        f"<div>{section('lines', drawing(sheet))}</div></div>"
    )


def reading(sheet: Worksheet) -> str:
    """The second side: the picture, and what is to be read from it."""
    lines = '<p class="line"></p>' * 2
    order = "".join(f"<p>{escape(label)} <i></i></p>" for label in words.ORDER_BLANKS)
    return (
        section("picture", picture(sheet), heads=sheet.heads)
        + section("weights", weights(sheet))
        + section("order", f'<div class="order">{order}</div>')
        + section("think", lines)
    )


def answers(sheet: Worksheet) -> str:
    """The third side, from the same numbers."""
    crossing = words.CROSSINGS.format(count=sheet.crossings)
    return (
        f"<h1>{escape(words.KEY_TITLE)}</h1>{texts(sheet)}<p>{escape(words.KEY_INTRO.format(heads=sheet.heads))}</p>"
        f'<div class="columns"><div><h2>{escape(words.SHEET["guess"][0])}</h2>{guesses(sheet, told=True)}</div>'
        f"<div><h2>{escape(words.SHEET['lines'][0])}, {escape(words.SHEET['order'][0])}</h2>"
        f"{drawing(sheet, told=True)}<p>{escape(crossing)}</p></div></div>"
        f"<h2>{escape(words.SHEET['weights'][0])}</h2>{weights(sheet, told=True)}"
        f"<h2>{escape(words.SHEET['think'][0])}</h2><p>{escape(words.THOUGHT)}</p>"
    )


def guesses(sheet: Worksheet, *, told: bool = False) -> str:
    """Rows to guess, with numbers to write; in the key the strongest word and its weight."""
    header = words.KEY_HEADER if told else words.GUESS_HEADER
    rows = []
    for row in sheet.asked:
        column = sheet.strongest[row]
        answer = f"{column + 1}  {sheet.columns[column]}" if told else ""
        last = f"{sheet.weights[row, column]:.1f}" if told else ""
        cells = f"<td{language_attributes('source')}>{escape(answer)}</td><td>{last}</td>"
        rows.append(f'<tr><th scope="row"{language_attributes("target")}>{escape(sheet.rows[row])}</th>{cells}</tr>')
    return table("guesses told" if told else "guesses", header, rows)


def weights(sheet: Worksheet, *, told: bool = False) -> str:
    """Rows to read: a blank for every word of the sentence, or what stands there."""
    header = ("", *(f"{i}" for i in range(1, len(sheet.columns) + 1)))
    rows = [
        f'<tr><th scope="row"{language_attributes("target")}>{escape(sheet.rows[row])}</th>'
        + "".join(f"<td>{f'{weight:.1f}' if told else ''}</td>" for weight in sheet.weights[row])
        + "</tr>"
        for row in sheet.read
    ]
    return table("weights", header, rows)


def table(name: str, header: tuple[str, ...], rows: list[str]) -> str:
    cells = "".join(f'<th scope="col">{escape(text)}</th>' for text in header)
    return f'<table class="{name}"><thead><tr>{cells}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def picture(sheet: Worksheet) -> str:
    """The heatmap in eleven greys, with their scale."""
    rows, columns = sheet.weights.shape
    numbered = [f"{i} {isolated(text)}" for i, text in enumerate(sheet.columns, start=1)]
    left = min(40.0, LETTER * max(map(len, sheet.rows)) + 3)
    top = min(34.0, SLANT * LETTER * max(map(len, numbered)) + 4)
    cell = min(LARGEST, (WIDTH - left - 26) / columns, (HEIGHT - top) / rows)
    size = min(TYPE, 0.8 * cell)
    parts = [
        rect(left + column * cell, top + row * cell, cell, cell, weight)
        for row, line in enumerate(sheet.weights)
        for column, weight in enumerate(line)
    ]
    for row, text in enumerate(sheet.rows):
        parts.append(label(left - 1.5, top + (row + 0.5) * cell + 1, text, "target", anchor="end", size=size))
    for column, text in enumerate(numbered):
        x, y = left + (column + 0.6) * cell, top - 1.5
        parts.append(label(x, y, text, "source", turned=f"rotate(-60 {x:.2f} {y:.2f})", size=size))
    parts.append(scale(left + columns * cell + 8, top))
    height = top + max(rows * cell, 5.0 * (SHADES + 1)) + 1
    return drawn("heatmap", WIDTH, height, parts, words.PICTURE.format(rows=rows, columns=columns))


def scale(x: float, y: float) -> str:
    """The greys and their weights, the largest on top."""
    steps = range(SHADES, -1, -1)
    return "".join(
        rect(x, y + 5 * i, 6.0, 5.0, step / SHADES) + label(x + 8, y + 5 * i + 3.6, f"{step / SHADES:.1f}")
        for i, step in enumerate(steps)
    )


def drawing(sheet: Worksheet, *, told: bool = False) -> str:
    """The words of both sides with dots between which lines are drawn, in the key the strongest ones."""
    parts = []
    places = {row: i for i, row in enumerate(sheet.asked)}
    width, *most = DRAWING
    height = min(most[told], LINE * max(len(sheet.columns), len(sheet.asked)))
    spread = height / len(sheet.columns), height / max(1, len(sheet.asked))
    left, right = 0.37 * width, 0.7 * width
    for i, text in enumerate(sheet.columns):
        y = (i + 0.5) * spread[0]
        parts += [label(left - 2, y + 1, f"{i + 1} {isolated(text)}", "source", anchor="end"), dot(left, y)]
    for row, i in places.items():
        y = (i + 0.5) * spread[1]
        parts += [label(right + 2, y + 1, sheet.rows[row], "target"), dot(right, y)]
        if told:
            end = (sheet.strongest[row] + 0.5) * spread[0]
            parts.append(f'<path d="M{left:.2f} {end:.2f}L{right:.2f} {y:.2f}" stroke="#000" stroke-width="0.4"/>')
    return drawn("drawing", width, height, parts, words.DRAWING)


def drawn(name: str, width: float, height: float, parts: list[str], told: str) -> str:
    """An SVG of so many millimetres; what it shows is said for those who cannot see it."""
    size = f'width="{width:.1f}mm" height="{height:.1f}mm" viewBox="0 0 {width:.1f} {height:.1f}"'
    return f'<svg class="{name}" {size} role="img" aria-label="{escape(told)}">{"".join(parts)}</svg>'


def rect(x: float, y: float, width: float, height: float, weight: float) -> str:
    shade = round(SHADES * weight) / SHADES
    place = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    return f'<rect {place} fill="#000" fill-opacity="{shade:.1f}" stroke="#999" stroke-width="0.15"/>'


def dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.7"/>'


def label(
    x: float, y: float, text: str, side: str = "", anchor: str = "start", turned: str = "", size: float = TYPE
) -> str:
    """A text, of a side of the model where one is named."""
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="{anchor}"' + (
        f' transform="{turned}"' if turned else ""
    )
    return f"<text{named(side) if side else ''} {place}>{escape(shortened(text))}</text>"


def shortened(text: str, letters: int = 20) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
