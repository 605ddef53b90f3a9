"""The tab Inside: the arithmetic of one cell of an attention map, from the streams to the sub-layer's output."""

from typing import Any

import gradio as gr

from explorer import inside_prose
from explorer.cell import stages
from explorer.recording.recordings import Recordings
from explorer.recording.trace import KINDS, Kind
from explorer.rooms.inside.answer import head_answer
from explorer.shared.glossary import linked
from explorer.shared.room import room
from explorer.viewer import FOLDER


def inside_tab(recordings: Recordings) -> gr.HTML:
    """The cell that Explore frames; a head's numbers are fetched when it is first looked at."""

    def head(request: list[Any]) -> str:
        sentence, kind, layer, number = request
        return head_answer(recordings, sentence, kind, layer, number)

    config = recordings.translator.model.config
    dropout = config.dropout
    mistakes = {name: text for name, text in inside_prose.MISTAKES.items() if name != "dropped" or dropout}
    settings = {
        "text": {
            **inside_prose.INSIDE,
            "mistakes": mistakes,
            "stages": {name: titled(text) for name, text in inside_prose.STAGES.items()},
        },
        "bias": config.attention_bias,
        "dropout": dropout,
        "stages": {kind: stages_json(kind) for kind in KINDS},
    }
    return room(FOLDER / "inside", settings, head, words=inside_prose.WORDS)


def titled(text: dict[str, str]) -> dict[str, str]:
    return {"title": text["title"], "words": linked(text["words"])}


def stages_json(kind: Kind) -> list[dict[str, Any]]:
    """The stages with their shapes, and with the lines of the model as they stand in its source."""
    return [
        {"name": stage.name, "shapes": stage.shapes, "excerpts": [found._asdict() for found in stage.excerpts]}
        for stage in stages(kind)
    ]
