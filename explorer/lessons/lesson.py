"""The schema of a lesson and its loader: steps with texts, questions, tasks, and checks of what they claim.

A lesson is one file, assets/lessons/NAME.yaml. A text is a string, or a map from language to string; *stars* emphasize
a word, and {name} shows the bound of the check with `called: name`.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, Field, model_validator

from explorer.lessons.claims import (
    AttentionClaim,
    BoundedClaim,
    ChangingHeadsClaim,
    CheckContext,
    Claim,
    ClaimResult,
    HeadCostClaim,
    OmissionClaim,
    OutOfRangeError,
    PieceCountClaim,
    PredictionClaim,
    SameTranslationClaim,
    TranslationClaim,
)
from explorer.lessons.neuron_claims import ContextsClaim, FiringClaim, NeuronClaim
from explorer.lessons.url_state import UrlState, tab_ids
from explorer.ui.language import Texts, text_in, validate_texts
from explorer.ui.questions import StrictModel, with_path
from model.errors import UserError
from model.files import read_text

MAX_FILE_CHARACTERS = 100_000  # the longest shipped lesson has 9,000
MAX_VALUES = 20_000  # each use of an alias counts anew; the shipped lessons have 300
SURROGATE = re.compile("[\ud800-\udfff]")
MAX_INTEGER_BITS = 64  # Python refuses to print very long integers


class Check(StrictModel):
    """One claim under its YAML key: `attends: {word: gekauft, to: bought}`."""

    translates: TranslationClaim | None = None
    same: SameTranslationClaim | None = None
    writes: PredictionClaim | None = None
    pieces: PieceCountClaim | None = None
    attends: AttentionClaim | None = None
    needs: OmissionClaim | None = None
    costs: HeadCostClaim | None = None
    changing: ChangingHeadsClaim | None = None
    neuron: NeuronClaim | None = None
    contexts: ContextsClaim | None = None
    fires: FiringClaim | None = None

    @model_validator(mode="after")
    def require_one_claim(self) -> "Check":
        if len(self.model_fields_set) != 1 or getattr(self, self.name) is None:  # `translates:` without a value
            raise ValueError(f"needs one of {', '.join(type(self).model_fields)}")
        return self

    @property
    def name(self) -> str:
        (name,) = self.model_fields_set
        return name

    @property
    def claim(self) -> Claim:
        return getattr(self, self.name)

    def evaluate(self, context: CheckContext) -> ClaimResult:
        """Evaluates the claim; it does not hold if a word or a sentence of it does not exist."""
        try:
            return self.claim.evaluate(context)
        except UserError as error:
            return ClaimResult(False, str(error), isinstance(error, OutOfRangeError))

    def __str__(self) -> str:
        fields = self.claim.model_dump(exclude_defaults=True, by_alias=True)
        return f"{self.name} {', '.join(f'{name}={value}' for name, value in fields.items())}"


def fill_choice(check: Any, choice: str) -> Any:
    """Replaces {choice} in a check of a lesson file with the text of one choice of the question."""
    if isinstance(check, str):
        return check.replace("{choice}", choice)
    if isinstance(check, dict):
        return {name: fill_choice(value, choice) for name, value in check.items()}
    if isinstance(check, list):
        return [fill_choice(value, choice) for value in check]
    return check


class RestrictedLoader(yaml.SafeLoader):
    """A SafeLoader that refuses tags, which fail in many ways, maps that grow without bounds, and a key twice."""

    def fetch_tag(self) -> None:
        raise yaml.MarkedYAMLError(problem="a lesson has no tags (!)", problem_mark=self.get_mark())

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        known: set[str] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                raise yaml.MarkedYAMLError(problem="a lesson merges no maps (<<)", problem_mark=key.start_mark)
            if isinstance(key, yaml.ScalarNode):
                if key.value in known:  # of which YAML takes the last without a word
                    raise yaml.MarkedYAMLError(problem=f"{key.value} is there twice", problem_mark=key.start_mark)
                known.add(key.value)


def yaml_fault(error: yaml.YAMLError) -> str:
    """Where and why YAML breaks off, as the end of a sentence."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    place = f" from line {mark.line + 1}, column {mark.column + 1} on" if mark else ""
    return f"{place}: look at indentation, colons and quotes there" + (f" ({problem})" if problem else "")


def load_yaml(text: str) -> Any:
    """Parses a YAML text. Raises UserError with a reason if it is invalid or too large."""
    if len(text) > MAX_FILE_CHARACTERS:
        raise UserError(f"it has {len(text):,} characters, and a lesson at most {MAX_FILE_CHARACTERS:,}")
    try:
        value = yaml.load(text, RestrictedLoader)
    except RecursionError as error:
        raise UserError("it is nested too deep") from error
    except yaml.YAMLError as error:
        raise UserError(f"this is no YAML{yaml_fault(error)}") from error
    except ValueError as error:
        raise UserError("it holds a date or a number that cannot be") from error
    require_bounded_size(value)
    return value


def require_bounded_size(value: Any) -> None:
    """Raises UserError if a value is too large: by aliases a short text can hold millions of values, or itself.

    So does a text with half of a surrogate pair, which YAML can escape, and no page can show.
    """
    pending, count = [value], 0
    while pending:
        current = pending.pop()
        if isinstance(current, str) and SURROGATE.search(current):
            raise UserError("it holds half of a surrogate pair, which is no character")
        if isinstance(current, int) and current.bit_length() > MAX_INTEGER_BITS:
            raise UserError("it holds a number of too many digits")
        children = (
            [*current, *current.values()] if isinstance(current, dict) else current if isinstance(current, list) else []
        )
        pending += children
        count += len(children)
        if count > MAX_VALUES:
            raise UserError(f"it holds more than {MAX_VALUES:,} values")


PLACEHOLDER = re.compile(r"\{(\w+)\}")
NAME = re.compile(r"[a-z][a-z0-9-]*")
MAX_STEPS = 12
LAST_NUMBER = 99
LEVELS = ("easy", "medium", "hard")


Text = Annotated[Texts, AfterValidator(validate_texts)]


class Answer(StrictModel):
    """A choice of a question, with a check that holds if and only if the choice is right."""

    text: Text
    when: Check


class Question(StrictModel):
    """A multiple-choice question; `right` counts from one. If choices are plain texts, `when` is the check of all."""

    ask: Text
    choices: list[Text | Answer] = Field(min_length=2, max_length=6)
    right: Annotated[int, Field(ge=1)]
    when: dict[str, Any] | None = None

    @model_validator(mode="after")
    def require_checks(self) -> "Question":
        if self.right > len(self.choices):
            raise ValueError(f"right is {self.right}, but there are {len(self.choices)} choices")
        has_check = [isinstance(choice, Answer) for choice in self.choices]
        if any(has_check) if self.when else not all(has_check):
            raise ValueError("needs a when for all choices, or one for each of them")
        if self.when and not all(isinstance(choice, str) for choice in self.choices):
            raise ValueError("choices of one when are plain texts")
        list(self.checks())  # validates them
        return self

    def checks(self) -> Iterator[Check]:
        """The check of each choice; only that of the right one holds."""
        for choice in self.choices:
            if isinstance(choice, Answer):
                yield choice.when
            else:
                yield Check.model_validate(fill_choice(self.when, str(choice)))

    def choice_texts(self, language: str) -> list[str]:
        return [text_in(choice.text if isinstance(choice, Answer) else choice, language) for choice in self.choices]


class Task(StrictModel):
    """Something to do with the page's controls; it is done when the URL state matches `goal`."""

    do: Text
    goal: UrlState = Field(min_length=1)


class Step(StrictModel):
    """A text, the URL state of the page beside it, an optional question and task, and their explanation."""

    text: Text
    place: UrlState
    question: Question | None = None
    task: Task | None = None
    reveal: Text | None = None
    checks: list[Check] = Field([])

    @model_validator(mode="after")
    def require_consistency(self) -> "Step":
        if (self.question or self.task) and self.reveal is None:
            raise ValueError("a question or a task needs a reveal")
        if self.task and self.task.goal.items() <= self.place.items():
            raise ValueError("the goal of the task is where the step begins")
        if (self.reveal or self.task) and not self.checks and not self.question:
            raise ValueError("claims something, and needs checks")
        names = {name for text in self.all_texts() for name in PLACEHOLDER.findall(text)}
        if missing := names - self.named_bounds("en").keys():
            raise ValueError(f"no check is called {', '.join(sorted(missing))}")
        return self

    def all_texts(self) -> Iterator[str]:
        texts = [self.text, self.reveal, self.task and self.task.do, self.question and self.question.ask]
        for text in texts:
            if text is not None:
                yield from [text] if isinstance(text, str) else text.values()

    def named_bounds(self, language: str) -> dict[str, str]:
        """The bounds that texts can refer to, by name."""
        claims = [check.claim for check in self.checks]
        return {
            claim.called: claim.format_bound(language)
            for claim in claims
            if isinstance(claim, BoundedClaim) and claim.called
        }

    def to_json(self, language: str) -> dict[str, Any]:
        """The step in one language, as JSON for the page."""
        numbers = self.named_bounds(language)

        def fill(text: str | dict[str, str]) -> str:
            return PLACEHOLDER.sub(lambda match: numbers[match[1]], text_in(text, language))

        question = self.question
        return {
            "text": fill(self.text),
            "place": self.place,
            "question": question
            and {"ask": fill(question.ask), "choices": question.choice_texts(language), "right": question.right - 1},
            "task": self.task and {"do": fill(self.task.do), "goal": self.task.goal},
            "reveal": self.reveal and fill(self.reveal),
        }


class Lesson(StrictModel):
    """A lesson; its name is that of its file."""

    title: Text
    shows: Text  # one line: what the lesson is about
    minutes: Annotated[int, Field(ge=1, le=60)]
    level: Literal["easy", "medium", "hard"] = "medium"
    sentence: str
    number: int = LAST_NUMBER  # its position among those of its level
    steps: list[Step] = Field(min_length=1, max_length=MAX_STEPS)

    @cached_property
    def sentences(self) -> list[str]:
        """The sentence of each step."""
        return [step.place.get("sentence", self.sentence) for step in self.steps]

    @cached_property
    def tabs(self) -> set[str]:
        """The ids of the tabs that the lesson needs, without the first tab."""
        goals = (step.task.goal for step in self.steps if step.task)
        return set().union(*(tab_ids(parts) for parts in (*(step.place for step in self.steps), *goals)))

    def to_json(self, name: str, language: str) -> dict[str, Any]:
        """The lesson in one language, as JSON for the page."""
        texts = {"title": text_in(self.title, language), "shows": text_in(self.shows, language)}
        steps = [step.to_json(language) for step in self.steps]
        return {
            "name": name,
            **texts,
            "minutes": self.minutes,
            "level": self.level,
            "sentence": self.sentence,
            "steps": steps,
        }


def read_lesson(path: Path) -> Lesson:
    """Reads a lesson file. Raises UserError, which says what is wrong, and where."""
    with with_path(path):
        if not NAME.fullmatch(path.stem):
            raise UserError("a lesson's name has small letters, digits and hyphens")
        return Lesson.model_validate(load_yaml(read_text(path.resolve(), 4 * MAX_FILE_CHARACTERS, encoding="utf-8")))


def read_lessons(folder: Path) -> dict[str, Lesson]:
    """Reads all lessons of a folder, the easiest first; those of a level are sorted by number, then by name.

    Raises UserError if there are none or one is invalid.
    """
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise UserError(f"{folder}: there is no lesson here, a file NAME.yaml.")
    lessons = {path.stem: read_lesson(path) for path in paths}
    return dict(
        sorted(lessons.items(), key=lambda lesson: (LEVELS.index(lesson[1].level), lesson[1].number, lesson[0]))
    )
