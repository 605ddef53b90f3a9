"""How likely a translation is good: known sentences, names, models without a fit, and the fit itself."""

import numpy as np
import pytest
from cases import each_case
from pydantic import ValidationError

from explorer.recording.likelihood import MEASURES, likelihood
from explorer.recording.trace import record, record_forced
from explorer.recording.warnings import REPLACED, warnings
from explorer.remake import likelihood as fitting
from model.checkpoints.record import Record


@each_case(
    ("sentence", "word"),
    [
        ("We are going to the beach tomorrow.", "right"),
        ("My name is Krzysztof Wojciechowski.", "right"),
        ("lol", "right"),
        ("Marie Curie discovered radium.", "doubtful"),
        ("Let sleeping dogs lie.", "wrong"),
    ],
)
def test_a_sentence_has_the_word_that_its_german_deserves(shipped, sentence, word):
    trace = record(shipped, sentence)
    found = likelihood(trace)
    assert found and found.word == word and (found.reason is None or word != "right")
    assert not any(warning.kind in REPLACED for warning in warnings(trace))


def test_only_the_model_s_own_english_translations_have_one(shipped, toy):
    trace = record(shipped, "The dog is tired.")
    ids = [step.predicted.id for step in trace.steps]
    assert likelihood(record_forced(shipped, trace.sentence, ids)) is None
    assert likelihood(record(shipped, "Der Hund schläft unter dem Tisch.")) is None
    assert likelihood(record(toy, "the cat")) is None


def test_the_fit_finds_what_noisy_labels_hide():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(4000, len(MEASURES)))
    values[:, 6] = 0  # says nothing
    is_right = rng.random(4000) < 1 / (1 + np.exp(2 * values[:, 0] - 1))
    shares = np.where(is_right, *fitting.LABELLED_RIGHT.values())
    half = fitting.Half(values, rng.random(4000) < shares)
    fitted = fitting.fit(half)
    predicted = fitting.probabilities(fitted, values)
    assert fitted["coefficients"][0] == min(fitted["coefficients"]) and max(fitted["coefficients"]) <= 0
    assert fitting.area_under_roc(predicted, is_right) > 0.8 > fitting.area_under_roc(predicted, half.labels)
    assert abs(predicted.mean() - is_right.mean()) < 0.05


def test_a_damaged_fit_is_refused(shipped):
    fit = shipped.record["likelihood"]
    for fault in ({"scales": [0.0] * len(MEASURES)}, {"means": []}, {"intercept": "1"}):
        with pytest.raises(ValidationError):
            Record.model_validate({"likelihood": {**fit, **fault}})
