"""The tab Masks: padding and look-ahead masks of a batch of sentences, and what they do to one softmax."""

from typing import Any

import gradio as gr

from explorer import masks_prose
from explorer.cell import MASK_CODE
from explorer.recording.recordings import Recordings
from explorer.recording.source import excerpt
from explorer.recording.trace import KINDS
from explorer.rooms.masks.answer import masks_answer
from explorer.shared.room import room
from explorer.viewer import FOLDER

SENTENCES = ("I love you", "I am in love with you", "I love you, too")


def masks_tab(recordings: Recordings) -> gr.HTML:
    """A batch of two or three sentences; kind, layer and head are those of Explore."""

    def masks(request: list[Any]) -> str:
        texts, kind, layer, head = request
        return masks_answer(recordings, texts, kind, layer, head)

    settings = {
        "text": masks_prose.MASKS,
        "sentences": SENTENCES,
        "padId": recordings.translator.tokenizer.pad_id,
        "code": {kind: [excerpt(*code)._asdict() for code in MASK_CODE[kind]] for kind in KINDS},
    }
    return room(FOLDER / "masks", settings, masks, words=masks_prose.WORDS)
