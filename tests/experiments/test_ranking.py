"""Heads off and pieces hidden: one batch gives what they give one by one, in every way of being off."""

from typing import Any

import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.experiments import forced, ranking
from explorer.experiments.experiment import Experiment
from explorer.experiments.interventions import head_means
from explorer.experiments.omission import omission
from explorer.experiments.ranking import all_heads, head_drops
from explorer.experiments.running import Prepared, rescored, run
from explorer.recording.trace import Trace, record_forced
from model.decoding import Translator

SENTENCE, CHAIR = "The cat sleeps.", "The cat sleeps on the old chair."


@pytest.fixture(scope="module")
def tiny(tokenizer) -> Translator:
    return tiny_translator(tokenizer, d_head=3, d_value=5)


@pytest.fixture(scope="module")
def trace(tiny) -> Trace:
    return run(tiny, SENTENCE, max_steps=6)


def ids_of(trace: Trace) -> tuple[list[int], list[int]]:
    return [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]


@each_case("by", ["zero", "uniform", "mean", "special"])
def test_one_batch_gives_what_heads_off_one_by_one_give(tiny, trace, by):
    source, fed = ([piece.id for piece in pieces] for pieces in (trace.source, trace.target))
    means = head_means(tiny, [(source, fed), (source[1:], fed[:3])])
    found = head_drops(tiny, *ids_of(trace), by=by, means=means)
    before = np.array([step.log_probability for step in trace.steps])
    for head, row in zip(all_heads(tiny.model.config), found, strict=True):
        after = rescored(tiny, SENTENCE, trace, Experiment(off=(head,), off_by=by), Prepared(means))
        np.testing.assert_allclose(row, before - [step.log_probability for step in after.steps], atol=1e-5)
    assert len(found) == 24 and (np.abs(found).max(axis=1) > 1e-4).all()  # no head does nothing, so none was left out
    np.testing.assert_allclose(head_drops(tiny, *ids_of(trace), slice(5, 9), by=by, means=means), found[5:9], atol=1e-5)


@each_case("rows", [5])
def test_a_bound_on_memory_changes_no_number(tiny, trace, monkeypatch, rows):
    whole, sizes = head_drops(tiny, *ids_of(trace)), []
    monkeypatch.setattr(forced, "MAX_BATCH_POSITIONS", rows * sum(map(len, ids_of(trace))))

    def counted(*args: Any, **kwargs: Any) -> np.ndarray:
        sizes.append(len(args[3]))
        return forced.log_probabilities(*args, **kwargs)

    monkeypatch.setattr(ranking, "log_probabilities", counted)
    np.testing.assert_allclose(head_drops(tiny, *ids_of(trace)), whole, atol=1e-5)
    assert len(sizes) == -(-24 // rows) and max(sizes) == 1 + rows  # the unchanged one besides


@pytest.fixture
def german(toy: Translator) -> Trace:
    return record_forced(toy, CHAIR, [20, 41, 35, 3])


def test_hiding_in_a_batch_gives_what_hiding_one_by_one_gives(toy, german):
    places = range(len(german.source))
    forced = tuple(step.predicted.id for step in german.steps)
    alone = [run(toy, CHAIR, Experiment(hidden=(place,), beginning=forced)) for place in places]
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
