"""Beam and sampling: alternatives to greedy decoding."""

import json
from pathlib import Path

from pydantic import ConfigDict
from typing_extensions import TypedDict

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.searching import beam_json, samples_json
from explorer.tabs.what_if import Panel
from model.sampling import Sampling

SAMPLES = 5  # per request


class SamplingRequest(TypedDict):
    """The fields of a Sampling, from the page; code that uses them checks their ranges."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

    temperature: float
    top_k: int | None
    top_p: float


def beam_answer(laboratory: Laboratory, sentence: str, width: int) -> str:
    """A beam search as JSON. Raises UserError if the sentence or the width is refused."""
    return json.dumps(beam_json(laboratory.translator, laboratory.recordings.trace(sentence).sentence, width))


def sample_answer(laboratory: Laboratory, sentence: str, sampling: SamplingRequest, seed: int) -> str:
    """Sampled translations as JSON. Raises UserError if the sentence or a number is refused."""
    options = Sampling(sampling["temperature"], sampling["top_k"], sampling["top_p"])
    greedy = laboratory.recordings.trace(sentence)
    return json.dumps(samples_json(laboratory.translator, greedy, options, seed, SAMPLES))


ANSWERS = {"beam": beam_answer, "sample": sample_answer}
SEARCH = Panel(
    Path(__file__).parent,
    ANSWERS,
    lambda app: {"target": app.translator.languages.target.code},
    is_advanced=True,
)
