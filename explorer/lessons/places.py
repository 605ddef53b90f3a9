"""Whether the places and goals of lessons are there: on the page, and in the trace of the sentence that it shows."""

import re
from collections.abc import Iterator, Mapping

from explorer.lessons.claims import Ground, Result
from explorer.lessons.lesson import Step
from explorer.recording.trace import Trace, parse_kind
from model.probe import KINDS

# The names of tabs and panels, on which lessons do not stand; a test holds them against explorer/tabs.
TABS = (
    "explore", "lessons", "lab", "inside", "masks", "positions", "predictions", "catalogue", "architecture", "training",
    "glossary",
)  # fmt: skip
PANELS = ("fork", "score", "compare", "heads", "hide", "positions", "patch", "search")
NAMES = {"kind": KINDS, "tab": TABS, "lab.station": PANELS}
ALL = {"layer": ("mean", "max", "rollout"), "head": ("mean", "max")}  # what may stand for a number
NUMBER = re.compile(r"[1-9]\d{0,5}")  # as explorer/attention_view/address.js reads it


def places(step: Step, ground: Ground) -> Iterator[tuple[str, Result]]:
    """Every part of a step's place and of its task's goal that is not there, and what there is instead."""
    wanted = {"place": step.place} | ({"goal": step.task.goal} if step.task else {})
    for called, parts in wanted.items():
        for name, fault in faults(parts, {**step.place, **parts}, ground):
            yield f"{called} {name}={parts.get(name, ground.sentence)}", Result(False, fault, fault=True)


def faults(parts: Mapping[str, str], shown: Mapping[str, str], ground: Ground) -> Iterator[tuple[str, str]]:
    """Names of `parts`, each with a sentence, while the page shows what `shown` says."""
    for name, text in parts.items():
        if text not in NAMES.get(name, (text,)):
            yield name, f"{name}: there is no {text!r}, only {', '.join(NAMES[name])}"
    try:
        counts = counted(ground.trace(shown.get("sentence")), shown.get("kind", "cross"))
    except ValueError as error:
        yield "sentence", str(error)
        return
    for name, count in counts.items():
        text = parts.get(name, "1")
        if text not in ALL.get(name, ()) and not (NUMBER.fullmatch(text) and int(text) <= count):
            yield name, f"{name}: there is no {text!r}; it goes from 1 to {count}"


def counted(trace: Trace, kind: str) -> dict[str, int]:
    """How many steps a trace has, and layers and heads of a kind; what is no kind has been said already."""
    layers, heads, *_ = trace.map(parse_kind(kind if kind in KINDS else "cross")).weights.shape
    return {"step": len(trace.steps), "layer": layers, "head": heads}
