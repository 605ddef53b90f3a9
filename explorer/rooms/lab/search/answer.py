"""What the station asks of the server: the tree of a beam search, and samples beside the greedy translation."""

import json
from typing import Any

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.searching import beam_json, samples_json
from model.sampling import Sampling

SAMPLES = 5  # drawn at once


def beam_answer(laboratory: Laboratory, sentence: str, width: int) -> str:
    """Raises ValueError where the sentence or the width is refused."""
    return json.dumps(beam_json(laboratory.translator, laboratory.recordings.trace(sentence).sentence, width))


def sample_answer(laboratory: Laboratory, sentence: str, given: dict[str, Any], seed: int) -> str:
    """`given` are the fields of a Sampling. Raises ValueError where one of them is out of range."""
    sampling = Sampling(float(given["temperature"]), given["top_k"], float(given["top_p"]))
    greedy = laboratory.recordings.trace(sentence)
    return json.dumps(samples_json(laboratory.translator, greedy, sampling, seed, SAMPLES))
