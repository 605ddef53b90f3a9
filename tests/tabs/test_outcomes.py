"""What the page computes from the results of experiments, by its own code, against Python's."""

import json
from difflib import SequenceMatcher
from random import Random
from typing import Any

import numpy as np
import pytest
from by_node import derive, derive_all, in_node, needs_node
from cases import each_case

from explorer.engine.calls import ModelCalls
from explorer.experiments.experiment import experiment_of
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.running import rescored
from explorer.experiments.statistics import rank_correlation
from explorer.recording.app_context import AppContext
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record

pytestmark = needs_node

DONOR, RECIPIENT = "A woman is sleeping.", "A man is sleeping."
LONGER = "The old man who had been sitting on the bench in the park finally stood up."


def test_elements_correspond_as_difflib_finds_them():
    random = Random(0)
    pairs = [["".join(random.choices("abc", k=random.randrange(9))) for _ in range(2)] for _ in range(200)]
    found = derive_all("differences", "matchElements", pairs)
    for (first, second), partners in zip(pairs, found, strict=True):
        expected: list[int | None] = [None] * len(second)
        for name, start, end, other, last in SequenceMatcher(a=first, b=second, autojunk=False).get_opcodes():
            if name == "equal" or (name == "replace" and end - start == last - other):
                expected[other:last] = range(start, end)
        assert partners == expected, (first, second)


def test_a_source_in_another_order_is_paired_piece_by_piece():
    def trace(*ids: int) -> dict[str, Any]:
        return {"source": [{"id": piece} for piece in ids], "steps": [{"predicted": {"id": 5}}]}

    assert derive("differences", "matchPermutation", [7, 8, 7], [7, 7, 8]) == [0, 2, 1]
    moved = derive("differences", "pairPieces", trace(7, 7, 8), trace(8, 7, 7))
    assert moved == {"source": [2, 0, 1], "steps": [0]}
    assert derive("differences", "pairPieces", trace(7, 7, 8), trace(7, 9, 8))["source"] == [0, 1, 2]
    assert derive("differences", "commonElements", [7, 9, 8], [7, 6, 8, 8]) == [True, False, True, False]


def test_rank_correlations_are_spearmans_and_ties_share_their_ranks():
    random = Random(0)
    pairs = [[[random.randrange(6) for _ in range(length)] for _ in range(2)] for length in range(1, 60)]
    for tie in (0, 1.5):
        found = derive_all("rank_correlation", "rankCorrelation", [[*pair, tie] for pair in pairs])
        expected = [rank_correlation(*np.array(pair, float), tie=tie) for pair in pairs]
        assert found == [value and pytest.approx(value) for value in expected]


AGREEMENT = """
    const { agreementOf, piecesToHide } = await import("./explorer/derived/leave_one_out.js");
    const { createTrace } = await import("./explorer/derived/trace.js");
    const { Tensor } = await import("./explorer/ui/tensor.js");
    const { raw, changes, choices } = JSON.parse(readFileSync(0));
    const trace = createTrace(raw);
    const parts = [];
    while (parts.flat().length < trace.source.length) parts.push(piecesToHide(trace, parts.flat().length));
    const { rows } = new Tensor(changes);
    const found = choices.map(([layer, head]) => agreementOf(trace, rows, { layer, head }));
    const plain = found.map((one) => ({ ...one, weights: one.weights.map((row) => [...row]) }));
    console.log(JSON.stringify({ found: plain, parts }));
"""


def test_attention_agrees_with_leaving_a_piece_out_as_much_as_python_says(shipped):
    calls = ModelCalls(AppContext(Recordings(shipped), None))
    raw = json.loads(calls.translate(LONGER))
    everything = list(range(len(raw["source"])))
    changes = json.loads(calls.scores(LONGER, [], "zero", everything))["changes"]
    choices: list[Any] = [("mean", "mean"), (3, "mean"), (2, 3)]
    answer = in_node(AGREEMENT, {"raw": raw, "changes": changes, "choices": choices})
    assert [piece for part in answer["parts"] for piece in part] == everything and len(answer["parts"]) > 1
    trace = record(shipped, LONGER)
    sizes = np.abs(calls.laboratory.omitted(LONGER, tuple(everything)))
    for choice, found in zip(choices, answer["found"], strict=True):
        weights = trace.cross.matrix(*choice)
        np.testing.assert_allclose(found["weights"], weights, atol=1e-6)
        assert found["overall"] == pytest.approx(rank_correlation(weights, sizes), abs=1e-4)
        rows = [rank_correlation(*row, tie=1e-3) for row in zip(weights, sizes, strict=True)]
        assert found["rows"] == [value and pytest.approx(value, abs=1e-3) for value in rows]


def test_a_map_of_patches_shows_where_two_translations_part_and_who_is_followed(shipped):
    calls = ModelCalls(AppContext(Recordings(shipped), None))
    answer = json.loads(calls.patching(RECIPIENT, DONOR, "encoder", 0))
    donor, recipient = record(shipped, DONOR), record(shipped, RECIPIENT)
    both = runs(find_divergence(shipped, donor, recipient))
    expected = both.share(both.patched(cell_targets(both.divergence, "encoder")[: len(answer["preferences"])]))
    assert expected is not None
    np.testing.assert_allclose(derive("patching", "sharesOf", answer), expected)
    found = derive("patching", "divergenceOf", trace_json(donor), trace_json(recipient), answer["step"])
    assert found == {
        "translation": donor.translation,
        "sources": [[piece.text for piece in trace.source] for trace in (donor, recipient)],
        "fed": [piece.text for piece in recipient.target[: both.divergence.step + 1]],
        "donorPiece": donor.steps[both.divergence.step].predicted.text,
        "recipientPiece": recipient.steps[both.divergence.step].predicted.text,
    }


def test_where_both_runs_prefer_nearly_the_same_there_are_no_shares():
    answer = {"donor_preference": 1.0005, "recipient_preference": 1.0, "preferences": [1.0, 2.0]}
    assert derive("patching", "sharesOf", answer) == [None, None]


OFF = {"off": [["cross", 1, 0]]}


@each_case(
    ("model", "changes"),
    [
        *(("shipped", changes) for changes in (OFF, {"source": LONGER}, {"source": "Why?"})),
        ("shipped", {"word_order": 3, "hidden": [1]}),
        ("toy", OFF),
    ],
)
def test_the_unchanged_translation_is_scored_under_an_experiment(request, model, changes):
    translator = request.getfixturevalue(model)
    calls = ModelCalls(AppContext(Recordings(translator), None))
    trace = calls.recordings.trace(RECIPIENT)
    assert trace.stopped_at_limit == (model == "toy")  # which never ends
    answer = json.loads(calls.run(RECIPIENT, changes))
    expected = rescored(translator, RECIPIENT, trace, experiment_of(changes))
    assert answer["rescored"] == [step.log_probability for step in expected.steps]
    assert len(answer["rescored"]) == len(trace.steps)


def test_what_only_forces_german_rescores_nothing(toy):
    calls = ModelCalls(AppContext(Recordings(toy), None))
    assert [json.loads(calls.run(RECIPIENT, change))["rescored"] for change in ({}, {"beginning": [5]})] == [None, None]
