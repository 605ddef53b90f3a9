"""The panel Heads off."""

from pathlib import Path
from typing import Any

from explorer.experiments import words as experiments_words
from explorer.experiments.catalogue import names_of
from explorer.experiments.importance import STABLE
from explorer.experiments.measured import Measured, read
from explorer.recording.app_context import AppContext
from explorer.recording.head import layers_by_kind
from explorer.tabs.what_if.heads import words
from explorer.tabs.what_if.heads.answer import ranking_answer
from explorer.tabs.what_if.heads.findings import findings
from explorer.tabs.what_if.panel import Panel
from explorer.ui import words as shared_words


def settings(app: AppContext) -> dict[str, Any]:
    """The sizes of the grids, and the average over many sentences where the checkpoint has one of its own."""
    config = app.translator.model.config
    try:
        measured = read(app.folder, app.translator) if app.folder else None
        missing = words.NO_AVERAGE
    except ValueError as reason:
        measured, missing = None, words.REFUSED.format(reason=reason)
    return {
        "layers": layers_by_kind(config),
        "heads": config.n_heads,
        "kindNames": shared_words.KIND_NAMES,
        "kindTitles": shared_words.KIND_TITLES,
        "average": average_json(measured) if measured else None,
        "missing": missing,
    }


def average_json(measured: Measured) -> dict[str, Any]:
    """The mean drop of every head with its interval, and what to say of the order."""
    text = words.AVERAGE.format(
        sentences=measured.sentences,
        split_half=measured.split_half,
        stability=experiments_words.STABILITY["stable" if measured.split_half >= STABLE else "unstable"],
    )
    heads = [
        {
            "place": [head.kind, head.layer, head.head],
            "drop": head.drop,
            "low": head.low,
            "high": head.high,
            "names": [experiments_words.HEAD_NAMES[name] for name in names_of(head.kind, head.model_dump())],
        }
        for head in measured.heads
    ]
    return {"text": text, "heads": heads, "findings": findings(measured)}


HEADS = Panel(Path(__file__).parent, words, {"ranking": ranking_answer}, settings)
