"""Heads off: switches off any set of heads, and ranks all heads by what the German loses without each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.experiments import words as experiments_words
from explorer.experiments.head_measurements import HeadMeasurements, MeasuredHead, measured_heads, named_heads
from explorer.recording.app_context import AppContext
from explorer.recording.head import layers_by_kind
from explorer.tabs.what_if import Panel
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


def settings(app: AppContext) -> dict[str, Any]:
    """The sizes of the grids, and the average over many sentences if the checkpoint has measurements."""
    config = app.translator.model.config
    try:
        measured = measured_heads(app)
        missing = words.NO_AVERAGE
    except UserError as reason:
        measured, missing = None, words.REFUSED.format(reason=reason)
    return {
        "layers": layers_by_kind(config),
        "heads": config.n_heads,
        "kindNames": shared_words.KIND_NAMES,
        "kindTitles": shared_words.KIND_TITLES,
        "average": average_json(measured) if measured else None,
        "named": named_heads(measured) if measured else None,
        "missing": missing,
    }


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


HEADS = Panel(Path(__file__).parent, settings)
