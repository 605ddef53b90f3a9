"""The file of a checkpoint's heads: what `python -m explorer.catalogue` measured, and whose it is.

Everything counts from zero in it. It holds numbers, the command and the names of the data, and no sentence.
"""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import torch
from pydantic import BaseModel, ConfigDict

from explorer.experiments import words
from explorer.experiments.experiment import HeadAt
from explorer.experiments.ranking import all_heads
from model.checkpoints.checkpoint import HEADS
from model.config import ModelConfig
from model.decoding import Translator
from model.files import read_bytes
from model.probe import Kind

LARGEST = 16_000_000  # bytes of the file; a head has 300


class MeasuredHead(BaseModel):
    """One head: what switching it off costs, and what it looks at (explorer/experiments/catalogue.py)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

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
    links: float | None  # only cross-attention has any


class Links(BaseModel):
    """The lexicon's links, with the shares of them that two simple rules find."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    count: int
    by_chance: float
    on_diagonal: float


class Measured(BaseModel):
    """All heads of one model, in the order of `all_heads`, and how they were measured."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    version: Literal[1] = 1
    command: str
    seed: int
    sentences: int
    data: list[str]  # names of the files that they were drawn from
    pairs: list[str]  # and of those that the lexicon was learned from
    model: str  # see `fingerprint`
    log_probability: float  # of an unchanged translation, the mean over sentences
    split_half: float
    links: Links
    heads: list[MeasuredHead]


def sizes(config: ModelConfig) -> str:
    """The sizes and options as text; one that came later is named only where it says something, so that what was
    measured before it came still belongs to its model."""
    usual = {"n_decoder_layers": config.n_layers, "start": "bos"}
    named = asdict(config).items()
    said = ", ".join(f"{name}={value!r}" for name, value in named if name not in usual or value != usual[name])
    return f"ModelConfig({said})"


def fingerprint(translator: Translator) -> str:
    """A checksum of sizes, weights as they are stored (16 bits) and tokenizer."""
    whole = hashlib.sha256(sizes(translator.model.config).encode())
    for data in translator.tokenizer.files().values():
        whole.update(data)
    with torch.inference_mode():
        for name, weight in sorted(translator.model.named_parameters()):
            whole.update(name.encode())
            whole.update(weight.half().cpu().contiguous().numpy().tobytes())
    return whole.hexdigest()


def written(measured: Measured) -> str:
    """The file's text: a head a line."""
    whole = measured.model_dump()
    heads = ",\n  ".join(json.dumps(head) for head in whole.pop("heads"))
    return f'{json.dumps(whole, indent=1)[:-2]},\n "heads": [\n  {heads}\n ]\n}}\n'


def read(folder: Path, translator: Translator) -> Measured | None:
    """What was measured of a checkpoint's heads; None where nothing was.

    Raises ValueError, with a sentence for the visitor, where the file is damaged or belongs to another checkpoint.
    """
    path = folder / HEADS
    if not os.path.lexists(path):
        return None
    try:
        measured = Measured.model_validate_json(read_bytes(path, LARGEST), strict=True)
    except (OSError, ValueError) as error:
        raise ValueError(words.UNREADABLE_HEADS) from error
    places = tuple(HeadAt(head.kind, head.layer, head.head) for head in measured.heads)
    if measured.model != fingerprint(translator) or places != all_heads(translator.model.config):
        raise ValueError(words.FOREIGN_HEADS)
    return measured


def summary(measured: Measured) -> dict[str, Any]:
    """All but the heads, for the page."""
    return measured.model_dump(exclude={"heads"})
