"""Beam search and sampling as JSON: what is sent is what the model's own search and samples hold."""

import json
import re
from copy import deepcopy
from functools import partial

import pytest
import torch
from cases import each_case

from explorer.experiments.experiment import experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.searching import beam_json, samples_json
from explorer.recording import MAX_PIECES
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.tabs.what_if.search.panel import SAMPLES, beam_answer, sample_answer
from explorer.ui.questions import validated
from model.beam import beam_tree
from model.decoding import Translator
from model.sampling import Sampling, draw

SENTENCE = "The dog sleeps."
SAMPLING = {"temperature": 1.0, "top_k": None, "top_p": 1.0}


@pytest.fixture(scope="module")
def laboratory(toy) -> Laboratory:
    return Laboratory(Recordings(toy))


def test_the_tree_is_sent_whole_with_its_pieces_in_words(toy):
    sent, tree = beam_json(toy, SENTENCE, 3), beam_tree(toy, toy.source_ids(SENTENCE), 3)
    assert json.loads(json.dumps(sent)) == sent
    assert sent["best"]["ids"] == list(tree.best.ids) and sent["greedy"]["ids"] == list(tree.greedy.ids)
    assert sent["finals"][0] == sent["best"] and len(sent["finals"]) == 3
    assert sent["greedy_places"] == tree.greedy_places
    for level, shown in zip(tree.levels, sent["levels"], strict=True):
        assert [h["total"] for h in shown["kept"]] == [h.total for h in level.kept]
        assert [h["id"] for h in shown["pruned"]] == [h.piece for h in level.pruned]
        assert [h["waits"] for h in shown["kept"]] == [h.piece == toy.tokenizer.pad_id for h in level.kept]


@each_case("count", [0, 11])
def test_too_wide_a_beam_and_too_many_samples_are_refused(toy, count):
    with pytest.raises(ValueError, match=f"^A beam keeps from 1 to 8 hypotheses here, not {count}"):
        beam_json(toy, SENTENCE, count)
    with pytest.raises(ValueError, match=f"^From 1 to 10 samples are drawn at once, not {count}"):
        samples_json(toy, record(toy, SENTENCE), Sampling(), count=count)


def test_samples_are_those_of_their_seeds_beside_the_greedy_translation(toy):
    greedy, sampling = record(toy, SENTENCE), Sampling(temperature=0.7, top_k=9)
    sent = samples_json(toy, greedy, sampling, seed=4, count=3)
    assert sent["greedy"]["total"] == pytest.approx(sum(step.log_probability for step in greedy.steps))
    for sample, shown in zip(draw(toy, toy.source_ids(SENTENCE), sampling, [4, 5, 6]), sent["samples"], strict=True):
        assert (shown["seed"], shown["ids"]) == (sample.seed, list(sample.ids))
        assert [piece["log_probability"] for piece in shown["pieces"]] == list(sample.log_probabilities)
        assert {piece["in_the_running"] for piece in shown["pieces"]} <= set(range(1, 10))
        assert shown["ended"] == (sample.ids[-1] == toy.tokenizer.eos_id)


def test_a_sample_says_which_of_its_pieces_the_greedy_translation_has_too(toy):
    greedy = record(toy, SENTENCE)
    (same,) = samples_json(toy, greedy, Sampling(top_k=1))["samples"]
    assert same["ids"] == [step.predicted.id for step in greedy.steps]
    assert all(piece["also_greedy"] for piece in same["pieces"])
    (other,) = samples_json(toy, greedy, Sampling(temperature=3.0), seed=1)["samples"]
    assert not all(piece["also_greedy"] for piece in other["pieces"])


def test_the_panel_is_answered_like_a_program(laboratory, toy):
    assert json.loads(beam_answer(laboratory, SENTENCE, 2)) == beam_json(toy, SENTENCE, 2)
    sent = json.loads(sample_answer(laboratory, SENTENCE, SAMPLING, 3))
    assert sent == samples_json(toy, record(toy, SENTENCE), Sampling(), 3, SAMPLES)


@each_case(
    ("given", "seed", "reason"),
    [
        (SAMPLING, 1.5, "This cannot be asked: number 3: input should be a valid integer"),
        ({**SAMPLING, "top_k": 2.5}, 1, "This cannot be asked: number 2, top_k: input should be a valid integer"),
        ({**SAMPLING, "top_p": 2}, 1, "Top-p must be a number from 0.000001 to 1, not 2."),
        (SAMPLING, -1, "A seed is a whole number from 0"),
    ],
)
def test_what_is_no_sampling_is_refused_in_a_sentence(laboratory, given, seed, reason):
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        validated(partial(sample_answer, laboratory))(SENTENCE, given, seed)


def test_what_is_found_is_no_longer_than_the_page_shows(toy):
    model = deepcopy(toy.model)
    with torch.no_grad():
        model.projection.bias[toy.tokenizer.eos_id] = -100
    endless = Translator(model, toy.tokenizer)
    laboratory, sentence = Laboratory(Recordings(endless)), "the cat " * 12
    assert endless.limit(len(endless.source_ids(sentence.strip()))) > MAX_PIECES
    greedy = [step.predicted.id for step in laboratory.recordings.trace(sentence).steps]
    tree = json.loads(beam_answer(laboratory, sentence, 2))
    assert tree["greedy"]["ids"] == greedy and len(tree["best"]["ids"]) == len(greedy) == MAX_PIECES
    samples = json.loads(sample_answer(laboratory, sentence, SAMPLING, 1))["samples"]
    assert {len(sample["ids"]) for sample in samples} == {MAX_PIECES}
    assert laboratory.trace(sentence, experiment_of({"beginning": tree["best"]["ids"]}))
