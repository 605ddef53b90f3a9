"""What the page tells of the loaded checkpoint's training, from its record: whatever is there, and what is not."""

import re
from collections.abc import Sequence

from explorer.prose import MISSING, RECORD, RECORD_FACTS, RECORD_FILES, RECORD_SCORES
from model.record import Record, runs_of


def duration(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min" if minutes else f"{seconds:.0f} s"


FORMATS = {
    "seconds": duration,
    "steps": "{:,}".format,
    "epochs": "{:.1f}".format,
    "tokens": "{:,}".format,
    "dev_loss": "{:.3f}".format,
    "pairs": "{:,}".format,
    "bleu": "{:.1f}".format,
    "chrf": "{:.1f}".format,
}


def shown(record: Record, key: str) -> str:
    """One value in words, also where it was not recorded."""
    value = record.get(key)
    return MISSING["value"] if value is None else FORMATS.get(key, str)(value)


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of plain texts."""
    lines = [header, ["---"] * len(header), *([plain(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def listed(items: Sequence[Record] | None, header: dict[str, str], missing: str) -> str:
    """A table with a row for each item; `header` names its columns by the items' keys."""
    return table([*header.values()], [[shown(item, key) for key in header] for item in items]) if items else missing


def fenced(command: str) -> str:
    """A block of code; its fence is longer than any run of backticks inside."""
    fence = "`" * (3 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}\n{command}\n{fence}"


def runs_text(record: Record) -> str:
    """Every run that led to the checkpoint, oldest first."""
    runs = runs_of(record)
    if len(runs) == 1:
        return run_text(runs[0], RECORD["run"])
    titles = [RECORD["runs"].format(number=number, count=len(runs)) for number in range(1, len(runs) + 1)]
    return "\n\n".join(map(run_text, runs, titles))


def run_text(run: Record, title: str) -> str:
    """Hardware, time and length of a run, and the command that started it."""
    losses = [line["dev_loss"] for line in run.get("log") or [] if "dev_loss" in line]
    facts = {**run, "dev_loss": losses[-1] if losses else None}
    command = run.get("command")
    parts = [
        title,
        table(("", ""), [(name, shown(facts, key)) for key, name in RECORD_FACTS.items()]),
        plain(run.get("note") or ""),
        RECORD["command"],
        fenced(command) if command else MISSING["command"],
    ]
    return "\n\n".join(parts)


def data_text(record: Record) -> str:
    """What the model learned from, under which licences, and how well it translates."""
    scores = record.get("scores") or []
    parts = [
        RECORD["data"],
        listed(record.get("data"), RECORD_FILES, MISSING["data"]),
        plain(record.get("data_note") or MISSING["licences"]),
        RECORD["scores"],
        listed(scores, RECORD_SCORES, MISSING["scores"]),
        plain("; ".join(sorted({score["signature"] for score in scores if "signature" in score}))),
    ]
    return "\n\n".join(parts)
