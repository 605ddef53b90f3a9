"""The tab Inside: the arithmetic of one cell of an attention map, from the streams to the sub-layer's output."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.recording.app_context import AppContext
from explorer.recording.head import Head, Linear, head_of
from explorer.recording.payload import tensor_json
from explorer.recording.recordings import Recordings
from explorer.tabs.inside.stages import stages
from explorer.ui.component import CONTEXT_STYLE, TAB_STYLE, Component, pickers, tab_component
from explorer.ui.glossary import link_terms
from explorer.ui.questions import Index
from explorer.ui.translations import Translations
from model.probe import KINDS, Kind

words = Translations(__file__)

TENSORS = ("queries_from", "keys_from", "q", "k", "v", "mask", "scores", "weights", "heads", "output")


def head_payload(head: Head) -> str:
    """One head of a pass with its projections to queries, keys and values, without the output projection."""
    tensors = {name: getattr(head, name) for name in TENSORS}
    for name in ("w_q", "w_k", "w_v"):
        linear: Linear = getattr(head, name)
        tensors |= {name: linear.weight, f"{name}_bias": linear.bias}
    return json.dumps({"index": head.index, **{name: tensor_json(tensor) for name, tensor in tensors.items()}})


def head_answer(recordings: Recordings, sentence: str, kind: Kind, layer: int, head: int) -> str:
    """The numbers of a head as JSON. Raises ValueError if there is no such head."""
    found = head_of(recordings.forward_pass(sentence), kind, layer, head)
    # Uses the weights of the decoding steps, as Explore does: those of the pass differ in the last bits, which can
    # change a rounded digit.
    return head_payload(replace(found, weights=recordings.trace(sentence).map(kind).weights[layer, head]))


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
    return {**text, "words": link_terms(text["words"])}


def stages_json(kind: Kind) -> list[dict[str, Any]]:
    """The stages with their shapes and excerpts of the model's source."""
    return [
        {"name": stage.name, "shapes": stage.shapes, "excerpts": [found._asdict() for found in stage.excerpts]}
        for stage in stages(kind)
    ]
