"""The tab Predictions: the output side of a step, in one component that requests each step once."""

import json
from functools import partial
from pathlib import Path
from typing import Any, get_args

from explorer.attention_view.component import STYLE
from explorer.recording.app_context import AppContext
from explorer.recording.payload import candidate_json, tensor_json
from explorer.recording.recordings import Recordings
from explorer.tabs.predictions.output import Leader, Reading, Residual, predictions_of, winning_layer
from explorer.ui import words as shared_words
from explorer.ui.component import CONTEXT_STYLE, Component, tab_component, transport
from explorer.ui.questions import Index, require_index
from explorer.ui.translations import Translations
from model.config import ModelConfig
from model.probe import Stack

words = Translations(__file__)

FOLDER = Path(__file__).parent
MAX_CANDIDATES = 10  # candidates


def predictions_tab(app: AppContext) -> list[Component]:
    """The component, which shares sentence and step with Explore; temperature needs no request."""
    app.questions.add("prediction", partial(prediction_answer, app.recordings))
    text = {**words.PREDICTIONS, "status": shared_words.STEP, "fork": shared_words.FORK}
    config = app.translator.model.config
    settings = {
        "text": text,
        "columns": words.COLUMNS,
        "lab": app.tabs["lab"],
        "figures": words.FIGURES,
        "stages": stage_names(config),
    }
    texts = {
        **words.HTML,
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


def prediction_answer(recordings: Recordings, sentence: str, step: Index) -> str:
    """A step as JSON: state, all logits, the layers' readings and the pieces that lead there, both residual streams.

    Raises ValueError if there is no such step.
    """
    predictions = predictions_of(recordings.forward_pass(sentence))
    require_index("step", step, len(predictions.logits))
    logits, state, lens = predictions.logits[step], predictions.states[-1, step], predictions.lens(step)
    return json.dumps(
        {
            "state": tensor_json(state),
            "logits": tensor_json(logits),
            "best": [candidate_json(candidate) for candidate in predictions.candidates(step, MAX_CANDIDATES)],
            "lens": [reading_json(reading) for reading in lens],
            "wins": winning_layer(lens),
            "leaders": [leader_json(leader) for leader in predictions.leaders(step)],
            **residual_json("encoder", predictions.encoder),
            **residual_json("decoder", predictions.decoder),
        }
    )


def reading_json(reading: Reading) -> dict[str, Any]:
    return {**reading._asdict(), "candidates": [candidate_json(candidate) for candidate in reading.candidates]}


def leader_json(leader: Leader) -> dict[str, Any]:
    return {**leader._asdict(), "piece": {"text": leader.piece.text, "id": leader.piece.id}}


def residual_json(side: Stack, stream: Residual) -> dict[str, Any]:
    return {f"{side}_norms": tensor_json(stream.norms), f"{side}_shares": tensor_json(stream.shares)}
