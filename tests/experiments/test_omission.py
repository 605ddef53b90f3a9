import numpy as np
import pytest

from explorer.experiments.experiment import Experiment
from explorer.experiments.omission import omission
from explorer.experiments.running import run
from explorer.recording.trace import Trace, record_forced
from model.decoding import Translator

SENTENCE = "The cat sleeps on the old chair."


@pytest.fixture
def german(toy: Translator) -> Trace:
    return record_forced(toy, SENTENCE, [20, 41, 35, 3])


def test_hiding_in_a_batch_gives_what_hiding_one_by_one_gives(toy, german):
    places = range(len(german.source))
    forced = tuple(step.predicted.id for step in german.steps)
    alone = [run(toy, SENTENCE, Experiment(hidden=(place,), beginning=forced)) for place in places]
    expected = [
        [
            after.log_probability - before.log_probability
            for after, before in zip(trace.steps, german.steps, strict=True)
        ]
        for trace in alone
    ]
    changed = omission(toy, german, places)
    assert changed.shape == (len(german.steps), len(german.source)) and np.abs(changed).min() > 0
    np.testing.assert_allclose(changed, np.transpose(expected), rtol=0, atol=1e-5)


def test_some_places_give_the_columns_of_all(toy, german, monkeypatch):
    whole = omission(toy, german, range(len(german.source)))
    monkeypatch.setattr("explorer.experiments.forced.MAX_BATCH_POSITIONS", 1)  # batches of one
    np.testing.assert_allclose(omission(toy, german, [2, 5]), whole[:, [2, 5]], rtol=0, atol=1e-5)
    assert omission(toy, german, []).shape == (len(german.steps), 0)


def test_a_place_that_the_source_has_not_is_refused(toy, german):
    with pytest.raises(IndexError):
        omission(toy, german, [len(german.source)])
