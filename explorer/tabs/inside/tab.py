"""The tab Inside: the arithmetic of one cell of an attention map, from the streams to the sub-layer's output."""

from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.tabs.inside import words
from explorer.tabs.inside.answer import head_answer
from explorer.tabs.inside.stages import stages
from explorer.ui.component import CONTEXT_STYLE, TAB_STYLE, Component, pickers, tab_component
from explorer.ui.glossary import link_terms
from explorer.ui.questions import Index
from model.probe import KINDS, Kind

FOLDER = Path(__file__).parent


def inside_tab(app: AppContext) -> list[Component]:
    """The arithmetic of Explore's cell; the browser requests a head's numbers once."""

    def head(sentence: str, kind: Kind, layer: Index, head: Index) -> str:
        return head_answer(app.recordings, sentence, kind, layer, head)

    app.questions.add("head", head)

    config = app.translator.model.config
    dropout = config.dropout
    mistakes = {name: text for name, text in words.MISTAKES.items() if name != "dropped" or dropout}
    settings = {
        "text": {
            **words.INSIDE,
            "mistakes": mistakes,
            "stages": {name: linked_text(text) for name, text in words.STAGES.items()},
        },
        "bias": config.attention_bias,
        "dropout": dropout,
        "stages": {kind: stages_json(kind) for kind in KINDS},
    }
    return [
        tab_component(
            FOLDER, settings, styles=(TAB_STYLE, CONTEXT_STYLE), words={**words.HTML, "pickers": pickers("choice")}
        )
    ]


def linked_text(text: dict[str, str]) -> dict[str, str]:
    return {"title": text["title"], "words": link_terms(text["words"])}


def stages_json(kind: Kind) -> list[dict[str, Any]]:
    """The stages with their shapes and excerpts of the model's source."""
    return [
        {"name": stage.name, "shapes": stage.shapes, "excerpts": [found._asdict() for found in stage.excerpts]}
        for stage in stages(kind)
    ]
