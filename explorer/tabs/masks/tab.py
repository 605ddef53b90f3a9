"""The tab Masks: what padding and causal masks hide, and what a wrong mask would do."""

from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.recording.code_excerpts import mask_excerpts
from explorer.recording.examples import tab_sentences
from explorer.ui.component import Component, pickers, tab_component
from explorer.ui.translations import Translations
from model.probe import KINDS

FOLDER = Path(__file__).parent
words = Translations(__file__)


def masks_tab(app: AppContext) -> list[Component]:
    """A batch of two or three sentences; kind, layer and head are those of Explore."""
    start, tokenizer = app.translator.model.config.start, app.translator.tokenizer
    settings = {
        "text": {**words.MASKS, "batchSize": words.BATCH_SIZE, "refused": words.REFUSED},
        "padId": tokenizer.pad_id,
        "padding": tokenizer.pieces([tokenizer.pad_id])[0],
        "sentences": tab_sentences().masks,
        "start": start,
        "code": {kind: [found._asdict() for found in mask_excerpts(kind, start)] for kind in KINDS},
    }
    return [tab_component(FOLDER, settings, words={**words.HTML, "tab_label": words.TAB, "pickers": pickers("choice")})]
