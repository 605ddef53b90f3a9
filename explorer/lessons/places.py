"""Checks that the places and goals of lesson steps exist on the page and in the trace of the step's sentence."""

import re
from collections.abc import Iterator, Mapping

from explorer.lessons.claims import CheckContext, ClaimResult
from explorer.lessons.lesson import Step
from explorer.recording.trace import Trace, parse_kind
from model.probe import KINDS

# Ids of tabs and panels, repeated because lessons must not import explorer/tabs; a test compares them.
TAB_IDS = (
    "explore", "lessons", "lab", "inside", "train", "architecture", "positions", "predictions", "masks", "training",
    "glossary",
)  # fmt: skip
PANEL_IDS = ("fork", "score", "compare", "heads", "hide", "positions", "patch", "search")
ALLOWED_VALUES = {"kind": KINDS, "tab": TAB_IDS, "lab.station": PANEL_IDS}
AGGREGATES = {"layer": ("mean", "max", "rollout"), "head": ("mean", "max")}  # values allowed in place of a number
NUMBER = re.compile(r"[1-9]\d{0,5}")  # as explorer/attention_view/address.js reads it


def find_invalid_places(step: Step, context: CheckContext) -> Iterator[tuple[str, ClaimResult]]:
    """Yields each entry of a step's place and goal that does not exist, with an invalid result."""
    states = {"place": step.place} | ({"goal": step.task.goal} if step.task else {})
    for key, state in states.items():
        for name, message in find_invalid_names(state, {**step.place, **state}, context):
            yield f"{key} {name}={state.get(name, context.sentence)}", ClaimResult(False, message, is_invalid=True)


def find_invalid_names(
    state: Mapping[str, str], page_state: Mapping[str, str], context: CheckContext
) -> Iterator[tuple[str, str]]:
    """Yields each name in `state` with an invalid value, and a message; `page_state` is that of the whole page."""
    for name, text in state.items():
        if text not in ALLOWED_VALUES.get(name, (text,)):
            yield name, f"{name}: there is no {text!r}, only {', '.join(ALLOWED_VALUES[name])}"
    try:
        counts = axis_sizes(context.trace(page_state.get("sentence")), page_state.get("kind", "cross"))
    except ValueError as error:
        yield "sentence", str(error)
        return
    for name, count in counts.items():
        text = state.get(name, "1")
        if text not in AGGREGATES.get(name, ()) and not (NUMBER.fullmatch(text) and int(text) <= count):
            yield name, f"{name}: there is no {text!r}; it goes from 1 to {count}"


def axis_sizes(trace: Trace, kind: str) -> dict[str, int]:
    """The numbers of steps, layers and heads of a trace; an invalid kind, reported elsewhere, counts as cross."""
    layers, heads, *_ = trace.map(parse_kind(kind if kind in KINDS else "cross")).weights.shape
    return {"step": len(trace.steps), "layer": layers, "head": heads}
