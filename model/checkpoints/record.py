"""The record of a checkpoint, `training.json`: the training runs behind its weights, their data and scores.

Fields with other names than these are kept as they are.
"""

from itertools import accumulate
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from model.languages import ENGLISH_TO_GERMAN, NamedLanguages
from model.tidying import RulesName

Count = Annotated[int, Field(ge=0, le=10**15)]
Amount = Annotated[float, Field(ge=0, le=1e15)]


class StrictModel(BaseModel):
    """A part of a record: known fields have the right types, without booleans or texts as numbers."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


class LogLine(StrictModel):
    """A line of a run's log."""

    step: Count
    loss: float = 0
    dev_loss: float = 0
    lr: float = 0
    tokens_per_s: float = 0


class Run(StrictModel):
    """A training run (see `training_record` in model/train.py)."""

    command: str = ""
    hardware: str = ""
    steps: Count = 0
    epochs: Amount = 0
    tokens: Count = 0
    seconds: Amount = 0
    log: list[LogLine] = []
    note: str = ""


class EarlierRun(Run):
    """A run whose weights another one started from; its steps are required, to number those of the next."""

    steps: Count = Field(...)


class File(StrictModel):
    """A file of sentence pairs, and its role."""

    file: str
    pairs: Count
    role: str
    weight: Amount = 0
    source: str = ""
    licence: str = ""


class Score(StrictModel):
    """The scores of a translated file (see tools/evaluate.py)."""

    file: str
    pairs: Count
    decoding: str
    signature: str
    bleu: float = 0
    bleu_lowercase: float = 0
    chrf: float = 0


class KindResult(StrictModel):
    """How many sentences of a kind came out right."""

    kind: str
    right: Count
    sentences: Count


class WrongTranslation(StrictModel):
    """A sentence, and what came out wrong."""

    sentence: str
    translation: str


class ListResult(StrictModel):
    """What came out of a list of sentences that people type (see tools/sentence_lists.py)."""

    file: str
    decoding: str
    kinds: list[KindResult]
    wrong: list[WrongTranslation] = []


class Recipe(StrictModel):
    """The settings of the last run."""

    max_pieces: Annotated[int, Field(ge=1, le=10**9)] = 1


class Likelihood(StrictModel):
    """How likely a translation is good: a logistic regression (see explorer/recording/likelihood.py)."""

    measures: list[str]
    means: list[float]
    scales: list[Annotated[float, Field(gt=0)]]
    coefficients: list[float]
    intercept: float
    right: Annotated[float, Field(ge=0, le=1)]  # "likely right" from this probability
    wrong: Annotated[float, Field(ge=0, le=1)]  # "likely wrong" below it

    @model_validator(mode="after")
    def require_equal_lengths(self) -> "Likelihood":
        if len({len(self.measures), len(self.means), len(self.scales), len(self.coefficients)}) > 1:
            raise ValueError("measures, means, scales and coefficients differ in number")
        return self


# Lengths have a field of their own: a pattern with {0,60} takes pydantic 8 MB and 50 ms.
LicenceId = Annotated[str, Field(pattern=r"^[\w.+-]*$", max_length=60)]  # as the Hub calls it


class Origin(StrictModel):
    """Where a converted model comes from; unknown fields are empty."""

    # On the Hugging Face Hub, or the name of a folder.
    repository: Annotated[str, Field(pattern=r"^[\w./-]+$", max_length=200)]
    revision: Annotated[str, Field(pattern=r"^\w*$", max_length=64)] = ""  # its commit
    licence: LicenceId = ""


class Record(Run):
    """The whole file; every field is optional."""

    before: list[EarlierRun] = []
    languages: NamedLanguages = ENGLISH_TO_GERMAN
    tidying: RulesName | None = None  # without it, that of the source language
    model: dict[str, str | int | float | bool] = {}
    recipe: Recipe = Recipe()
    data: list[File] = []
    data_note: str = ""
    licence: LicenceId = ""  # of the weights; "other" has a name, and its text in LICENSE.md beside the weights
    licence_name: LicenceId = ""
    origin: Origin | None = None
    examples: list[str] = []  # example sentences for the page
    scores: list[Score] = []
    lists: list[ListResult] = []
    likelihood: Likelihood | None = None


def runs_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs that led to the checkpoint, oldest first; there may be none.

    The record itself describes the last run, and "before" the earlier ones, each of which started from the checkpoint
    of the one before.
    """
    last = {name: record[name] for name in Run.model_fields if name in record}
    return [*record.get("before", []), *([last] if "steps" in last else [])]


def total_over_runs(runs: list[dict[str, Any]], name: str) -> Any:
    """The sum over the runs of "steps", "epochs", "tokens" or "seconds"."""
    return sum(run.get(name, 0) for run in runs)


def last_dev_loss(run: dict[str, Any]) -> float | None:
    """The last validation loss of the run, in nats per piece, or None without held-out pairs."""
    return next((line["dev_loss"] for line in reversed(run.get("log", [])) if "dev_loss" in line), None)


def start_steps(runs: list[dict[str, Any]]) -> list[int]:
    """The number of steps before each run."""
    return list(accumulate((run["steps"] for run in runs), initial=0))[:-1]


def joined_log(runs: list[dict[str, Any]]) -> list[dict[str, float | int]]:
    """The log lines of all runs in order, with steps counted from the beginning of the first run."""
    starts = zip(runs, start_steps(runs), strict=True)
    return [{**line, "step": start + line["step"]} for run, start in starts for line in run.get("log", [])]
