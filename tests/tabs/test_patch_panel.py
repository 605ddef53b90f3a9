"""The panel Patch: what it answers, and that the pairs it offers show something."""

import json

import pytest

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.patching import cell_places, parting, runs
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.tabs.what_if.patch.panel import PARTNERS, patching_answer
from model.decoding import Translator

TAKEN, OWN = "A woman is sleeping.", "A man is sleeping."


@pytest.fixture(scope="module")
def laboratory(shipped) -> Laboratory:
    return Laboratory(Recordings(shipped))


def test_where_both_runs_prefer_nearly_the_same_there_are_no_shares(laboratory, monkeypatch):
    monkeypatch.setattr("explorer.experiments.patching.MIN_PREFERENCE_GAP", 1e3)
    sent = json.loads(patching_answer(laboratory, OWN, TAKEN, "decoder", 0))
    assert sent["shares"] is None and len(sent["preferences"]) == sent["places"]


def test_every_example_has_a_partner_of_one_changed_word_that_shows_something(laboratory, shipped: Translator):
    assert [*PARTNERS] == [example["sentence"] for example in examples()]
    for own, taken in PARTNERS.items():
        assert sum(a != b for a, b in zip(own.split(), taken.split(), strict=True)) == 1
        trace = laboratory.recordings.trace
        found = parting(shipped, trace(taken), trace(own))
        assert len(found.taken_from) == len(found.put_into)
        both = runs(found)
        last = cell_places(found, "encoder")[-len(found.put_into) :]
        shares = both.share(both.patched(last))
        assert shares is not None and max(shares) > 0.5, own
