"""Heads off, pieces hidden, patches: one batch gives what they give one by one."""

from typing import Any, cast

import jaxtyping
import numpy as np
import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.experiments import forced, ranking
from explorer.experiments.experiment import CellAt, Experiment, HeadAt, Patch
from explorer.experiments.interventions import head_means
from explorer.experiments.omission import omission
from explorer.experiments.patching import Divergence, Runs, cell_targets, find_divergence, runs
from explorer.experiments.ranking import all_heads, head_drops, rank_heads
from explorer.experiments.running import Prepared, rescored, run
from explorer.recording.trace import Trace, record, record_forced
from model.decoding import Translator
from model.errors import UserError

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
    some = [23, 5, 14, 6]  # in any order
    heads = [all_heads(tiny.model.config)[number] for number in some]
    np.testing.assert_allclose(head_drops(tiny, *ids_of(trace), heads, by=by, means=means), found[some], atol=1e-5)


def test_heads_are_ranked_by_a_way_to_be_off_that_there_is(tiny, trace, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # a program has no type checks either
    with pytest.raises(ValueError, match="not by 'men'"):
        rank_heads(tiny, trace, by=cast(Any, "men"))
    with pytest.raises(UserError, match="at most 31"):  # the example sentences, over which it would take the means
        rank_heads(tiny, trace, by="mean")


def test_a_bound_on_memory_changes_no_number(tiny, trace, monkeypatch):
    rows, whole, sizes = 5, head_drops(tiny, *ids_of(trace)), []
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


A, B = "The cat sings.", "The rat sings."  # they differ in one piece
LONG = "The cat sleeps on the old chair."
CLOSE = 1e-5


@pytest.fixture
def beginning(toy: Translator) -> list[int]:
    """What A's own translation begins with."""
    return [toy.tokenizer.bos_id, *(step.predicted.id for step in record(toy, A, max_steps=2).steps)]


def compared(toy: Translator, beginning: list[int], donor: str, recipient: str) -> Runs:
    """A random model's German parts nowhere, so its pieces are given: the two that it is asked to weigh are any two."""
    ids = (tuple(toy.source_ids(text)) for text in (donor, recipient))
    return runs(Divergence(toy, *ids, tuple(beginning), donor_piece=40, recipient_piece=50))


def by_experiment(toy: Translator, beginning: list[int], place: HeadAt | CellAt) -> float:
    """The same number by the route of a single experiment: the log-probabilities of two forced translations."""
    heads, cells = ((place,), ()) if isinstance(place, HeadAt) else ((), (place,))
    patch = Patch(A, heads, cells)
    traces = [run(toy, B, Experiment(beginning=(*beginning[1:], piece, 3), patch=patch)) for piece in (40, 50)]
    return traces[0].steps[len(beginning) - 1].log_probability - traces[1].steps[len(beginning) - 1].log_probability


@pytest.mark.parametrize("sentence", [A, LONG])
def test_all_places_in_a_batch_give_what_each_gives_alone(toy, beginning, sentence):
    found = compared(toy, beginning, sentence, B)
    places = [
        *all_heads(toy.model.config),
        *cell_targets(found.divergence, "encoder"),
        *cell_targets(found.divergence, "decoder"),
    ]
    alone = np.concatenate([found.patched([place]) for place in places])
    assert len({*np.round(alone, 4)}) > len(places) // 2
    np.testing.assert_allclose(found.patched(places), alone, rtol=0, atol=CLOSE)


def test_the_sweep_measures_what_the_experiment_shows(toy, beginning):
    found = compared(toy, beginning, A, B)
    places = [HeadAt("encoder", 1, 2), HeadAt("decoder", 0, 3), HeadAt("cross", 1, 0)]
    places += [CellAt("encoder", 0, 1), CellAt("decoder", 0, 1), CellAt("decoder", 1, 2)]
    expected = [by_experiment(toy, beginning, place) for place in places]
    np.testing.assert_allclose(found.patched(places), expected, rtol=0, atol=CLOSE)


def test_a_share_is_0_for_one_run_and_1_for_the_other(toy, beginning):
    found = compared(toy, beginning, A, B)
    np.testing.assert_allclose(found.share(np.array([found.recipient_preference, found.donor_preference])), [0, 1])


def test_the_measured_step_is_the_first_at_which_the_german_differs(toy):
    first, second = [20, 21, 22, 3], [20, 21, 30, 31, 3]
    found = find_divergence(toy, record_forced(toy, A, first), record_forced(toy, LONG, second))
    assert (found.step, found.donor_piece, found.recipient_piece) == (2, 22, 30)
    assert found.tgt_in == (toy.tokenizer.bos_id, 20, 21)
    assert found.positions == {"encoder": len(toy.source_ids(A)), "decoder": 3}


@each_case("second", [[20, 21, 3], [20, 21]])
def test_two_sentences_with_one_translation_are_refused(toy, second):
    with pytest.raises(UserError, match="same German"):
        find_divergence(toy, record_forced(toy, A, [20, 21, 3]), record_forced(toy, B, second))
