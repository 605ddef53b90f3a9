"""The tab Masks: padding and look-ahead masks of a batch of sentences, and their effect on one softmax."""

from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.recording.examples import tab_sentences
from explorer.recording.source import mask_excerpts
from explorer.tabs.masks import words
from explorer.tabs.masks.answer import masks_answer
from explorer.ui.component import Component, pickers, tab_component
from explorer.ui.questions import Index
from model.probe import KINDS, Kind

FOLDER = Path(__file__).parent


def masks_tab(app: AppContext) -> list[Component]:
    """A batch of two or three sentences; kind, layer and head are those of Explore."""

    def masks(texts: list[str], kind: Kind, layer: Index, head: Index) -> str:
        return masks_answer(app.recordings, texts, kind, layer, head)

    app.questions.add("masks", masks)
    start = app.translator.model.config.start

    settings = {
        "text": words.MASKS,
        "sentences": tab_sentences().masks,
        "start": start,
        "code": {kind: [found._asdict() for found in mask_excerpts(kind, start)] for kind in KINDS},
    }
    return [tab_component(FOLDER, settings, words={**words.HTML, "pickers": pickers("choice")})]
