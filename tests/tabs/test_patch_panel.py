"""The panel Patch: what it answers, and that the pairs it offers show something."""

import json

import numpy as np
import pytest
from cases import each_case

from explorer.experiments.laboratory import Laboratory
from explorer.experiments.patching import cell_places, parting, runs
from explorer.experiments.ranking import all_heads
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.tabs.what_if.patch import panel
from explorer.tabs.what_if.patch.panel import PARTNERS, patching_answer
from model.decoding import Translator

TAKEN, OWN = "A woman is sleeping.", "A man is sleeping."


@pytest.fixture(scope="module")
def laboratory(shipped) -> Laboratory:
    return Laboratory(Recordings(shipped))


@each_case("grid", ["heads", "decoder"])
def test_the_parts_of_a_sweep_together_are_the_sweep(laboratory, shipped: Translator, monkeypatch, grid):
    monkeypatch.setattr(panel, "ROWS_PER_PART", 150)
    trace = laboratory.recordings.trace
    both = runs(found := parting(shipped, trace(TAKEN), trace(OWN)))
    places = all_heads(shipped.model.config) if grid == "heads" else cell_places(found, grid)
    shares: list[float] = []
    parts = 0
    while len(shares) < len(places):
        sent = json.loads(patching_answer(laboratory, OWN, f" {TAKEN}\n", grid, len(shares)))
        assert sent["places"] == len(places)
        shares += sent["shares"]
        parts += 1
    assert parts > 1 or grid == "decoder"
    np.testing.assert_allclose(shares, both.share(both.patched(places)), rtol=0, atol=1e-5)


def test_an_answer_names_what_is_measured(laboratory):
    sent = json.loads(patching_answer(laboratory, OWN, TAKEN, "decoder", 0))
    assert sent["translation"] == "Eine Frau schläft."
    assert sent["pieces"] == {"toward": "·Eine", "away": "·Ein"} and sent["fed"] == ["<s>"]
    assert [source[1] for source in sent["sources"]] == ["·woman", "·man"]
    assert sent["away"] < 0 < sent["toward"]


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
