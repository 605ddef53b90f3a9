"""Ranking heads: one batch gives what switching them off one by one gives, in every way of being off."""

from typing import Any

import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.experiments import forced, ranking
from explorer.experiments.experiment import Experiment
from explorer.experiments.interventions import head_means
from explorer.experiments.ranking import all_heads, head_drops
from explorer.experiments.running import Prepared, rescored, run
from explorer.recording.trace import Trace
from model.decoding import Translator

SENTENCE = "The cat sleeps."


@pytest.fixture(scope="module")
def tiny(tokenizer) -> Translator:
    return tiny_translator(tokenizer, d_head=3, d_value=5)


@pytest.fixture(scope="module")
def trace(tiny) -> Trace:
    return run(tiny, SENTENCE, max_steps=6)


def ids_of(trace: Trace) -> tuple[list[int], list[int]]:
    return [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]


def test_all_heads_are_those_of_the_encoder_the_decoder_and_cross_attention_by_layer(tiny):
    heads = all_heads(tiny.model.config)
    assert len(heads) == len({*heads}) == 24
    assert heads[5] == ("encoder", 1, 1) and heads[8] == ("decoder", 0, 0) and heads[-1] == ("cross", 1, 3)


@each_case("by", ["zero", "uniform", "mean", "special"])
def test_one_batch_gives_what_heads_off_one_by_one_give(tiny, trace, by):
    source, fed = ([piece.id for piece in pieces] for pieces in (trace.source, trace.target))
    means = head_means(tiny, [(source, fed), (source[1:], fed[:3])])
    found = head_drops(tiny, *ids_of(trace), by=by, means=means)
    before = np.array([step.log_probability for step in trace.steps])
    for head, row in zip(all_heads(tiny.model.config), found, strict=True):
        after = rescored(tiny, SENTENCE, trace, Experiment(off=(head,), off_by=by), Prepared(means))
        np.testing.assert_allclose(row, before - [step.log_probability for step in after.steps], atol=1e-5)
    assert (np.abs(found).max(axis=1) > 1e-4).all()  # no head does nothing, so none was left out


def test_parts_joined_are_the_whole(tiny, trace):
    whole = head_drops(tiny, *ids_of(trace))
    parts = [head_drops(tiny, *ids_of(trace), slice(start, start + 5)) for start in range(0, 24, 5)]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)


@each_case("rows", [1, 5])
def test_a_bound_on_memory_changes_no_number(tiny, trace, monkeypatch, rows):
    whole, sizes = head_drops(tiny, *ids_of(trace)), []
    monkeypatch.setattr(forced, "MAX_BATCH_POSITIONS", rows * sum(map(len, ids_of(trace))))

    def counted(*args: Any, **kwargs: Any) -> np.ndarray:
        sizes.append(len(args[3]))
        return forced.log_probabilities(*args, **kwargs)

    monkeypatch.setattr(ranking, "log_probabilities", counted)
    np.testing.assert_allclose(head_drops(tiny, *ids_of(trace)), whole, atol=1e-5)
    assert len(sizes) == -(-24 // rows) and max(sizes) == 1 + rows  # the unchanged one besides


def test_ranking_changes_no_weight(tiny, trace):
    before = [weight.clone() for weight in tiny.model.parameters()]
    head_drops(tiny, *ids_of(trace))
    assert all(map(lambda one, other: one.equal(other), before, tiny.model.parameters()))
