import numpy as np
import pytest

from explorer.experiments.experiment import Experiment
from explorer.experiments.omission import omission, rank_correlation, ranks
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
    monkeypatch.setattr("explorer.experiments.omission.CELLS", 1)  # batches of one
    np.testing.assert_allclose(omission(toy, german, [2, 5]), whole[:, [2, 5]], rtol=0, atol=1e-5)
    assert omission(toy, german, []).shape == (len(german.steps), 0)


def test_a_place_that_the_source_has_not_is_refused(toy, german):
    with pytest.raises(IndexError):
        omission(toy, german, [len(german.source)])


def test_equal_values_share_the_mean_of_their_ranks():
    np.testing.assert_array_equal(ranks(np.array([0.5, -1, 3, 0.5])), [2.5, 1, 4, 2.5])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3], [10, 100, 1000], 1),
        ([1, 2, 3], [3, 1, 0], -1),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 2, 2, 3], [1, 3, 2, 4], 4.5 / np.sqrt(4.5 * 5)),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_the_rank_correlation_is_spearmans(first, second, expected):
    found = rank_correlation(np.array(first, dtype=float), np.array(second, dtype=float))
    assert found is None if expected is None else found == pytest.approx(expected)
