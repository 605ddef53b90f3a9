"""A lesson: steps to read, to guess at and to do, each with what it claims of the model.

It is one file, assets/lessons/NAME.yaml, of the form that the classes below say. Texts are given by language, or once
for all; *stars* make a word stand out, and {name} stands for the bound of a check that is called so.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from explorer.lessons.checks import Check, with_choice
from explorer.lessons.claims import Bounded
from explorer.lessons.parts import Parts, rooms_in
from explorer.lessons.plain import LARGEST, plain
from explorer.ui.faults import with_path
from explorer.ui.language import Texts, text_in, validate_texts
from model.files import read_text

PLACEHOLDER = re.compile(r"\{(\w+)\}")
NAME = re.compile(r"[a-z][a-z0-9-]*")
MOST_STEPS = 12
MOST_LESSONS = 99


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Text = Annotated[Texts, AfterValidator(validate_texts)]


class Answer(Strict):
    """A choice of a question, with the check that holds where it is the right one."""

    text: Text
    when: Check


class Question(Strict):
    """What is guessed; `right` counts from one. Where choices are words, one `when` asks it of each: {choice}."""

    ask: Text
    choices: list[Text | Answer] = Field(min_length=2, max_length=6)
    right: Annotated[int, Field(ge=1)]
    when: dict[str, Any] | None = None

    @model_validator(mode="after")
    def can_be_checked(self) -> "Question":
        if self.right > len(self.choices):
            raise ValueError(f"right is {self.right}, but there are {len(self.choices)} choices")
        own = [isinstance(choice, Answer) for choice in self.choices]
        if any(own) if self.when else not all(own):
            raise ValueError("needs a when for all choices, or one for each of them")
        if self.when and not all(isinstance(choice, str) for choice in self.choices):
            raise ValueError("choices of one when are plain texts")
        for _ in self.checks():
            pass
        return self

    def checks(self) -> Iterator[Check]:
        """One for every choice; that of the right one holds, and no other."""
        for choice in self.choices:
            if isinstance(choice, Answer):
                yield choice.when
            else:
                yield Check.model_validate(with_choice(self.when, str(choice)))

    def texts(self, language: str) -> list[str]:
        return [text_in(choice.text if isinstance(choice, Answer) else choice, language) for choice in self.choices]


class Task(Strict):
    """What is done on the page's own controls, and the parts of the address by which it is known to be done."""

    do: Text
    goal: Parts = Field(min_length=1)


class Step(Strict):
    """What is read, what the page shows then, what is guessed and done, and why it came out so."""

    text: Text
    place: Parts
    question: Question | None = None
    task: Task | None = None
    reveal: Text | None = None
    checks: list[Check] = []

    @model_validator(mode="after")
    def fits(self) -> "Step":
        if (self.question or self.task) and self.reveal is None:
            raise ValueError("a question or a task needs a reveal")
        if self.task and self.task.goal.items() <= self.place.items():
            raise ValueError("the goal of the task is where the step begins")
        if (self.reveal or self.task) and not self.checks and not self.question:
            raise ValueError("claims something, and needs checks")
        names = {name for text in self.all_texts() for name in PLACEHOLDER.findall(text)}
        if missing := names - self.numbers("en").keys():
            raise ValueError(f"no check is called {', '.join(sorted(missing))}")
        return self

    def all_texts(self) -> Iterator[str]:
        texts = [self.text, self.reveal, self.task and self.task.do, self.question and self.question.ask]
        for text in texts:
            if text is not None:
                yield from [text] if isinstance(text, str) else text.values()

    def numbers(self, language: str) -> dict[str, str]:
        """The bounds that texts may name."""
        claims = [check.claim for check in self.checks]
        return {
            claim.called: claim.written(language) for claim in claims if isinstance(claim, Bounded) and claim.called
        }

    def shown(self, language: str) -> dict[str, Any]:
        """The step as the page shows it."""
        numbers = self.numbers(language)

        def told(text: str | dict[str, str]) -> str:
            return PLACEHOLDER.sub(lambda found: numbers[found[1]], text_in(text, language))

        question = self.question
        return {
            "text": told(self.text),
            "place": self.place,
            "question": question
            and {"ask": told(question.ask), "choices": question.texts(language), "right": question.right - 1},
            "task": self.task and {"do": told(self.task.do), "goal": self.task.goal},
            "reveal": self.reveal and told(self.reveal),
        }


class Lesson(Strict):
    """A lesson without its name, which is that of its file."""

    title: Text
    shows: Text  # in a line, what one sees
    minutes: Annotated[int, Field(ge=1, le=60)]
    sentence: str
    number: int = MOST_LESSONS  # its place among the others
    steps: list[Step] = Field(min_length=1, max_length=MOST_STEPS)

    @cached_property
    def sentences(self) -> list[str]:
        """What the page translates at each step."""
        return [step.place.get("sentence", self.sentence) for step in self.steps]

    @cached_property
    def tabs(self) -> set[str]:
        """The ids of the tabs that it needs, the first tab's left out."""
        goals = (step.task.goal for step in self.steps if step.task)
        return set().union(*(rooms_in(parts) for parts in (*(step.place for step in self.steps), *goals)))

    def shown(self, name: str, language: str) -> dict[str, Any]:
        """The lesson as the page shows it."""
        texts = {"title": text_in(self.title, language), "shows": text_in(self.shows, language)}
        steps = [step.shown(language) for step in self.steps]
        return {"name": name, **texts, "minutes": self.minutes, "sentence": self.sentence, "steps": steps}


def read(path: Path) -> Lesson:
    """The lesson of a file. Raises ValueError, with a sentence that says what is wrong, and where."""
    with with_path(path):
        if not NAME.fullmatch(path.stem):
            raise ValueError("a lesson's name has small letters, digits and hyphens")
        return Lesson.model_validate(plain(read_text(path, 4 * LARGEST, encoding="utf-8")))


def lessons_in(folder: Path) -> dict[str, Lesson]:
    """All lessons of a folder by their names, in the order of their numbers, or else of their names.

    Raises ValueError, with a sentence, where there are none or one of them is faulty.
    """
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise ValueError(f"{folder}: there is no lesson here, a file NAME.yaml.")
    lessons = {path.stem: read(path) for path in paths}
    return dict(sorted(lessons.items(), key=lambda lesson: (lesson[1].number, lesson[0])))
