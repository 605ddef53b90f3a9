"""What a checkpoint's record, `training.json`, tells of the runs that made its weights."""

from itertools import accumulate
from typing import Any

OF_A_RUN = ("command", "hardware", "steps", "epochs", "tokens", "seconds", "log", "note")


def runs_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """What the record tells about each run that led to the checkpoint, oldest first; a record may tell of none.

    The record itself is that of the last run. The earlier ones, each started from the checkpoint of the one before,
    stand under "before".
    """
    last = {name: record[name] for name in OF_A_RUN if name in record}
    return [*record.get("before", []), *([last] if "steps" in last else [])]


def in_all(runs: list[dict[str, Any]], name: str) -> Any:
    """The sum over the runs of one of "steps", "epochs", "tokens" and "seconds", as whole as its parts."""
    return sum(run.get(name, 0) for run in runs)


def last_dev_loss(run: dict[str, Any]) -> float | None:
    """The validation loss that the run ended with, in nats per piece, or None where it had no held-out pairs."""
    return next((line["dev_loss"] for line in reversed(run.get("log", [])) if "dev_loss" in line), None)


def beginnings(runs: list[dict[str, Any]]) -> list[int]:
    """After how many steps of all the runs each one began."""
    return list(accumulate((run["steps"] for run in runs), initial=0))[:-1]


def joined_log(runs: list[dict[str, Any]]) -> list[dict[str, float | int]]:
    """The lines of the runs' logs, one run after another, their steps counted from the beginning of the first."""
    begun = zip(runs, beginnings(runs), strict=True)
    return [{**line, "step": before + line["step"]} for run, before in begun for line in run.get("log", [])]
