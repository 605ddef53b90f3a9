"""The tab What if: runs an experiment and shows the changed translation beside the unchanged one."""

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLE as VIEWER_STYLE
from explorer.attention_view.component import View, viewer_html, viewer_settings
from explorer.experiments.differences import pair_pieces
from explorer.experiments.experiment import Experiment, experiment_of
from explorer.experiments.laboratory import Laboratory, shared_laboratory
from explorer.recording.app_context import AppContext
from explorer.recording.payload import encode_weights, trace_json
from explorer.recording.trace import Trace
from explorer.tabs.what_if import Panel, words
from explorer.tabs.what_if.heads.panel import HEADS
from explorer.tabs.what_if.hide.panel import HIDE
from explorer.tabs.what_if.measured_heads.tab import measured_heads_components
from explorer.tabs.what_if.patch.panel import PATCH
from explorer.tabs.what_if.search.panel import SEARCH
from explorer.ui.component import Component, fill_template, read_css
from model.probe import Kind

FOLDER = Path(__file__).parent


def positions_settings(app: AppContext) -> dict[str, Any]:
    """A note on this model's positions; empty for the usual sinusoids."""
    return {"own": POSITIONS.words.OWN.get(app.translator.model.config.positions, "")}


POSITIONS = Panel(FOLDER / "positions", settings=positions_settings, is_advanced=True)
# In the order of their buttons. A new panel needs a folder, a line here, and one in lab.js.
PANELS = (
    *(Panel(FOLDER / name) for name in ("fork", "score", "compare")),
    HEADS,
    HIDE,
    POSITIONS,
    PATCH,
    SEARCH,
)


def run_answer(laboratory: Laboratory, sentence: str, experiment_json: Any) -> str:
    """The changed trace, the partners of its pieces in the unchanged one, and the log-probabilities of both per step.

    `rescored` are those of the unchanged German under the experiment; null if the experiment only forces German.
    """
    experiment = experiment_of(experiment_json)
    original, changed = laboratory.recordings.trace(sentence), laboratory.trace(sentence, experiment)
    rescored = laboratory.rescored(sentence, experiment) if has_model_changes(experiment) else None
    return json.dumps(
        {
            "trace": trace_json(changed),
            "pairs": pair_pieces(original, changed)._asdict(),
            "original": scores(original),
            "changed": scores(changed),
            "rescored": rescored and scores(rescored),
        }
    )


def has_model_changes(experiment: Experiment) -> bool:
    """Whether the experiment may change the probability of the unchanged German."""
    return experiment.touches or experiment.source is not None or experiment.word_order is not None


def scores(trace: Trace) -> dict[str, list[float] | list[int]]:
    """The log-probability (nats) and the rank of each step's piece; rank 0 is the most probable."""
    return {
        "logs": [step.log_probability for step in trace.steps],
        "ranks": [step.rank for step in trace.steps],
    }


def weights_answer(laboratory: Laboratory, sentence: str, experiment_json: Any, kind: Kind) -> str:
    """The weights of one kind, for a trace that is too large for one response."""
    return encode_weights(laboratory.trace(sentence, experiment_of(experiment_json)), kind)


def target_answer(laboratory: Laboratory, text: Any) -> str:
    """The ids of a text in the target language, and the end id."""
    return json.dumps({"ids": laboratory.target_ids(text), "end": laboratory.translator.tokenizer.eos_id})


ANSWERS = {"run": run_answer, "weights": weights_answer, "target": target_answer}


OWN_STYLES = ("lab.css", "panels.css", "heads/heads.css", "search/search.css")
STYLES = (VIEWER_STYLE, *(FOLDER / name for name in OWN_STYLES))


def what_if_tab(app: AppContext) -> list[Component]:
    """The tab with its panels and an attention view; experiments run on request."""
    laboratory = shared_laboratory(app)
    answers = {**ANSWERS, **{name: answer for panel in PANELS for name, answer in panel.answers.items()}}
    for name, answer in answers.items():
        app.questions.add(f"lab.{name}", partial(answer, laboratory))
    settings = {
        **viewer_settings(),
        "view": asdict(View(level="heads", whole=True)),
        "lab": {"text": words.LAB, "panels": {panel.name: panel_settings(panel, app) for panel in PANELS}},
    }
    lab = Component("lab", html=lab_html(), css=read_css(*STYLES), module=FOLDER / "lab.js", settings=settings)
    return [lab, *(measured_heads_components(app) if app.about is None else [])]  # the heads of a toy were not measured


def panel_settings(panel: Panel, app: AppContext) -> dict[str, Any]:
    words = panel.words
    return {
        "label": words.LABEL,
        "hint": words.HINT,
        "text": dict(words.TEXT),
        "advanced": panel.is_advanced,
        **panel.settings(app),
    }


def lab_html() -> str:
    """The HTML of the tab with its panels and the attention view."""
    panels = "".join(
        f'<div class="panel {panel.name}" data-panel="{panel.name}" hidden>{panel.html}</div>' for panel in PANELS
    )
    parts = {"panels": panels, "viewer": viewer_html()}
    return fill_template(FOLDER / "lab.html", {**words.HTML, **parts})
