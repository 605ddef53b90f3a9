"""What a checkpoint's record, `training.json`, tells of the runs that made its weights.

What a record holds under other names than these is kept and left alone.
"""

from itertools import accumulate
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

RUN_FIELDS = ("command", "hardware", "steps", "epochs", "tokens", "seconds", "log", "note")

Count = Annotated[int, Field(ge=0, le=10**15)]
Amount = Annotated[float, Field(ge=0, le=1e15)]


class StrictModel(BaseModel):
    """A part of a record: known names hold what they should, and no truth values or texts for numbers."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


class LogLine(StrictModel):
    """A line of a run's log."""

    step: Count
    loss: float = 0
    dev_loss: float = 0
    lr: float = 0
    tokens_per_s: float = 0


class Run(StrictModel):
    """What is told of a run (model/train.py, training_record)."""

    command: str = ""
    hardware: str = ""
    steps: Count = 0
    epochs: Amount = 0
    tokens: Count = 0
    seconds: Amount = 0
    log: list[LogLine] = []
    note: str = ""


class EarlierRun(Run):
    """A run that another one went on from; without its steps nobody would know where that one began."""

    steps: Count = Field(...)


class File(StrictModel):
    """A file of sentence pairs, and what it was for."""

    file: str
    pairs: Count
    role: str
    weight: Amount = 0


class Score(StrictModel):
    """How well a file was translated (model/evaluation/scores.py)."""

    file: str
    pairs: Count
    decoding: str
    signature: str
    bleu: float = 0
    bleu_lowercase: float = 0
    chrf: float = 0


class Recipe(StrictModel):
    """The settings of the last run."""

    max_pieces: Annotated[int, Field(ge=1, le=10**9)] = 1


class Origin(StrictModel):
    """Where a model comes from that was converted, and not trained here (model/opus/origin.py)."""

    repository: Annotated[str, Field(pattern=r"^[\w./-]{1,200}$")]
    revision: Annotated[str, Field(pattern=r"^\w{0,64}$")] = ""
    licence: Annotated[str, Field(pattern=r"^[\w.+-]{0,60}$")] = ""


class Record(Run):
    """The whole file; it may tell of nothing."""

    before: list[EarlierRun] = []
    model: dict[str, str | int | float | bool] = {}
    recipe: Recipe = Recipe()
    data: list[File] = []
    data_note: str = ""
    origin: Origin | None = None
    examples: list[str] = []  # sentences to begin with
    scores: list[Score] = []


def runs_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """What the record tells about each run that led to the checkpoint, oldest first; a record may tell of none.

    The record itself is that of the last run. The earlier ones, each started from the checkpoint of the one before,
    stand under "before".
    """
    last = {name: record[name] for name in RUN_FIELDS if name in record}
    return [*record.get("before", []), *([last] if "steps" in last else [])]


def total_over_runs(runs: list[dict[str, Any]], name: str) -> Any:
    """The sum over the runs of one of "steps", "epochs", "tokens" and "seconds", as whole as its parts."""
    return sum(run.get(name, 0) for run in runs)


def last_dev_loss(run: dict[str, Any]) -> float | None:
    """The validation loss that the run ended with, in nats per piece, or None where it had no held-out pairs."""
    return next((line["dev_loss"] for line in reversed(run.get("log", [])) if "dev_loss" in line), None)


def start_steps(runs: list[dict[str, Any]]) -> list[int]:
    """After how many steps of all the runs each one began."""
    return list(accumulate((run["steps"] for run in runs), initial=0))[:-1]


def joined_log(runs: list[dict[str, Any]]) -> list[dict[str, float | int]]:
    """The lines of the runs' logs, one run after another, their steps counted from the beginning of the first."""
    begun = zip(runs, start_steps(runs), strict=True)
    return [{**line, "step": before + line["step"]} for run, before in begun for line in run.get("log", [])]
