"""The tab Positions: the table that this model adds, its waves and symmetries, and what it does to sentences."""

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.recording.examples import begun_with
from explorer.recording.opened import Opened
from explorer.recording.sentence import check
from explorer.rooms.positions import words
from explorer.rooms.positions.figures import distance_panels, token_strips, wavelength_figure
from explorer.rooms.positions.pieces import Embedded, embedded
from explorer.rooms.positions.reordering import Reordering, reordering
from explorer.rooms.positions.table import PositionTable
from explorer.shared import words as shared_words
from explorer.shared.component import component, module
from explorer.shared.glossary import linked
from explorer.shared.language import VOICE, in_this_voice
from explorer.shared.queued import queued
from explorer.shared.room import CONTEXT_STYLE
from model.probe import Stack

MODULE = Path(__file__).parent / "sentence.js"
PLACE = Path(__file__).parent / "place.js"
DESK = Path(__file__).parents[2] / "shared" / "desk.js"
Controls = dict[str, Any]  # by the names that the address has for them
FIRST_SHOWN = 60
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
LATEX = [{"left": "$", "right": "$", "display": False}]


def positions_tab(opened: Opened) -> None:
    """Everything about order, in sections from the table to its effect."""
    table = PositionTable.of(opened.translator)
    controls = table_section(table)
    length = controls["length"]
    controls |= waves_section(table, length)
    controls |= similarity_section(table, length)
    controls |= turn_section(table, length)
    controls |= pieces_section(opened)
    order, compare = order_section(opened)
    door(opened.tabs["lab"])
    prose(table.beyond)
    keep_controls(controls | order, compare)


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
        in_this_voice(draw),
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
    middle = width // 4 * 2
    left, right = section()
    with left:
        ends = {"shortest": table.waves[0], "longest": table.waves[-1]} if table.waves is not None else {}
        prose(words.WAVES[table.kind].format(**ends))
        first = sorted({0, 1, middle // 4, middle // 4 + 1, middle})
        chosen = gr.Dropdown(
            list(range(width)), value=first, multiselect=True, max_choices=7, label=words.CONTROLS["dimensions"]
        )
    with right:
        curves = figure(table.curves(length.value, first), "curves")
        if table.waves is not None:
            figure(wavelength_figure(table.waves, table.trained), "wavelengths")
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
    width, half = table.vectors.shape[1], table.shown // 2
    left, right = section()
    with left:
        prose(words.TURN[table.kind])
        pair = slider("pair", width - 2, 4, step=2)
        start, distance = slider("start", half - 1, 2), slider("distance", half, 3, first=1)
    drawn, error = table.turn(length.value, pair.value, start.value, distance.value)
    with left:
        error = prose(error)
    with right:
        plane = figure(drawn, "turn")
    redraw(table.turn, [length, pair, start, distance], [plane, error])
    return {"pair": pair, "start": start, "distance": distance}


def pieces_section(opened: Opened) -> Controls:
    """The visitor's own pieces as they enter the first layer; they follow Explore."""
    recordings = opened.recordings
    tying = recordings.translator.model.config.tying

    def draw(sentence: str, side: Stack, forget: bool) -> tuple[Any, Any]:
        if not sentence:
            return gr.skip(), gr.skip()
        found = embedded(recordings.forward_pass(sentence), side)
        found = found.unscaled() if forget else found
        return strips(found), norms(found, tied=tying == "all" or (tying == "output" and side == "decoder"))

    left, right = section()
    with left:
        prose(words.PIECES.format(scale=recordings.translator.model.encoder.embedding.scale))
        sides = [(name, stack) for stack, name in words.SIDES.items()]
        side = gr.Radio(sides, value="encoder", label=words.CONTROLS["side"])
        forget = gr.Checkbox(False, label=words.CONTROLS["forget"])
        told = prose("")
    with right:
        followed = sentence_of_explore()
        drawn = figure(None, "pieces")
    gr.on(
        [followed.select, side.change, forget.change],
        queued(opened.queue, draw),
        [followed, side, forget],
        [drawn, told],
        show_progress="hidden",
        trigger_mode="always_last",  # a choice made while the tab is still being drawn counts
        api_visibility="private",
    )
    return {"side": side, "forget": forget}


def sentence_of_explore() -> gr.HTML:
    """Shows the sentence of Explore and its German so far; its value is the sentence, and `select` tells of another."""
    return component(
        "",
        html='<div class="context"></div>',
        css=CONTEXT_STYLE.read_text(encoding="utf-8"),
        script=f'{module(MODULE)}.then(({{ mount }}) => mount(element, props, () => trigger("select")));',
        context=json.dumps({**shared_words.CONTEXT, **VOICE.get().attributes()}),
        elem_id="positions-sentence",
    )


def strips(found: Embedded) -> Any:
    factor = words.STRIPS["unscaled" if found.scale == 1 else "scaled"].format(scale=found.scale)
    named = [
        (factor, found.embedding),
        (words.STRIPS["positions"], found.positions),
        (words.STRIPS["stream"], found.stream),
    ]
    return token_strips([piece.text for piece in found.pieces], named, found.norms)


def norms(found: Embedded, *, tied: bool) -> str:
    """The mean lengths, and what they would be without the factor; `tied` where the table is the output's too."""
    embedding, positions, stream = (float(lengths.mean()) for lengths in found.norms)
    bare = embedding / found.scale
    drowned = words.DROWNED if 2 * bare < positions else ""
    facts = {"embedding": embedding, "positions": positions, "stream": stream, "bare": bare, "drowned": drowned}
    facts["tied"] = words.TIED if tied else ""
    return f"{words.NORMS}\n\n{words.MISTAKE}".format(**facts)


def order_section(opened: Opened) -> tuple[Controls, dict[str, Any]]:
    """Two sentences of the same pieces, read with positions and without; also how they are compared."""

    translator = opened.translator

    def compare(first: str, second: str) -> tuple[Any, str]:
        if not (first.strip() and second.strip()):
            return None, words.TWO_SENTENCES
        try:
            found = reordering(translator, check(first, translator), check(second, translator))
        except ValueError as reason:
            return None, escape(str(reason))
        return panels(found), order_result(found)

    begun = begun_with().order or ("", "")
    left, right = section()
    with left:
        prose(words.ORDER)
        asked = [
            gr.Textbox(text, label=words.CONTROLS[name]) for text, name in zip(begun, ("first", "second"), strict=True)
        ]
        button = gr.Button(words.CONTROLS["compare"], variant="primary")
        drawn, told = compare(*begun)
        told = gr.HTML(told, elem_classes="prose")  # no Markdown: it may hold what a visitor typed
    with right:
        drawn = figure(drawn, "order")
    compared = queued(opened.queue, compare)
    comparing: dict[str, Any] = {"fn": compared, "inputs": asked, "outputs": [drawn, told], **QUIET}
    gr.on([button.click, *(box.submit for box in asked)], **comparing)
    return dict(zip(("first", "second"), asked, strict=True)), comparing


def door(label: str) -> None:
    """Leads to the experiment in which Explore's sentence is read without positions; `label` is that tab's."""
    button = gr.Button(words.DOOR)
    experiment = '"positions", { encoder_positions: "off" }'
    js = f"() => {{ {module(DESK)}.then(({{ tryOut }}) => tryOut({json.dumps(label)}, {experiment})); }}"
    button.click(None, js=js, api_visibility="private")


def panels(found: Reordering) -> Any:
    rows, columns = ([piece.text for piece in side] for side in (found.first, found.second))
    named = list(zip(words.ORDER_PANELS, (found.ordered, found.unordered), strict=True))
    return distance_panels(rows, columns, named)


def order_result(found: Reordering) -> str:
    ordered, unordered = found.largest(found.ordered), found.largest(found.unordered)
    return words.ORDER_RESULT.format(ordered=ordered, unordered=unordered)


def keep_controls(controls: Controls, compare: dict[str, Any]) -> None:
    """Keeps the controls in the address of the page; a comparison that it asks for is made."""
    inputs = list(controls.values())
    told = f"(...values) => {{ {module(PLACE)}.then(({{ tell }}) => tell(values)); }}"
    gr.on([control.change for control in inputs], None, inputs, js=told, **QUIET)
    kept = [{"name": name, "first": control.value, **limits(control)} for name, control in controls.items()]
    place = component(
        "",
        html="",
        css="",
        script=f"{module(PLACE)}.then(({{ mount }}) => "
        'mount(JSON.parse(props.controls), props.reset, () => trigger("restore")));',
        controls=json.dumps(kept),
        reset=words.CONTROLS["reset"],
        elem_id="positions-place",
    )
    wanted = f"() => {module(PLACE)}.then(({{ wanted }}) => wanted())"
    place.restore(None, None, inputs, js=wanted, **QUIET).then(**compare)


def limits(control: Any) -> dict[str, Any]:
    """What a control can have, for the browser to judge what an address asks for."""
    if isinstance(control, gr.Slider):
        return {"kind": "number", "least": control.minimum, "most": control.maximum, "step": control.step}
    if isinstance(control, gr.Dropdown):
        return {"kind": "numbers", "values": [value for _, value in control.choices], "count": control.max_choices}
    if isinstance(control, gr.Radio):
        return {"kind": "choice", "values": [value for _, value in control.choices]}
    return {"kind": "flag" if isinstance(control, gr.Checkbox) else "text"}
