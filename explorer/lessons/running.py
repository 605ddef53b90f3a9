"""Runs the checks of lessons against a model, and selects the lessons that a page offers."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from explorer.experiments.experiment import HeadAt
from explorer.experiments.head_measurements import HeadMeasurements, app_fingerprint
from explorer.experiments.laboratory import Laboratory
from explorer.lessons.claims import CheckContext, ClaimResult
from explorer.lessons.lesson import Lesson, Step, read_lessons
from explorer.lessons.neuron_claims import require_neuron
from explorer.recording.app_context import AppContext
from explorer.recording.trace import Trace, parse_kind
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import HEADS
from model.errors import UserError
from model.probe import KINDS

# Ids of tabs and panels, repeated because lessons must not import explorer/tabs; a test compares them.
TAB_IDS = ("explore", "whole", "positions", "lessons", "train", "training", "glossary")
PANEL_IDS = (
    "heads", "hide", "fork", "positions", "order",
    "patch", "ranking", "neurons", "leave", "score", "search", "compare", "branches",
)  # fmt: skip
ALLOWED_VALUES = {"kind": KINDS, "tab": TAB_IDS, "drawer.panel": PANEL_IDS}
AGGREGATES = {"layer": ("mean", "max", "rollout"), "head": ("mean", "max")}  # values allowed in place of a number
NUMBER = re.compile(r"[1-9]\d{0,5}")  # as explorer/attention_view/view_parts.js reads it
NEURON_PLACE = re.compile(r"(encoder|decoder)\.([1-9]\d{0,5})\.feed\.([1-9]\d{0,5})")  # the board of a neuron


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
    if place := NEURON_PLACE.fullmatch(state.get("whole.at", "")):
        try:
            require_neuron("whole.at", place[1], int(place[2]), int(place[3]), context)
        except UserError as error:
            yield "whole.at", str(error)
    try:
        counts = axis_sizes(context.trace(page_state.get("sentence")), page_state.get("kind", "cross"))
    except UserError as error:
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


class CheckOutcome(NamedTuple):
    """The outcome of one check of a lesson."""

    lesson: str
    step: int  # one-based
    claim: str
    holds: bool
    actual: str  # what the model does


def run_checks(lessons: Mapping[str, Lesson], laboratory: Laboratory) -> Iterator[CheckOutcome]:
    """Runs all checks of lessons. For each step, invalid places and goals come first."""
    for name, lesson in lessons.items():
        rankings: dict[str, list[tuple[HeadAt, float]]] = {}
        for number, (step, sentence) in enumerate(zip(lesson.steps, lesson.sentences, strict=True), 1):
            context = CheckContext(laboratory, sentence, rankings)
            for claim, result in (*find_invalid_places(step, context), *run_step_checks(step, context)):
                yield CheckOutcome(name, number, claim, result.holds, result.actual)


def run_step_checks(step: Step, context: CheckContext) -> Iterator[tuple[str, ClaimResult]]:
    """Runs the checks of a step and of its choices.

    That of a choice must hold if the choice is right, and must not if it is wrong. An invalid one never passes.
    """
    for check in step.checks:
        yield str(check), check.evaluate(context)
    if step.question:
        for number, (check, text) in enumerate(
            zip(step.question.checks(), step.question.choice_texts("en"), strict=True), 1
        ):
            holds, actual, is_invalid = check.evaluate(context)
            right = number == step.question.right
            yield (
                f"“{text}” is {'right' if right else 'wrong'}: {check}",
                ClaimResult(holds is right and not is_invalid, actual),
            )


def require_claims_hold(folder: Path, laboratory: Laboratory) -> None:
    """Raises UserError if a lesson of a folder is invalid or a check of it does not hold."""
    for lesson, step, claim, holds, actual in run_checks(read_folder_once(folder), laboratory):
        if not holds:
            raise UserError(f"{folder / lesson}.yaml, step {step}: this does not hold: {claim}. Found: {actual}")


@cache
def shipped_lessons() -> dict[str, Lesson]:
    """The lessons in assets/, written for the shipped checkpoint."""
    with as_file(files("assets") / "lessons") as folder:
        return read_lessons(folder)


@cache
def read_folder_once(folder: Path) -> dict[str, Lesson]:
    """The lessons of a teacher's folder, read once."""
    return read_lessons(folder)


def lessons_for(app: AppContext) -> dict[str, Lesson]:
    """The teacher's lessons if there are any, else those of the shipped checkpoint if it is the one in use."""
    if app.lessons:
        return read_folder_once(app.lessons)
    return shipped_lessons() if is_shipped(app) else {}


def available_lessons(app: AppContext) -> dict[str, Lesson]:
    """The lessons whose tabs are all on the page."""
    return {name: lesson for name, lesson in lessons_for(app).items() if lesson.tabs.isdisjoint(app.absent_tabs)}


def is_shipped(app: AppContext) -> bool:
    """Whether the checkpoint in use is the shipped one."""
    return app.get_shared(app_fingerprint) == shipped_fingerprint()


@cache
def shipped_fingerprint() -> str:
    heads = (Path(checkpoint.SHIPPED) / HEADS).read_text(encoding="utf-8")
    return HeadMeasurements.model_validate_json(heads).model
