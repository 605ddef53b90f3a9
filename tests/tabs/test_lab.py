"""What the room of experiments answers, and that its panels are whole."""

import json
from dataclasses import fields

import pytest
import torch
from cases import each_case

from explorer.experiments.experiment import Experiment, HeadAt, Patch
from explorer.experiments.laboratory import Laboratory, shared_laboratory
from explorer.experiments.running import example_means, run
from explorer.page.api import ExperimentsApi
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import PIECE_BYTES
from explorer.tabs.what_if.tab import PANELS, lab_html, run_answer, what_if_tab

SENTENCE = "The dog sleeps."


@pytest.fixture(scope="module")
def laboratory(toy) -> Laboratory:
    return Laboratory(Recordings(toy))


def test_an_answer_holds_both_translations(laboratory):
    original = laboratory.recordings.trace(SENTENCE)
    changed = laboratory.trace(SENTENCE, Experiment(off=(HeadAt("cross", 1, 0),)))
    sent = json.loads(run_answer(laboratory, SENTENCE, {"off": [["cross", 1, 0]]}))
    assert sent["trace"]["translation"] == changed.translation
    assert sent["original"]["logs"] == [step.log_probability for step in original.steps]
    assert sent["changed"]["ranks"] == [step.rank for step in changed.steps]
    assert len(sent["rescored"]["logs"]) == len(original.steps) and sent["rescored"]["logs"] != sent["original"]["logs"]
    assert sent["pairs"]["source"] == list(range(len(original.source)))


def test_where_only_german_is_forced_the_unchanged_german_is_not_scored_again(laboratory):
    first = laboratory.recordings.trace(SENTENCE).steps[0].candidates[2].piece.id
    sent = json.loads(run_answer(laboratory, SENTENCE, {"beginning": [first]}))
    assert sent["rescored"] is None
    assert sent["trace"]["steps"][0]["predicted"]["id"] == first


@each_case("given", [{"source": "The cat sleeps."}, {"hidden": [0]}])
def test_where_the_model_reads_something_else_the_unchanged_german_is_scored_again(laboratory, given):
    assert json.loads(run_answer(laboratory, SENTENCE, given))["rescored"] is not None


def test_the_page_and_programs_share_a_laboratory(toy):
    app = AppContext(Recordings(toy), None, {})
    what_if_tab(app)
    (laboratory,) = app.shared_values.values()
    assert ExperimentsApi(app).laboratory is laboratory is shared_laboratory(app)


def test_the_mean_of_a_head_is_over_the_sentences_of_the_page(toy, tmp_path):
    path, text = tmp_path / "examples.json", "The dog sleeps under the table."
    path.write_text(json.dumps([{"shows": "a dog", "sentence": text}]), encoding="utf-8")
    brought = shared_laboratory(AppContext(Recordings(toy), None, examples=path)).means()
    ours = shared_laboratory(AppContext(Recordings(toy), None)).means()
    for kind, means in example_means(toy, [text]).items():
        torch.testing.assert_close(brought[kind], means)
        assert not torch.allclose(ours[kind], means)


def test_traces_are_remembered_by_their_bytes(toy, monkeypatch):
    end = toy.tokenizer.eos_id
    experiments = [Experiment(beginning=(piece, end)) for piece in (5, 6, 7)]  # as long as each other
    size = run(toy, SENTENCE, experiments[0]).memory()
    monkeypatch.setattr("explorer.experiments.laboratory.MAX_TRACE_BYTES", 2 * size)
    laboratory = Laboratory(Recordings(toy))
    first, _, third = (laboratory.trace(SENTENCE, experiment) for experiment in experiments)
    weights = sum(first.map(kind).weights.nbytes for kind in ("encoder", "decoder", "cross"))
    shown = [*first.source, *(piece for step in first.steps for piece in (step.fed, *step.candidates))]
    assert first.memory() == weights + len(shown) * PIECE_BYTES and weights > 1000
    assert laboratory.trace(SENTENCE, experiments[2]) is third
    assert laboratory.trace(SENTENCE, experiments[0]) is not first


def test_every_panel_has_its_place_and_its_words():
    html = lab_html()
    for panel in PANELS:
        assert f'data-panel="{panel.name}"' in html
        assert {"original", "changed"} == panel.words.TEXT["names"].keys()
        assert (panel.folder / f"{panel.name}.js").exists()


def test_every_field_of_an_experiment_has_its_part_in_the_address():
    codec = (PANELS[0].folder.parent / "experiment.js").read_text(encoding="utf-8")
    names = {field.name for record in (Experiment, Patch) for field in fields(record)} - {"patch"}
    assert not [name for name in names if f"{name}: [" not in codec]
