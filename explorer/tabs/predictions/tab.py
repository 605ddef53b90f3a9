"""The tab Predictions: the output side of a step, in one component that requests each step once."""

import json
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLE
from explorer.recording.app_context import AppContext
from explorer.recording.payload import candidate_json, tensor_json
from explorer.tabs.predictions import words
from explorer.tabs.predictions.figures import logits_histogram, residual_figure, state_strip
from explorer.tabs.predictions.output import Predictions, Reading, predictions_of, winning_layer
from explorer.ui import words as shared_words
from explorer.ui.component import CONTEXT_STYLE, Component, tab_component, transport
from explorer.ui.palette import DARK, LIGHT
from explorer.ui.questions import Index, require_index
from model.probe import Stack

FOLDER = Path(__file__).parent
MAX_CANDIDATES = 10  # candidates


def predictions_tab(app: AppContext) -> list[Component]:
    """The component, which shares sentence and step with Explore; temperature needs no request."""

    def prediction(sentence: str, step: Index, side: Stack, piece: Index) -> str:
        return prediction_payload(predictions_of(app.recordings.forward_pass(sentence)), step, side, piece)

    app.questions.add("prediction", prediction)
    text = {**words.PREDICTIONS, "status": shared_words.STEP, "fork": shared_words.FORK}
    settings = {"text": text, "columns": words.COLUMNS, "lab": app.tabs["lab"]}
    texts = {**words.HTML, "transport": transport(shared_words.TRANSPORT, slider="step", status="status")}
    return [tab_component(FOLDER, settings, styles=(STYLE, CONTEXT_STYLE), words=texts)]


def prediction_payload(predictions: Predictions, step: int, side: Stack, piece: int) -> str:
    """A step as JSON: all its logits, the readings of the layers, and the figures in both themes.

    `side` (encoder or decoder) selects the residual stream: of source piece `piece` in the encoder, of the fed piece in
    the decoder. Raises ValueError if there is no such step or piece.
    """
    for name, index, count in (
        ("step", step, len(predictions.logits)),
        ("piece", piece, len(predictions.trace.source)),
    ):
        require_index(name, index, count)
    logits, state, lens = predictions.logits[step], predictions.states[-1, step], predictions.lens(step)
    return json.dumps(
        {
            "stateShape": words.STATE.format(d_model=len(state)),
            "logitsShape": words.LOGITS.format(vocab=len(logits), d_model=len(state)),
            "logits": tensor_json(logits),
            "best": [candidate_json(candidate) for candidate in predictions.candidates(step, MAX_CANDIDATES)],
            "lens": [reading_json(reading) for reading in lens],
            "wins": winning_layer(lens),
            "figures": {
                name: figures_json(predictions, step, side, piece, palette)
                for name, palette in (("light", LIGHT), ("dark", DARK))
            },
        }
    )


def reading_json(reading: Reading) -> dict[str, Any]:
    return {**reading._asdict(), "candidates": [candidate_json(candidate) for candidate in reading.candidates]}


def figures_json(
    predictions: Predictions, step: int, side: Stack, piece: int, palette: dict[str, str]
) -> dict[str, Any]:
    stream, index = (predictions.encoder, piece) if side == "encoder" else (predictions.decoder, step)
    figures = {
        "state": state_strip(predictions.states[-1, step], palette),
        "logits": logits_histogram(predictions.logits[step], predictions.trace.steps[step].predicted.id, palette),
        "residual": residual_figure(stream, index, side, palette),
    }
    return {name: figure.to_plotly_json() for name, figure in figures.items()}
