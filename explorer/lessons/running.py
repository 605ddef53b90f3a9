"""Lessons run against a model: what they claim, what is the case, and which of them a page may offer."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from explorer.experiments.experiment import HeadAt
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.measured import HeadMeasurements, fingerprint
from explorer.lessons.claims import Ground, Result
from explorer.lessons.lesson import Lesson, Step, lessons_in
from explorer.lessons.places import places
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import HEADS


class Finding(NamedTuple):
    """A check that was run: of which lesson and step (from one), what it claims, whether it holds, what was found."""

    lesson: str
    step: int
    claim: str
    holds: bool
    found: str


def findings(lessons: Mapping[str, Lesson], laboratory: Laboratory) -> Iterator[Finding]:
    """All that some lessons claim, checked; before that, what a step shows or wants reached that is not there."""
    for name, lesson in lessons.items():
        rankings: dict[str, list[tuple[HeadAt, float]]] = {}
        for number, (step, sentence) in enumerate(zip(lesson.steps, lesson.sentences, strict=True), 1):
            ground = Ground(laboratory, sentence, rankings)
            for claim, result in (*places(step, ground), *checked(step, ground)):
                yield Finding(name, number, claim, result.holds, result.found)


def checked(step: Step, ground: Ground) -> Iterator[tuple[str, Result]]:
    """A step's checks, and those of its choices, of which the right one's alone holds; one with a fault never does."""
    for check in step.checks:
        yield str(check), check.result(ground)
    if step.question:
        for number, (check, text) in enumerate(zip(step.question.checks(), step.question.texts("en"), strict=True), 1):
            holds, found, fault = check.result(ground)
            right = number == step.question.right
            yield f"“{text}” is {'right' if right else 'wrong'}: {check}", Result(holds is right and not fault, found)


def require_true(folder: Path, laboratory: Laboratory) -> None:
    """Raises ValueError, with a sentence, where a lesson of a folder is faulty or claims what is not the case."""
    for lesson, step, claim, holds, found in findings(brought(folder), laboratory):
        if not holds:
            raise ValueError(f"{folder / lesson}.yaml, step {step}: this does not hold: {claim}. Found: {found}")


@cache
def shipped() -> dict[str, Lesson]:
    """The lessons in assets/, which belong to the shipped checkpoint."""
    with as_file(files("assets") / "lessons") as folder:
        return lessons_in(folder)


@cache
def brought(folder: Path) -> dict[str, Lesson]:
    """The lessons of a teacher's folder."""
    return lessons_in(folder)


def lessons_for(app: AppContext) -> dict[str, Lesson]:
    """The lessons that a page offers: the teacher's own, or those of the shipped checkpoint, where it is that one."""
    if app.lessons:
        return brought(app.lessons)
    return shipped() if is_shipped(app) else {}


def doable(app: AppContext) -> dict[str, Lesson]:
    """Those of them that need no tab that is away."""
    return {name: lesson for name, lesson in lessons_for(app).items() if lesson.tabs.isdisjoint(app.absent_tabs)}


def is_shipped(app: AppContext) -> bool:
    """Whether the opened checkpoint is the shipped one, as the shipped file of heads knows it."""
    return app.get_shared(own_fingerprint) == shipped_fingerprint()


def own_fingerprint(recordings: Recordings) -> str:
    return fingerprint(recordings.translator)


@cache
def shipped_fingerprint() -> str:
    heads = (Path(checkpoint.SHIPPED) / HEADS).read_text(encoding="utf-8")
    return HeadMeasurements.model_validate_json(heads).model
