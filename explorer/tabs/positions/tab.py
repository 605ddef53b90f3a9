"""The tab Positions: the model's table of positions, its waves and symmetries, and its effect on sentences."""

from functools import partial
from html import escape
from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.recording.examples import tab_sentences
from explorer.tabs.positions import words
from explorer.tabs.positions.answers import MAX_DIMENSIONS, TableAnswers, order_section, pieces_section
from explorer.tabs.positions.table import PositionTable
from explorer.ui.component import CONTEXT_STYLE, TAB_STYLE, Component, fill_template, tab_component
from explorer.ui.prose import folded, prose

FOLDER = Path(__file__).parent
INITIAL_LENGTH = 60


def positions_tab(app: AppContext) -> list[Component]:
    """Sections from the table to its effect; each is the answer to one question."""
    table = PositionTable.of(app.translator)
    add_questions(app, table)
    added = table.kind != "none"
    settings = {
        "dimensions": table.notable_dimensions if added else [],
        "width": table.width,
        "added": added,
        "text": words.TEXT,
    }
    first, second = tab_sentences().order or ("", "")
    scale, kind = app.translator.model.encoder.embedding.scale, "added" if added else "none"
    mistake = folded(words.HTML["mistake"], '<div aria-live="polite" data-text="mistake"></div>')
    texts = {
        **words.HTML,
        "tab_label": words.TAB,
        "mistake": mistake if added else "",
        "table": table_sections(table) if added else f'<div class="part"><div>{prose(words.TABLE["none"])}</div></div>',
        "pieces": prose(words.PIECES[kind].format(scale=scale)),
        "sides": radios("side", words.SIDES, "encoder"),
        "order": prose(words.ORDER[kind]),
        "first_sentence": first,
        "second_sentence": second,
        "beyond": prose(table.beyond),
    }
    return [tab_component(FOLDER, settings, styles=(TAB_STYLE, CONTEXT_STYLE), words=texts)]


def add_questions(app: AppContext, table: PositionTable) -> None:
    """Registers a question for every section, by its name in the templates."""
    questions = {"pieces": partial(pieces_section, app.recordings), "order": partial(order_section, app.translator)}
    if table.kind != "none":
        answers = TableAnswers(table)
        questions |= {
            "table": answers.table_section,
            "waves": answers.waves_section,
            "similarity": answers.similarity_section,
            "turn": answers.turn_section,
        }
    for name, answer in questions.items():
        app.questions.add(f"positions.{name}", answer)


def table_sections(table: PositionTable) -> str:
    """The HTML of the sections about the table itself."""
    last, half, kind = table.shown - 1, table.shown // 2, table.kind
    waves = {"shortest": table.waves[0], "longest": table.waves[-1]} if table.waves is not None else {}
    step = 1 if kind == "sinusoidal halves" else 2
    labels = words.SLIDERS
    texts = {
        **words.TABLE_HTML,
        "table": prose(words.TABLE[kind].format(d_model=table.width, max_len=len(table.vectors))),
        "length": slider("length", labels["length"], range(2, table.shown + 1), INITIAL_LENGTH),
        "position": slider("position", labels["position"], range(last + 1), 3),
        "dimension": slider("dimension", labels["dimension"], range(table.width), 6),
        "waves": prose(words.WAVES[kind].format(**waves)),
        "dimensions": words.DIMENSIONS[kind],
        "most": str(MAX_DIMENSIONS),
        "similarity": prose(words.SIMILARITY[kind]),
        "measures": radios("measure", words.MEASURES, "dot product"),
        "turn": prose(words.TURN[kind]),
        "pair": slider("pair", words.PAIRS[kind], range(0, table.last_pair + 1, step), 2 * step),
        "start": slider("start", labels["start"], range(half), 2),
        "distance": slider("distance", labels["distance"], range(1, half + 1), 3),
    }
    return fill_template(FOLDER / "table.html", texts)


def slider(name: str, label: str, values: range, value: int) -> str:
    """The HTML of a slider over `values`."""
    text, value = escape(label), min(value, values[-1])
    limits = f'min="{values[0]}" max="{values[-1]}" step="{values.step}" value="{value}"'
    box = f'<input type="range" name="{name}" {limits} aria-label="{text}">'
    return f'<label class="slider"><span>{text}</span><output>{value}</output>{box}</label>'


def radios(name: str, labels: dict[str, str], default: str) -> str:
    """The HTML of radio buttons; `labels` maps values to labels."""
    return "".join(
        f'<label><input type="radio" name="{name}" value="{value}"{" checked" if value == default else ""}>'
        f" {escape(label)}</label>"
        for value, label in labels.items()
    )
