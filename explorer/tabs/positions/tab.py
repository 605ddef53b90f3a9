"""The tab Positions: the model's table of positions, its waves and symmetries, and its effect on sentences.

Its figures, and the numbers in its texts, are computed in the page (sections.js).
"""

import math
from html import escape
from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.recording.examples import tab_sentences
from explorer.recording.payload import tensor_json
from explorer.ui.component import TAB_STYLE, Component, fill_template, tab_component
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.prose import folded, prose, prose_template
from explorer.ui.translations import Translations
from model.config import Positions
from model.decoding import Translator

FOLDER = Path(__file__).parent
INITIAL_LENGTH = 60
MAX_POSITIONS = 256  # in figures: more would make them slow to draw
BASE = 10000  # of the paper's geometric progression of wavelengths
words = Translations(__file__)


def positions_tab(app: AppContext) -> list[Component]:
    """Sections from the table to its effect."""
    translator = app.translator
    kind = translator.model.config.positions
    variant = "none" if kind == "none" else "added"
    first, second = tab_sentences().order or ("", "")
    table, mistake = f'<div class="part"><div>{prose(words.TABLE["none"])}</div></div>', ""
    if kind != "none":
        table = table_sections(translator)
        mistake = folded(words.HTML["mistake"], '<div aria-live="polite" data-text="mistake"></div>')
    texts = {
        **words.HTML,
        "tab_label": words.TAB,
        "mistake": mistake,
        "table": table,
        "pieces": prose(words.PIECES[variant].format(scale=translator.model.encoder.embedding.scale)),
        "sides": radios("side", words.SIDES, "encoder"),
        "order": prose(words.ORDER[variant]),
        "first_sentence": first,
        "second_sentence": second,
        "beyond": prose(beyond_text(translator)),
    }
    context = {**words.CONTEXT, **LANGUAGE_CONTEXT.get().attributes()}
    settings = {"text": words.TEXT, "context": context, **section_settings(translator)}
    return [tab_component(FOLDER, settings, styles=(TAB_STYLE, FOLDER / "context.css"), words=texts)]


def section_settings(translator: Translator) -> dict[str, Any]:
    """What the sections take of the model, and their words; a learned table comes with its numbers."""
    model, config = translator.model, translator.model.config
    kind, vectors = config.positions, model.encoder.embedding.positions.detach().cpu().numpy()
    variant = "none" if kind == "none" else "added"
    return {
        "added": kind != "none",
        "scale": model.encoder.embedding.scale,
        "tied": {"encoder": config.tying == "all", "decoder": config.tying in ("all", "output")},
        "table": {
            "kind": kind,
            "trained": trained_length(translator.record),
            **(tensor_json(vectors) if kind == "learned" else {"shape": vectors.shape}),
        },
        "figures": words.FIGURES,
        "names": {
            "measures": words.MEASURES,
            "strips": words.STRIPS,
            "panels": words.ORDER_PANELS[variant],
            "plane": words.PLANES.get(kind),
        },
        "texts": {
            **(table_texts(kind) if kind != "none" else {}),
            "norms": prose_template(words.NORMS if kind != "none" else words.NOTHING_ADDED),
            "mistake": prose_template(words.MISTAKE),
            "drowned": words.DROWNED,
            "tied": words.TIED,
            "result": prose_template(words.ORDER_RESULT[variant]),
            "twoSentences": prose(words.TWO_SENTENCES),
            "otherPieces": words.OTHER_PIECES,
        },
    }


def table_texts(kind: Positions) -> dict[str, Any]:
    """The formula of a sine and of a cosine, and the error of a shift."""
    formulas = [
        prose_template(words.FORMULA[kind], name=words.WAVE_NAMES[cosine], half=words.HALVES[cosine], function=function)
        for cosine, function in enumerate(("sin", "cos"))
    ]
    error, undetermined = (prose_template(words.ERROR[name]) for name in (kind, "undetermined"))
    return {"formula": formulas, "error": error, "undetermined": undetermined}


def table_sections(translator: Translator) -> str:
    """The HTML of the sections about the table itself."""
    kind, (count, width) = translator.model.config.positions, translator.model.encoder.embedding.positions.shape
    shown = min(MAX_POSITIONS, count)
    half, pairs = shown // 2, width // 2
    step = 1 if kind == "sinusoidal halves" else 2  # from the dimension of one pair's sine to the next
    longest = 2 * math.pi * BASE ** ((width - 2) / width)
    labels = words.SLIDERS
    texts = {
        **words.TABLE_HTML,
        "table": prose(words.TABLE[kind].format(d_model=width, max_len=count)),
        "length": slider("length", labels["length"], range(2, shown + 1), INITIAL_LENGTH),
        "position": slider("position", labels["position"], range(shown), 3),
        "dimension": slider("dimension", labels["dimension"], range(width), 6),
        "waves": prose(words.WAVES[kind].format(shortest=2 * math.pi, longest=longest)),
        "dimensions": words.DIMENSIONS[kind],
        "similarity": prose(words.SIMILARITY[kind]),
        "measures": radios("measure", words.MEASURES, "dot product"),
        "turn": prose(words.TURN[kind]),
        "pair": slider("pair", words.PAIRS[kind], range(0, step * pairs, step), 2 * step),
        "start": slider("start", labels["start"], range(half), 2),
        "distance": slider("distance", labels["distance"], range(1, half + 1), 3),
    }
    return fill_template(FOLDER / "table.html", texts)


def trained_length(record: dict[str, Any]) -> int | None:
    """The maximum number of positions of a training sentence; None if the record does not say."""
    return record.get("recipe", {}).get("max_pieces")


def beyond_text(translator: Translator) -> str:
    """What is known of positions beyond the longest training sentence, in Markdown."""
    kind, trained = translator.model.config.positions, trained_length(translator.record)
    if kind == "none":
        return words.BEYOND["none"]
    count = len(translator.model.encoder.embedding.positions)
    shown = min(MAX_POSITIONS, count)
    facts = {"trained": trained, "max_len": count, "last": count - 1, "shown": shown}
    if trained is None:
        return (words.BEYOND["unknown"] + words.BEYOND[kind]).format(**facts)
    if trained >= count:
        return words.BEYOND["covered"].format(**facts)
    hint = words.BEYOND["try"] if trained < shown else ""
    return (words.BEYOND["marked"] + words.BEYOND[kind] + hint).format(**facts)


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
