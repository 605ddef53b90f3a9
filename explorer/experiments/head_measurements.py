"""The file heads.json of a checkpoint: measurements of its heads by `python -m tools.catalogue`, and their names.

Indices count from zero. The file holds numbers, the command and the names of the data, but no sentences.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NamedTuple

import torch
from pydantic import BaseModel, ConfigDict

from explorer.experiments import words
from explorer.experiments.experiment import HeadAt
from explorer.experiments.ranking import all_heads
from explorer.experiments.statistics import MIN_STABLE_CORRELATION
from explorer.recording.app_context import AppContext
from explorer.ui.language import shown_percent
from model.checkpoints.checkpoint import HEADS, read_optional
from model.config import ModelConfig
from model.decoding import Translator
from model.errors import UserError
from model.probe import KINDS, Kind

ROWS_AT_A_TIME = 1024  # of a matrix: a copy of the largest would be a tenth of what the page takes
# Names of a head's numbers in heads.json, in the order of the page's table.
NUMBERS = ("entropy", "distance", "previous", "same", "next", "special", "marks", "diagonality", "links")
NO_SHARES = {"entropy", "distance", "diagonality"}


class Rule(NamedTuple):
    """Gives a head of one of the kinds a name if a number is at least the threshold."""

    name: str
    number: str
    threshold: float
    kinds: tuple[Kind, ...]


# The page shows this table. A head may have several names.
RULES = (
    Rule("previous", "previous", 0.3, ("encoder", "decoder")),
    Rule("same", "same", 0.3, ("encoder", "decoder")),
    Rule("next", "next", 0.3, ("encoder",)),
    Rule("start", "special", 0.3, ("decoder",)),
    Rule("end", "special", 0.3, ("encoder", "cross")),
    Rule("marks", "marks", 0.3, KINDS),
    Rule("aligns", "links", 0.5, ("cross",)),
    Rule("nearby", "diagonality", 0.5, ("encoder", "decoder")),
    Rule("broad", "entropy", 3.5, KINDS),
)


def head_names(kind: Kind, numbers: Mapping[str, Any]) -> list[str]:
    """The names of a head with these numbers; none if it is unclassified."""
    return [rule.name for rule in RULES if kind in rule.kinds and numbers[rule.number] >= rule.threshold]


class FiniteModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class MeasuredHead(FiniteModel):
    """One head: the cost of switching it off, and what it attends to (tools/head_statistics.py)."""

    kind: Kind
    layer: int
    head: int
    drop: float  # nats of a translation's log-probability, the mean over sentences
    low: float  # bounds of its 95 % interval
    high: float
    entropy: float
    distance: float
    previous: float
    same: float
    next: float | None  # the decoder cannot see it
    special: float
    marks: float
    diagonality: float
    links: float | None  # for cross-attention only

    @property
    def names(self) -> list[str]:
        return head_names(self.kind, vars(self))

    @property
    def first_name(self) -> tuple[str, float | None] | None:
        """The name whose number is farthest above its threshold, and the number if it is a share; None if unnamed."""
        rules = [rule for rule in RULES if rule.name in self.names]
        if not rules:
            return None
        rule = max(rules, key=lambda rule: getattr(self, rule.number) / rule.threshold)
        return rule.name, None if rule.number in NO_SHARES else getattr(self, rule.number)


class Links(FiniteModel):
    """The number of the lexicon's links, and the shares that two simple rules find."""

    count: int
    by_chance: float
    on_diagonal: float


class HeadMeasurements(FiniteModel):
    """All heads of one model, in the order of `all_heads`, and how they were measured."""

    version: Literal[1] = 1
    command: str
    seed: int
    sentences: int
    data: list[str]  # names of the files of sentences
    pairs: list[str]  # names of the files that the lexicon was learned from
    model: str  # see `fingerprint`
    log_probability: float  # of an unchanged translation, the mean over sentences
    split_half: float
    links: Links
    heads: list[MeasuredHead]

    @property
    def stability(self) -> str:
        """Whether other sentences would give the same order of heads, in words."""
        return words.STABILITY["stable" if self.split_half >= MIN_STABLE_CORRELATION else "unstable"]


def named_heads(measured: HeadMeasurements) -> dict[str, Any]:
    """The names of heads by kind, layer and head, with the share in percent that each name rests on (head_names.js)."""
    names = {name: {"short": short, "full": words.HEAD_NAMES[name]} for name, short in words.SHORT_HEAD_NAMES.items()}
    heads: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for head in measured.heads:
        if head.first_name:
            name, share = head.first_name
            heads[head.kind][f"{head.layer}.{head.head}"] = [name, share and shown_percent(share)]
    return {"names": names, "heads": heads}


def config_text(config: ModelConfig) -> str:
    """The sizes and options as text, for the fingerprint.

    Options that were added later appear only if they differ from the default, so that older files stay valid.
    """
    usual = {"n_decoder_layers": config.n_layers, "start": "bos"}
    named = asdict(config).items()
    text = ", ".join(f"{name}={value!r}" for name, value in named if name not in usual or value != usual[name])
    return f"ModelConfig({text})"


def fingerprint(translator: Translator) -> str:
    """A checksum of the sizes, the weights as stored (16 bits) and the tokenizer."""
    digest = hashlib.sha256(config_text(translator.model.config).encode())
    for data in translator.tokenizer.files().values():
        digest.update(data)
    with torch.inference_mode():
        for name, weight in sorted(translator.model.named_parameters()):
            digest.update(name.encode())
            for rows in weight.split(ROWS_AT_A_TIME):
                digest.update(rows.half().cpu().contiguous().numpy().data)
    return digest.hexdigest()


def to_json(measurements: HeadMeasurements) -> str:
    """The text of the file, one head per line."""
    fields = measurements.model_dump()
    heads = ",\n  ".join(json.dumps(head) for head in fields.pop("heads"))
    return f'{json.dumps(fields, indent=1)[:-2]},\n "heads": [\n  {heads}\n ]\n}}\n'


def app_fingerprint(app: AppContext) -> str:
    """The fingerprint of a page's model; takes as long as ten translations, so `app.get_shared` keeps it."""
    return fingerprint(app.translator)


def measured_heads(app: AppContext) -> HeadMeasurements | None:
    """As `read`, for the checkpoint of a page."""
    return read(app.folder, app.translator, app.get_shared(app_fingerprint))


def read(folder: Path | None, translator: Translator, known_fingerprint: str = "") -> HeadMeasurements | None:
    """The measurements of a checkpoint's heads; None if it has no such file. `own` is its fingerprint, if it is known.

    Raises UserError if the file is damaged or belongs to another checkpoint.
    """
    try:
        data = read_optional(folder, HEADS) if folder else None
        if data is None:
            return None
        measurements = HeadMeasurements.model_validate_json(data, strict=True)
    except (OSError, ValueError) as error:
        raise UserError(words.UNREADABLE_HEADS) from error
    heads = tuple(HeadAt(head.kind, head.layer, head.head) for head in measurements.heads)
    if measurements.model != (known_fingerprint or fingerprint(translator)) or heads != all_heads(
        translator.model.config
    ):
        raise UserError(words.FOREIGN_HEADS)
    return measurements
