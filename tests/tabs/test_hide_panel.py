"""The panel Hide a piece: what it answers."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.omission import omission
from explorer.experiments.statistics import rank_correlation
from explorer.recording.recordings import Recordings
from explorer.tabs.what_if.hide import panel
from explorer.tabs.what_if.hide.panel import agreement_answer, omission_answer

SENTENCE = "The dog sleeps."


@pytest.fixture
def laboratory(toy, monkeypatch) -> Laboratory:
    monkeypatch.setattr(panel, "ROWS_PER_PART", 1)  # parts of the fewest pieces
    return Laboratory(Recordings(toy))


def numbers(sent: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(sent["data"]), "<f4").reshape(sent["shape"])


def test_the_parts_together_are_the_effect_of_every_piece(laboratory, toy):
    trace = laboratory.recordings.trace(SENTENCE)
    parts = json.loads(omission_answer(laboratory, SENTENCE, 0))["parts"]
    sent = [numbers(json.loads(omission_answer(laboratory, SENTENCE, part))["effect"]) for part in range(parts)]
    assert parts == 3 and len(trace.source) == 11
    np.testing.assert_allclose(np.concatenate(sent).T, omission(toy, trace, range(11)), rtol=0, atol=1e-5)


@each_case(("layer", "head"), [(1, 2), ("mean", "mean")])
def test_the_agreement_is_that_of_the_chosen_heads(laboratory, toy, layer, head):
    trace = laboratory.recordings.trace(SENTENCE)
    weights, sizes = trace.cross.matrix(layer, head), abs(omission(toy, trace, range(len(trace.source))))
    sent = json.loads(agreement_answer(laboratory, SENTENCE, layer, head))
    np.testing.assert_allclose(numbers(sent["weights"]), weights, rtol=1e-6)
    assert sent["overall"] == pytest.approx(rank_correlation(weights, sizes), abs=0.01)
    assert sent["rows"][1] == pytest.approx(rank_correlation(weights[1], sizes[1]), abs=0.03)
    assert len(sent["rows"]) == len(trace.steps)
