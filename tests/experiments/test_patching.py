import numpy as np
import pytest
from cases import each_case

from explorer.experiments.experiment import CellAt, Experiment, HeadAt, Patch
from explorer.experiments.patching import MIN_PREFERENCE_GAP, Parting, Runs, cell_places, parting, runs
from explorer.experiments.ranking import all_heads
from explorer.experiments.running import run
from explorer.recording.trace import record, record_forced
from model.decoding import Translator

A, B = "The cat sings.", "The rat sings."  # they differ in one piece
LONG = "The cat sleeps on the old chair."
CLOSE = 1e-5


@pytest.fixture
def german(toy: Translator) -> list[int]:
    """What A's own translation begins with."""
    return [toy.tokenizer.bos_id, *(step.predicted.id for step in record(toy, A, max_steps=2).steps)]


def compared(toy: Translator, german: list[int], taken_from: str, put_into: str) -> Runs:
    """A random model's German parts nowhere, so its pieces are given: the two that it is asked to weigh are any two."""
    ids = (tuple(toy.source_ids(text)) for text in (taken_from, put_into))
    return runs(Parting(toy, *ids, tuple(german), toward=40, away=50))


def everywhere(found: Runs) -> list[HeadAt | CellAt]:
    places = cell_places(found.parting, "encoder") + cell_places(found.parting, "decoder")
    return [*all_heads(found.parting.translator.model.config), *places]


def by_experiment(toy: Translator, german: list[int], place: HeadAt | CellAt) -> float:
    """The same number by the route of a single experiment: the log-probabilities of two forced translations."""
    heads, cells = ((place,), ()) if isinstance(place, HeadAt) else ((), (place,))
    patch = Patch(A, heads, cells)
    traces = [run(toy, B, Experiment(beginning=(*german[1:], piece, 3), patch=patch)) for piece in (40, 50)]
    return traces[0].steps[len(german) - 1].log_probability - traces[1].steps[len(german) - 1].log_probability


def test_a_sentence_patched_into_itself_changes_nothing(toy, german):
    found = compared(toy, german, A, A)
    places = everywhere(found)
    np.testing.assert_allclose(found.patched(places), np.full(len(places), found.away), rtol=0, atol=CLOSE)


@pytest.mark.parametrize("sentence", [A, LONG])
def test_all_places_in_a_batch_give_what_each_gives_alone(toy, german, sentence):
    found = compared(toy, german, sentence, B)
    places = everywhere(found)
    alone = np.concatenate([found.patched([place]) for place in places])
    assert len({*np.round(alone, 4)}) > len(places) // 2
    np.testing.assert_allclose(found.patched(places), alone, rtol=0, atol=CLOSE)


def test_the_sweep_measures_what_the_experiment_shows(toy, german):
    found = compared(toy, german, A, B)
    places = [HeadAt("encoder", 1, 2), HeadAt("decoder", 0, 3), HeadAt("cross", 1, 0)]
    places += [CellAt("encoder", 0, 1), CellAt("decoder", 0, 1), CellAt("decoder", 1, 2)]
    expected = [by_experiment(toy, german, place) for place in places]
    np.testing.assert_allclose(found.patched(places), expected, rtol=0, atol=CLOSE)


def test_the_one_word_that_differs_carries_everything_at_the_embedding(toy, german):
    found = compared(toy, german, A, B)
    pairs = enumerate(zip(found.parting.taken_from, found.parting.put_into, strict=True))
    differing = [position for position, (a, b) in pairs if a != b]
    cells = [CellAt("encoder", -1, position) for position in range(len(found.parting.put_into))]
    assert len(differing) == 1
    expected = [found.toward if cell.position in differing else found.away for cell in cells]
    np.testing.assert_allclose(found.patched(cells), expected, rtol=0, atol=CLOSE)


def test_a_share_is_0_for_one_run_and_1_for_the_other(toy, german):
    found = compared(toy, german, A, B)
    np.testing.assert_allclose(found.share(np.array([found.away, found.toward])), [0, 1])


def test_no_share_where_the_two_runs_prefer_nearly_the_same(toy, german):
    found = compared(toy, german, A, B)
    close = Runs(found.parting, found.tensors, found.away + MIN_PREFERENCE_GAP / 2, found.away)
    assert close.share(np.zeros(3)) is None


def test_the_measured_step_is_the_first_at_which_the_german_differs(toy):
    first, second = [20, 21, 22, 3], [20, 21, 30, 31, 3]
    found = parting(toy, record_forced(toy, A, first), record_forced(toy, LONG, second))
    assert (found.step, found.toward, found.away) == (2, 22, 30)
    assert found.tgt_in == (toy.tokenizer.bos_id, 20, 21)
    assert found.positions == {"encoder": len(toy.source_ids(A)), "decoder": 3}


@each_case("second", [[20, 21, 3], [20, 21]])
def test_two_sentences_with_one_translation_are_refused(toy, second):
    with pytest.raises(ValueError, match="same German"):
        parting(toy, record_forced(toy, A, [20, 21, 3]), record_forced(toy, B, second))
