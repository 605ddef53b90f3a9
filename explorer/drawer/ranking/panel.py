"""Rank heads: all heads by what the German loses without each, and what the grids of heads need."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.drawer import Panel
from explorer.drawer import words as drawer_words
from explorer.experiments import words as experiments_words
from explorer.experiments.head_measurements import HeadMeasurements, MeasuredHead, measured_heads, named_heads
from explorer.recording.app_context import AppContext
from explorer.recording.head import layers_by_kind
from explorer.ui import words as shared_words
from explorer.ui.language import format_percent, join_list
from explorer.ui.translations import Translations
from model.errors import UserError
from model.probe import KINDS

words = Translations(__file__)

TOP_HEADS = 12
POSITIONAL = {"previous", "same", "next"}


def findings(measured: HeadMeasurements) -> list[str]:
    """Sentences about single heads, kinds, heads that attend to neighbours, and heads that align."""
    heads = measured.heads
    top = sorted(heads, key=lambda head: -head.drop)[:TOP_HEADS]
    best, total = top[0], sum(head.drop for head in heads)
    shares = [
        words.FOUND["share"].format(
            kind=shared_words.KIND_NAMES[kind],
            share=format_percent(sum(head.drop for head in heads if head.kind == kind) / total),
            first=sum(head.kind == kind for head in top),
        )
        for kind in KINDS
    ]
    sentences = [
        words.FOUND["single"].format(
            worse=sum(head.low > 0 for head in heads),
            better=sum(head.high < 0 for head in heads),
            heads=len(heads),
            kind=shared_words.KIND_NAMES[best.kind],
            layer=best.layer + 1,
            head=best.head + 1,
            drop=best.drop,
        ),
        words.FOUND["kinds"].format(first=TOP_HEADS, shares=join_list(shares)),
        describe_comparison("positional", [head for head in heads if head.kind != "cross"], POSITIONAL),
        describe_comparison("aligning", [head for head in heads if head.kind == "cross"], {"aligns"}),
    ]
    return [sentence for sentence in sentences if sentence]


def describe_comparison(name: str, heads: Sequence[MeasuredHead], names: set[str]) -> str | None:
    """A sentence that compares the mean drop of heads with one of the names to that of the other heads."""
    matches = [head for head in heads if names & {*head.names}]
    others = [head for head in heads if head not in matches]
    if not matches or not others:
        return words.FOUND[f"no_{name}"]
    mean, other_mean = (float(np.mean([head.drop for head in group])) for group in (matches, others))
    return words.FOUND[name].format(count=len(matches), mean=mean, others=other_mean)


def head_settings(app: AppContext) -> dict[str, Any]:
    """The sizes and words of the grids of heads, and the names of measured heads."""
    config = app.translator.model.config
    measured, _ = measurements(app)
    return {
        "layers": layers_by_kind(config),
        "heads": config.n_heads,
        "kindNames": shared_words.KIND_NAMES,
        "kindTitles": shared_words.KIND_TITLES,
        "grids": drawer_words.HEADS,
        "named": named_heads(measured) if measured else None,
    }


def settings(app: AppContext) -> dict[str, Any]:
    """The same, and the average over many sentences if the checkpoint has measurements."""
    measured, missing = measurements(app)
    return {**head_settings(app), "average": average_json(measured) if measured else None, "missing": missing}


def measurements(app: AppContext) -> tuple[HeadMeasurements | None, str]:
    """What was measured of the checkpoint's heads, and what to say where nothing was."""
    try:
        return measured_heads(app), words.NO_AVERAGE
    except UserError as reason:
        return None, words.REFUSED.format(reason=reason)


def average_json(measured: HeadMeasurements) -> dict[str, Any]:
    """The mean drop of every head with its interval, and texts about the ranking."""
    text = words.AVERAGE.format(
        sentences=measured.sentences,
        split_half=measured.split_half,
        stability=measured.stability,
    )
    heads = [
        {
            "place": [head.kind, head.layer, head.head],
            "drop": head.drop,
            "low": head.low,
            "high": head.high,
            "names": [experiments_words.HEAD_NAMES[name] for name in head.names],
        }
        for head in measured.heads
    ]
    return {"text": text, "heads": heads, "findings": findings(measured)}


RANKING = Panel(Path(__file__).parent, settings, is_wide=True)
