"""The tab Positions: the table that this model adds, its waves and symmetries, and what it does to sentences."""

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.recording.app_context import AppContext
from explorer.recording.examples import begun_with
from explorer.recording.sentence import check
from explorer.tabs.positions import words
from explorer.tabs.positions.figures import distance_panels, token_strips, wavelength_figure
from explorer.tabs.positions.kept import QUIET, Controls, keep_controls
from explorer.tabs.positions.pieces import Embedded, embedded
from explorer.tabs.positions.reordering import Reordering, reordering
from explorer.tabs.positions.table import PositionTable
from explorer.ui import words as shared_words
from explorer.ui.component import component, module
from explorer.ui.glossary import linked
from explorer.ui.language import LANGUAGE_CONTEXT, in_current_language
from explorer.ui.queued import queued
from explorer.ui.room import CONTEXT_STYLE
from model.probe import Stack

MODULE = Path(__file__).parent / "sentence.js"
PAGE_EVENTS = Path(__file__).parents[2] / "ui" / "page_events.js"
FIRST_SHOWN = 60
LATEX = [{"left": "$", "right": "$", "display": False}]


def positions_tab(app: AppContext) -> None:
    """Everything about order, in sections from the table to its effect."""
    table = PositionTable.of(app.translator)
    controls = {} if table.kind == "none" else table_sections(table)
    if table.kind == "none":
        prose(words.TABLE["none"])
    controls |= pieces_section(app)
    order, compare = order_section(app)
    if table.kind != "none":
        door(app.tabs["lab"])
    prose(table.beyond)
    keep_controls(controls | order, compare)


def table_sections(table: PositionTable) -> Controls:
    """All that is to be said of the table itself, where the model has one."""
    controls = table_section(table)
    length = controls["length"]
    for another in (waves_section, similarity_section, turn_section):
        controls |= another(table, length)
    return controls


def prose(text: str) -> gr.Markdown:
    """Text of ours, with formulas and links to the glossary; what a visitor typed must not come here."""
    return gr.Markdown(linked(text), latex_delimiters=LATEX, sanitize_html=False)


def section() -> tuple[gr.Column, gr.Column]:
    """Room for words and controls, and beside it for figures; on a narrow page one above the other."""
    with gr.Row(elem_classes="section"):
        return gr.Column(scale=4, min_width=320), gr.Column(scale=7, min_width=340)


def figure(drawn: Any, name: str) -> gr.Plot:
    return gr.Plot(drawn, show_label=False, elem_id=f"positions-{name}")


def redraw(draw: Callable[..., Any], controls: list[Any], outputs: list[Any]) -> None:
    """Draws again whenever a control changes; of many changes only the last one counts."""
    gr.on(
        [control.change for control in controls],
        in_current_language(draw),
        controls,
        outputs,
        show_progress="hidden",
        trigger_mode="always_last",
        api_visibility="private",
    )


def slider(name: str, last: int, value: int, *, first: int = 0, step: int = 1) -> gr.Slider:
    return gr.Slider(first, last, value=min(value, last), step=step, label=words.CONTROLS[name])


def table_section(table: PositionTable) -> Controls:
    """The table with one cell's formula; `length` is how many positions all figures show."""
    positions, width = table.vectors.shape
    left, right = section()
    with left:
        prose(words.TABLE[table.kind].format(d_model=width, max_len=positions))
        length = slider("length", table.shown, FIRST_SHOWN, first=2)
        position, dimension = slider("position", table.shown - 1, 3), slider("dimension", width - 1, 6)
        formula = prose(table.formula(position.value, dimension.value))
    with right:
        heatmap = figure(table.heatmap(length.value, position.value, dimension.value), "heatmap")
    redraw(table.heatmap, [length, position, dimension], [heatmap])
    redraw(table.formula, [position, dimension], [formula])
    return {"length": length, "position": position, "dimension": dimension}


def waves_section(table: PositionTable, length: Any) -> Controls:
    """Chosen columns of the table, and the wavelengths of all."""
    width = table.vectors.shape[1]
    left, right = section()
    with left:
        ends = {"shortest": table.waves[0], "longest": table.waves[-1]} if table.waves is not None else {}
        prose(words.WAVES[table.kind].format(**ends))
        first, label = table.telling_dimensions, words.DIMENSIONS[table.kind]
        chosen = gr.Dropdown(list(range(width)), value=first, multiselect=True, max_choices=7, label=label)
    with right:
        curves = figure(table.curves(length.value, first), "curves")
        if table.waves is not None:
            figure(wavelength_figure(table.waves, table.trained, table.kind), "wavelengths")
    redraw(table.curves, [length, chosen], [curves])
    return {"dimensions": chosen}


def similarity_section(table: PositionTable, length: Any) -> Controls:
    left, right = section()
    with left:
        prose(words.SIMILARITY[table.kind])
        measure = gr.Radio(
            [(name, kind) for kind, name in words.MEASURES.items()],
            value="dot product",
            label=words.CONTROLS["measure"],
        )
    heatmap, curve = table.similarities(length.value, "dot product")
    with left:
        curve = figure(curve, "similarity-curve")
    with right:
        heatmap = figure(heatmap, "similarity")
    redraw(table.similarities, [length, measure], [heatmap, curve])
    return {"measure": measure}


def turn_section(table: PositionTable, length: Any) -> Controls:
    """A shift as a turn of one pair, and how exactly it is one."""
    half, step = table.shown // 2, 1 if table.kind == "sinusoidal halves" else 2
    left, right = section()
    with left:
        prose(words.TURN[table.kind])
        pair = gr.Slider(
            0, table.last_pair, value=min(2 * step, table.last_pair), step=step, label=words.PAIRS[table.kind]
        )
        start, distance = slider("start", half - 1, 2), slider("distance", half, 3, first=1)
    drawn, error = table.turn(length.value, pair.value, start.value, distance.value)
    with left:
        error = prose(error)
    with right:
        plane = figure(drawn, "turn")
    redraw(table.turn, [length, pair, start, distance], [plane, error])
    return {"pair": pair, "start": start, "distance": distance}


def pieces_section(app: AppContext) -> Controls:
    """The visitor's own pieces as they enter the first layer; they follow Explore."""
    recordings = app.recordings
    config = recordings.translator.model.config
    tying, added = config.tying, config.positions != "none"

    def draw(sentence: str, side: Stack, forget: bool = False) -> tuple[Any, Any]:
        if not sentence:
            return gr.skip(), gr.skip()
        found = embedded(recordings.forward_pass(sentence), side)
        found = found.unscaled() if forget else found
        return strips(found), norms(found, tied=tying == "all" or (tying == "output" and side == "decoder"))

    left, right = section()
    with left:
        prose(
            words.PIECES["added" if added else "none"].format(scale=recordings.translator.model.encoder.embedding.scale)
        )
        sides = [(name, stack) for stack, name in words.SIDES.items()]
        side = gr.Radio(sides, value="encoder", label=words.CONTROLS["side"])
        # Without positions there is nothing beside which an embedding could be too short.
        forget = {"forget": gr.Checkbox(False, label=words.CONTROLS["forget"])} if added else {}
        told = prose("")
    with right:
        followed = sentence_of_explore()
        drawn = figure(None, "pieces")
    gr.on(
        [followed.select, side.change, *(box.change for box in forget.values())],
        queued(app.queue, draw),
        [followed, side, *forget.values()],
        [drawn, told],
        show_progress="hidden",
        trigger_mode="always_last",  # a choice made while the tab is still being drawn counts
        api_visibility="private",
    )
    return {"side": side, **forget}


def sentence_of_explore() -> gr.HTML:
    """Shows the sentence of Explore and its German so far; its value is the sentence, and `select` tells of another."""
    return component(
        "",
        html='<div class="context"></div>',
        css=CONTEXT_STYLE.read_text(encoding="utf-8"),
        script=f'{module(MODULE)}.then(({{ mount }}) => mount(element, props, () => trigger("select")));',
        context=json.dumps({**shared_words.CONTEXT, **LANGUAGE_CONTEXT.get().attributes()}),
        elem_id="positions-sentence",
    )


def strips(found: Embedded) -> Any:
    factor = words.STRIPS["unscaled" if found.scale == 1 else "scaled"].format(scale=found.scale)
    named = [
        (factor, found.embedding),
        (words.STRIPS["positions"], found.positions),
        (words.STRIPS["stream"], found.stream),
    ]
    shown = len(named) if found.positions.any() else 1  # where nothing is added, the sum is the embedding
    return token_strips([piece.text for piece in found.pieces], named[:shown], found.norms[:shown])


def norms(found: Embedded, *, tied: bool) -> str:
    """The mean lengths, and what they would be without the factor; `tied` where the table is the output's too."""
    embedding, positions, stream = (float(lengths.mean()) for lengths in found.norms)
    if not found.positions.any():
        return words.NOTHING_ADDED.format(embedding=embedding)
    bare = embedding / found.scale
    drowned = words.DROWNED if 2 * bare < positions else ""
    facts = {"embedding": embedding, "positions": positions, "stream": stream, "bare": bare, "drowned": drowned}
    facts["tied"] = words.TIED if tied else ""
    return f"{words.NORMS}\n\n{words.MISTAKE}".format(**facts)


def order_section(app: AppContext) -> tuple[Controls, dict[str, Any]]:
    """Two sentences of the same pieces, read with positions and without; also how they are compared."""

    translator = app.translator
    kind = "none" if translator.model.config.positions == "none" else "added"

    def compare(first: str, second: str) -> tuple[Any, str]:
        if not (first.strip() and second.strip()):
            return None, words.TWO_SENTENCES
        try:
            found = reordering(translator, check(first, translator), check(second, translator))
        except ValueError as reason:
            return None, escape(str(reason))
        return panels(found, kind), order_result(found, kind)

    begun = begun_with().order or ("", "")
    left, right = section()
    with left:
        prose(words.ORDER[kind])
        asked = [
            gr.Textbox(text, label=words.CONTROLS[name]) for text, name in zip(begun, ("first", "second"), strict=True)
        ]
        button = gr.Button(words.CONTROLS["compare"], variant="primary")
        drawn, told = compare(*begun)
        told = gr.HTML(told, elem_classes="prose")  # no Markdown: it may hold what a visitor typed
    with right:
        drawn = figure(drawn, "order")
    compared = queued(app.queue, compare)
    comparing: dict[str, Any] = {"fn": compared, "inputs": asked, "outputs": [drawn, told], **QUIET}
    gr.on([button.click, *(box.submit for box in asked)], **comparing)
    return dict(zip(("first", "second"), asked, strict=True)), comparing


def door(label: str) -> None:
    """Leads to the experiment in which Explore's sentence is read without positions; `label` is that tab's."""
    button = gr.Button(words.DOOR)
    experiment = '"positions", { encoder_positions: "off" }'
    js = f"() => {{ {module(PAGE_EVENTS)}.then(({{ openPanel }}) => openPanel({json.dumps(label)}, {experiment})); }}"
    button.click(None, js=js, api_visibility="private")


def panels(found: Reordering, kind: str) -> Any:
    """The distances as the model is and, unless it has no positions anyway, without them."""
    rows, columns = ([piece.text for piece in side] for side in (found.first, found.second))
    return distance_panels(
        rows, columns, list(zip(words.ORDER_PANELS[kind], (found.ordered, found.unordered), strict=False))
    )


def order_result(found: Reordering, kind: str) -> str:
    ordered, unordered = found.largest(found.ordered), found.largest(found.unordered)
    return words.ORDER_RESULT[kind].format(ordered=ordered, unordered=unordered)
