"""The tab of the whole model: one picture of a translation, from both sentences down to one multiplication."""

from pathlib import Path
from typing import Any

from explorer import changes
from explorer.atlas.page_files import atlas_settings, page_atlas
from explorer.attention_view.component import words as view_words
from explorer.recording.app_context import AppContext
from explorer.tabs.whole.source_lines import source_lines
from explorer.tabs.whole.summary.summary import summary_settings
from explorer.ui import words as shared_words
from explorer.ui.component import TAB_STYLE, TRANSPORT_STYLE, Component, fill_template, tab_component, transport
from explorer.ui.language import format_integer
from explorer.ui.translations import Translations
from model.config import ModelConfig

FOLDER = Path(__file__).parent
words = Translations(__file__)
OWN_STYLES = (
    "boards/numbers.css",
    "boards/boards.css",
    "boards/neuron/neuron.css",
    "finder/finder.css",
    "guide/tree.css",
    "summary/summary.css",
    "changes.css",
)


def whole_tab(app: AppContext) -> list[Component]:
    """The picture, which asks for the numbers of what it shows."""
    config = app.translator.model.config
    settings = {
        "text": {
            **words.WHOLE,
            "tour": words.TOUR,
            "captions": {**words.CAPTIONS, "changes": words.CHANGES},
            "legend": words.LEGEND,
            "tree": words.TREE,
            "finder": words.FINDER,
            "changes": words.CHANGES,
            "output": {**words.OUTPUT, "fork": shared_words.FORK, "excluded": shared_words.EXCLUDED},
        },
        "config": model_sizes(config),
        "changes": changes.words.CHANGES,
        "numbers": {**words.NUMBERS, "terms": {**words.NUMBERS["terms"], "off": words.CHANGES["factor"]}},
        "boards": words.BOARDS,
        "code": source_lines(config.positions),
        "atlas": atlas_settings(app),
        "summary": summary_settings(app.translator),
    }
    controls = transport(shared_words.TRANSPORT, slider="step", status="status")
    styles = (TAB_STYLE, TRANSPORT_STYLE, *(FOLDER / name for name in OWN_STYLES))
    texts = {**html_words(), "transport": controls, "output": output_html(config)}
    return [tab_component(FOLDER, settings, styles, words=texts, files=page_atlas(app).paths)]


def output_html(config: ModelConfig) -> str:
    """The HTML of the board of the output."""
    texts = words.OUTPUT_HTML
    sizes = {"d_model": format_integer(config.d_model), "vocabulary": format_integer(config.tgt_vocab_size)}
    return fill_template(FOLDER / "boards/output_board.html", {**texts, "steps": texts["steps"].format(**sizes)})


def model_sizes(config: ModelConfig) -> dict[str, Any]:
    """The sizes and options of a model that the picture is made from (place.js)."""
    return {
        "layers": {stack: config.layers(stack) for stack in ("encoder", "decoder")},
        "heads": config.n_heads,
        "d_model": config.d_model,
        "d_head": config.d_head,
        "d_value": config.d_value,
        "d_ff": config.d_ff,
        "vocabulary": config.tgt_vocab_size,
        "positions": config.positions,
        "activation": config.activation,
        "dropout": config.dropout,
        "bias": config.attention_bias,
    }


def html_words() -> dict[str, str]:
    tour = words.TOUR
    return {
        **words.HTML,
        "tab_label": words.TAB,
        "path": tour["trail"],
        "out": tour["zoom_out"],
        "in": tour["zoom_in"],
        "all": tour["whole"],
        "tour": tour["label"],
        "off_hint": view_words.HTML["off_hint"],
        **{name: tour[name] for name in ("resume", "back", "back_hint", "next", "next_hint")},
    }
