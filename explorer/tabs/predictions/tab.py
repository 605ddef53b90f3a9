"""The tab Predictions: the output side of a step, in one component that requests each step once.

The logit lens (nostalgebraist 2020) reads the stream after every decoder layer through the model's own output
projection, which was trained to read the last one only. The tab also shows what each sub-layer contributes.
"""

from pathlib import Path
from typing import get_args

from explorer.attention_view.component import STYLE
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words
from explorer.ui.component import CONTEXT_STYLE, Component, tab_component, transport
from explorer.ui.translations import Translations
from model.config import ModelConfig
from model.probe import Stack

FOLDER = Path(__file__).parent
words = Translations(__file__)


def predictions_tab(app: AppContext) -> list[Component]:
    """The component, which shares sentence and step with Explore; temperature needs no request."""
    text = {
        **words.PREDICTIONS,
        "status": shared_words.STEP,
        "fork": shared_words.FORK,
        "excluded": shared_words.EXCLUDED,
    }
    config = app.translator.model.config
    settings = {
        "text": text,
        "columns": words.COLUMNS,
        "figures": words.FIGURES,
        "stages": stage_names(config),
    }
    texts = {
        **words.HTML,
        "tab_label": words.TAB,
        "transport": transport(shared_words.TRANSPORT, slider="step", status="status"),
        "state_shape": words.STATE.format(d_model=config.d_model),
        "logits_shape": words.LOGITS.format(vocab=config.tgt_vocab_size, d_model=config.d_model),
    }
    return [tab_component(FOLDER, settings, styles=(STYLE, CONTEXT_STYLE), words=texts)]


def stage_names(config: ModelConfig) -> dict[Stack, list[str]]:
    """The names of the stages of each residual stream: the embedding, and every sub-layer."""
    names: dict[Stack, list[str]] = {}
    for side in get_args(Stack):
        sublayers = ("self_attention", *(("cross_attention",) if side == "decoder" else ()), "feed_forward")
        places = [(layer, name) for layer in range(config.layers(side)) for name in sublayers]
        named = [words.FIGURES["sublayer"].format(layer=layer + 1, name=words.FIGURES[name]) for layer, name in places]
        names[side] = [words.FIGURES["embedding"], *named]
    return names
