"""What the room of experiments answers, and that its panels are whole."""

import json

import torch

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory, shared_laboratory
from explorer.experiments.running import example_means, run
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import PIECE_BYTES

SENTENCE = "The dog sleeps."


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
