"""Beam and sampling: alternatives to greedy decoding."""

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from explorer.experiments.experiment import first_error
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.searching import beam_json, samples_json
from explorer.tabs.what_if.panel import Panel
from explorer.ui.translations import Translations
from model.sampling import Sampling

words = Translations(__file__)

SAMPLES = 5  # per request


class StrictModel(BaseModel):
    """Fields from the page; none may be missing or unknown. Code that uses the values checks their ranges."""

    model_config = ConfigDict(extra="forbid", strict=True)


class BeamRequest(StrictModel):
    width: int


class SamplingRequest(StrictModel):
    temperature: float
    top_k: int | None
    top_p: float


class SeedRequest(StrictModel):
    seed: int


Model = TypeVar("Model", bound=StrictModel)


def validated(model: type[Model], value: Any) -> Model:
    """The validated value. Raises ValueError with a sentence that names the first wrong field."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ValueError(words.REFUSAL.format(reason=first_error(error))) from error


def beam_answer(laboratory: Laboratory, sentence: str, width: Any) -> str:
    """A beam search as JSON. Raises ValueError if the sentence or the width is refused."""
    width = validated(BeamRequest, {"width": width}).width
    return json.dumps(beam_json(laboratory.translator, laboratory.recordings.trace(sentence).sentence, width))


def sample_answer(laboratory: Laboratory, sentence: str, sampling: Any, seed: Any) -> str:
    """Sampled translations as JSON; `sampling` has the fields of a Sampling. Raises ValueError for an invalid field."""
    fields, first_seed = validated(SamplingRequest, sampling), validated(SeedRequest, {"seed": seed}).seed
    options = Sampling(fields.temperature, fields.top_k, fields.top_p)
    greedy = laboratory.recordings.trace(sentence)
    return json.dumps(samples_json(laboratory.translator, greedy, options, first_seed, SAMPLES))


ANSWERS = {"beam": beam_answer, "sample": sample_answer}
SEARCH = Panel(
    Path(__file__).parent,
    words,
    ANSWERS,
    lambda app: {"target": app.translator.languages.target.code},
    is_advanced=True,
)
