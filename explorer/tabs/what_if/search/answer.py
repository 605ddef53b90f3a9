"""What the panel asks of the server: the tree of a beam search, and samples beside the greedy translation."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from explorer.experiments.experiment import said
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.searching import beam_json, samples_json
from explorer.tabs.what_if.search import words
from model.sampling import Sampling

SAMPLES = 5  # drawn at once


class Asked(BaseModel):
    """What the page sends: all of it, and nothing else; ranges are checked where it is used."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Search(Asked):
    width: int


class Draw(Asked):
    temperature: float
    top_k: int | None
    top_p: float


class Seed(Asked):
    seed: int


Kind = TypeVar("Kind", bound=Asked)


def valid(kind: type[Kind], given: Any) -> Kind:
    """Raises ValueError, with a sentence that names the first wrong field."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise ValueError(words.REFUSAL.format(reason=said(error))) from error


def beam_answer(laboratory: Laboratory, sentence: str, width: Any) -> str:
    """Raises ValueError where the sentence or the width is refused."""
    width = valid(Search, {"width": width}).width
    return json.dumps(beam_json(laboratory.translator, laboratory.recordings.trace(sentence).sentence, width))


def sample_answer(laboratory: Laboratory, sentence: str, given: Any, seed: Any) -> str:
    """`given` are the fields of a Sampling. Raises ValueError where one of them is missing, wrong or out of range."""
    asked, first = valid(Draw, given), valid(Seed, {"seed": seed}).seed
    sampling = Sampling(asked.temperature, asked.top_k, asked.top_p)
    greedy = laboratory.recordings.trace(sentence)
    return json.dumps(samples_json(laboratory.translator, greedy, sampling, first, SAMPLES))
