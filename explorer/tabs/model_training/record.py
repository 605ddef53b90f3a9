"""The texts about the loaded checkpoint's training, from its record, including what the record lacks."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from explorer.ui.language import format_decimal, format_integer
from explorer.ui.prose import folded
from explorer.ui.translations import Translations
from model.checkpoints.card import markdown_table
from model.checkpoints.record import last_dev_loss
from model.decoding import Translator

words = Translations(__file__)
Record = dict[str, Any]


def format_duration(seconds: float | int) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    unit = "hours" if hours else "minutes" if minutes else "seconds"
    return words.DURATION[unit].format(hours=hours, minutes=minutes, seconds=seconds)


ORIGIN_KEYS = ("repository", "revision", "licence")  # in the record of a converted model
FORMATTERS = {
    "seconds": format_duration,
    "steps": format_integer,
    "epochs": partial(format_decimal, digits=1),
    "tokens": format_integer,
    "dev_loss": partial(format_decimal, digits=3),
    "pairs": format_integer,
    "bleu": partial(format_decimal, digits=1),
    "bleu_lowercase": partial(format_decimal, digits=1),
    "chrf": partial(format_decimal, digits=1),
    "accuracy": partial(format_decimal, digits=1),
}


def escape_markdown(text: str) -> str:
    """The text on one line, with the characters of Markdown escaped."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(text.split()))


def quote_english(text: str) -> str:
    """Text of the record as Markdown, marked as English in every language of the page."""
    return f'<span lang="en">{escape_markdown(text)}</span>' if text else ""


def format_value(record: Record, key: str) -> str:
    """One value as Markdown, or a note that it is missing."""
    value = record.get(key)
    if value is None:
        return escape_markdown(words.MISSING["value"])
    return escape_markdown(FORMATTERS[key](value)) if key in FORMATTERS else quote_english(str(value))


def scrollable(table: str) -> str:
    """A table that scrolls if it is too wide, also by keyboard."""
    return f'<div class="wide" tabindex="0">\n\n{table}\n\n</div>'


def record_table(items: Sequence[Record] | None, header: dict[str, str], missing: str) -> str:
    """A table with a row per item; `header` maps the items' keys to column names."""
    if not items:
        return missing
    rows = [[format_value(item, key) for key in header] for item in items]
    return scrollable(markdown_table([*header.values()], rows))


def code_block(command: str) -> str:
    """A block of code; its fence is longer than any run of backticks inside."""
    fence = "`" * (3 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}\n{command}\n{fence}"


def runs_text(runs: list[Record]) -> str:
    """Hardware, time, length and command of every run that led to the checkpoint, oldest first.

    `runs` must not be empty.
    """
    has_several, numbers = len(runs) > 1, range(1, len(runs) + 1)
    header = [words.RECORD["fact"], *(words.RECORD["number"].format(number=number) for number in numbers)]
    records = [{**run, "dev_loss": last_dev_loss(run)} for run in runs]
    rows = [
        [escape_markdown(name), *(format_value(run, key) for run in records)]
        for key, name in words.RECORD_FACTS.items()
    ]
    parts = [words.RECORD["runs" if has_several else "run"], scrollable(markdown_table(header, rows))]
    for number, run in zip(numbers, runs, strict=True):
        command, note = run.get("command"), run.get("note")
        title = words.RECORD["commands" if has_several else "command"].format(number=number)
        parts.append(folded(title, code_block(command)) if command else words.MISSING["command"])
        if note:
            title = words.RECORD["notes" if has_several else "note"].format(number=number)
            parts.append(folded(title, quote_english(note)))
    return "\n\n".join(parts)


def model_text(translator: Translator) -> str:
    """The sizes and the origin of the model."""
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
    rows = [[escape_markdown(words.MODEL_FACTS[key]), escape_markdown(value)] for key, value in sizes.items()]
    recorded = [key for key in ORIGIN_KEYS if origin and origin.get(key) != ""]
    rows += [[escape_markdown(words.MODEL_FACTS[key]), format_value(origin, key)] for key in recorded]
    table = markdown_table([words.RECORD["size"], words.RECORD["value"]], rows)
    return f"{words.RECORD['model']}\n\n{scrollable(table)}"


def summary_text(translator: Translator) -> str:
    """One sentence with the size of the model and, if it was tested, its first score."""
    config, scores = translator.model.config, translator.record.get("scores") or []
    facts = {
        "parameters": format_integer(sum(weight.numel() for weight in translator.model.parameters())),
        "encoder": config.layers("encoder"),
        "decoder": config.layers("decoder"),
        "heads": config.n_heads,
    }
    sentence = words.SUMMARY["size"].format(**facts)
    if not scores or "bleu" not in scores[0]:
        return sentence
    score = {**scores[0], "file": scores[0]["file"].removesuffix(".gz").removesuffix(".tsv")}
    return f"{sentence} {words.SUMMARY['bleu'].format(**score)}"


def record_files(files: list[Record]) -> str:
    columns = {key: name for key, name in words.RECORD_FILES.items() if any(key in file for file in files)}
    return folded(words.RECORD["files"].format(files=len(files)), record_table(files, columns, ""))


def data_text(record: Record) -> str:
    """The training data, their licences, and the scores of the model."""
    scores, files, note = record.get("scores") or [], record.get("data") or [], record.get("data_note")
    columns = {key: name for key, name in words.RECORD_SCORES.items() if any(key in score for score in scores)}
    licence = record.get("licence_name") or record.get("licence") or (record.get("origin") or {}).get("licence")
    parts = [
        words.RECORD["scores"],
        record_table(scores, columns, words.MISSING["scores"]),
        quote_english("; ".join(sorted({score["signature"] for score in scores if "signature" in score}))),
        words.RECORD["data"],
        words.LICENCE["named"].format(licence=quote_english(licence)) if licence else words.LICENCE["none"],
        record_files(files) if files else words.MISSING["data"],
        folded(words.RECORD["licences"], quote_english(note)) if note else "",
        "" if note or any("licence" in file for file in files) else words.MISSING["licences"],
    ]
    return "\n\n".join(filter(None, parts))
