"""What the page tells of the loaded checkpoint's training, from its record: whatever is there, and what is not."""

import re
from collections.abc import Sequence
from typing import Any

from explorer.tabs.training import words
from explorer.ui.language import format_integer
from model.checkpoints.card import markdown_table
from model.checkpoints.record import last_dev_loss
from model.decoding import Translator

Record = dict[str, Any]


def duration(seconds: float | int) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    unit = "hours" if hours else "minutes" if minutes else "seconds"
    return words.DURATION[unit].format(hours=hours, minutes=minutes, seconds=seconds)


ORIGIN = ("repository", "revision", "licence")  # of a converted model, in its record
FORMATS = {
    "seconds": duration,
    "steps": format_integer,
    "epochs": "{:.1f}".format,
    "tokens": format_integer,
    "dev_loss": "{:.3f}".format,
    "pairs": format_integer,
    "bleu": "{:.1f}".format,
    "bleu_lowercase": "{:.1f}".format,
    "chrf": "{:.1f}".format,
    "accuracy": "{:.1f}".format,
}


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def quoted(text: str) -> str:
    """Text of the record, as Markdown: records are written in English, whatever the page speaks."""
    return f'<span lang="en">{escaped(text)}</span>' if text else ""


def fact(record: Record, key: str) -> str:
    """One value as Markdown, also where it was not recorded."""
    value = record.get(key)
    if value is None:
        return escaped(words.MISSING["value"])
    return escaped(FORMATS[key](value)) if key in FORMATS else quoted(str(value))


def scrolling(table: str) -> str:
    """A table that scrolls where it is too wide, also by keyboard."""
    return f'<div class="wide" tabindex="0">\n\n{table}\n\n</div>'


def listed(items: Sequence[Record] | None, header: dict[str, str], missing: str) -> str:
    """A table with a row for each item; `header` names its columns by the items' keys."""
    if not items:
        return missing
    return scrolling(markdown_table([*header.values()], [[fact(item, key) for key in header] for item in items]))


def fenced(command: str) -> str:
    """A block of code; its fence is longer than any run of backticks inside."""
    fence = "`" * (3 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}\n{command}\n{fence}"


def runs_text(runs: list[Record]) -> str:
    """Hardware, time and length of every run that led to the checkpoint, and their commands, oldest first.

    There must be one.
    """
    several, numbers = len(runs) > 1, range(1, len(runs) + 1)
    header = [words.RECORD["fact"], *(words.RECORD["number"].format(number=number) for number in numbers)]
    told = [{**run, "dev_loss": last_dev_loss(run)} for run in runs]
    rows = [[escaped(name), *(fact(run, key) for run in told)] for key, name in words.RECORD_FACTS.items()]
    parts = [words.RECORD["runs" if several else "run"], scrolling(markdown_table(header, rows))]
    for number, run in zip(numbers, runs, strict=True):
        command = run.get("command")
        parts.append(words.RECORD["commands" if several else "command"].format(number=number))
        parts.append(fenced(command) if command else words.MISSING["command"])
        parts.append(quoted(run.get("note", "")))
    return "\n\n".join(parts)


def model_text(translator: Translator) -> str:
    """What the model is and where it comes from, whatever its record tells of a training."""
    config, origin = translator.model.config, translator.record.get("origin") or {}
    vocabularies = (config.src_vocab_size, config.tgt_vocab_size)[config.shared_vocabulary :]
    sizes = {
        "parameters": format_integer(sum(weight.numel() for weight in translator.model.parameters())),
        "layers": f"{config.layers('encoder')} + {config.layers('decoder')}",
        "heads": format_integer(config.n_heads),
        "d_model": format_integer(config.d_model),
        "d_ff": format_integer(config.d_ff),
        "vocabulary": " + ".join(map(format_integer, vocabularies)),
    }
    rows = [[escaped(words.MODEL_FACTS[key]), escaped(value)] for key, value in sizes.items()]
    rows += [[escaped(words.MODEL_FACTS[key]), fact(origin, key)] for key in ORIGIN if origin and origin.get(key) != ""]
    table = markdown_table([words.RECORD["size"], words.RECORD["value"]], rows)
    return f"{words.RECORD['model']}\n\n{scrolling(table)}"


def data_text(record: Record) -> str:
    """What the model learned from, under which licences, and how well it translates."""
    scores = record.get("scores") or []
    measured = {key: name for key, name in words.RECORD_SCORES.items() if any(key in score for score in scores)}
    parts = [
        words.RECORD["data"],
        listed(record.get("data"), words.RECORD_FILES, words.MISSING["data"]),
        quoted(record["data_note"]) if record.get("data_note") else words.MISSING["licences"],
        words.RECORD["scores"],
        listed(scores, measured, words.MISSING["scores"]),
        quoted("; ".join(sorted({score["signature"] for score in scores if "signature" in score}))),
    ]
    return "\n\n".join(parts)
