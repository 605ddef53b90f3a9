"""What a checkpoint's record tells of its training, which may have taken several runs one after another.

A record describes its last run; its `before` holds what is told of each earlier one, oldest first.
"""

from typing import Any

Record = dict[str, Any]
TOLD = ("command", "hardware", "steps", "epochs", "tokens", "seconds", "log", "note")  # of each run


def runs_of(record: Record) -> list[Record]:
    """What the record tells of each run that led to its checkpoint, oldest first."""
    return [*(record.get("before") or []), {name: record[name] for name in TOLD if name in record}]


def steps_of(run: Record) -> int:
    """The steps of one run; of one that does not say, as far as its log goes."""
    steps = run.get("steps")
    return max((line["step"] for line in run.get("log") or []), default=0) if steps is None else steps


def beginnings(record: Record) -> list[int]:
    """After how many steps of all each run began, and at the end how many there were."""
    ends = [0]
    for run in runs_of(record):
        ends.append(ends[-1] + steps_of(run))
    return ends


def joined_log(record: Record) -> list[dict[str, float | int]]:
    """The lines of all runs' logs, their steps counted from the beginning of the first run."""
    runs = zip(runs_of(record), beginnings(record), strict=False)
    return [{**line, "step": begun + line["step"]} for run, begun in runs for line in run.get("log") or []]
