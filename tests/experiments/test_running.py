"""What an experiment must do to a translation, and what it must leave alone."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import torch
from cases import each_case

from explorer.experiments.experiment import CellAt, Experiment, HeadAt, NeuronAt, Patch, experiment_of
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.running import MAX_NEURONS, Prepared, changed_pass, example_means, rescored, run
from explorer.experiments.searching import beam_json, samples_json
from explorer.recording import MAX_PIECES
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace, record
from model.attention import MultiHeadAttention
from model.decoding import Translator
from model.errors import UserError
from model.probe import ATTENTION, KINDS, Site
from model.sampling import Sampling

SENTENCE = "The dog sleeps."
OTHER = "The old chair."
WAYS = ("zero", "uniform", "mean", "special")


def same(first: Trace, second: Trace) -> None:
    assert [step.predicted for step in first.steps] == [step.predicted for step in second.steps]
    for kind in KINDS:
        np.testing.assert_allclose(first.map(kind).weights, second.map(kind).weights, atol=1e-5)
    np.testing.assert_allclose(
        [step.log_probability for step in first.steps], [step.log_probability for step in second.steps], atol=1e-5
    )


def ids_of(trace: Trace) -> tuple[int, ...]:
    return tuple(step.predicted.id for step in trace.steps)


def hash_of(translator: Translator) -> str:
    sums = hashlib.sha256()
    for name, tensor in sorted(translator.model.state_dict().items()):
        sums.update(name.encode() + tensor.numpy().tobytes())
    return sums.hexdigest()


CHANGES = [
    Experiment(off=(HeadAt("cross", 1, 2), HeadAt("encoder", 0, 3), HeadAt("decoder", 1, 0)), off_by=by) for by in WAYS
] + [
    Experiment(hidden=(1, 2)),
    Experiment(encoder_positions="off", decoder_positions="off"),
    Experiment(encoder_positions="shuffled", decoder_positions="shuffled", seed=3),
    Experiment(encoder_positions="shifted", decoder_positions="shifted", shift=9),
    Experiment(patch=Patch(OTHER, heads=(HeadAt("decoder", 0, 1),), cells=(CellAt("decoder", 0, 2),))),
    Experiment(neurons=(NeuronAt("encoder", 1, 31, 2.5), NeuronAt("decoder", 0, 3, -1.5))),
    Experiment(neurons=(NeuronAt("encoder", 0, 7, 4.0, 1), NeuronAt("decoder", 1, 0, 4.0, 2))),
]


@pytest.fixture(scope="module")
def prepared(toy) -> Prepared:
    """The means, which take longer than all the runs."""
    return Prepared(means=example_means(toy))


@each_case("experiment", CHANGES)
def test_every_change_changes_something_and_stepping_equals_one_pass(toy, experiment, prepared):
    original, changed = record(toy, SENTENCE), run(toy, SENTENCE, experiment, max_steps=8)
    forced = run(toy, SENTENCE, replace(experiment, beginning=ids_of(changed)), max_steps=8, prepared=prepared)
    same(changed, forced)
    tensors = changed_pass(toy, changed, experiment, prepared).tensors
    for kind, site in ATTENTION.items():
        weights = [tensors[site._replace(layer=layer, tensor="weights")][0] for layer in range(2)]
        np.testing.assert_allclose(weights, changed.map(kind).weights, atol=1e-5)
    score = rescored(toy, SENTENCE, original, experiment, prepared).log_probability
    assert abs(score - original.log_probability) > 1e-4


@each_case("kind", KINDS)
def test_off_by_zero_is_a_zero_slice_before_w_o(toy, kind):
    head = HeadAt(kind, 1, 2)
    original, changed = record(toy, SENTENCE), run(toy, SENTENCE, Experiment(off=(head,)))
    width = toy.model.config.d_value
    before = [parameter.detach().clone() for parameter in toy.model.parameters()]
    layer = (toy.model.encoder if kind == "encoder" else toy.model.decoder).layers[1]
    attention: MultiHeadAttention = layer.cross_attention if kind == "cross" else layer.self_attention
    with torch.no_grad():
        attention.w_o.weight[:, 2 * width : 3 * width] = 0
    try:
        same(record(toy, SENTENCE), changed)
    finally:
        with torch.no_grad():
            for parameter, value in zip(toy.model.parameters(), before, strict=True):
                parameter.copy_(value)
    same(record(toy, SENTENCE), original)


def test_uniform_and_special_heads_attend_as_they_say(toy):
    for kind in KINDS:
        uniform = run(toy, SENTENCE, Experiment(off=(HeadAt(kind, 0, 1),), off_by="uniform"), max_steps=6).map(kind)
        rows = uniform.weights[0, 1]
        for query, row in enumerate(rows):
            reach = query + 1 if kind == "decoder" else len(row)
            np.testing.assert_allclose(row[:reach], 1 / reach, atol=1e-6)
        special = run(toy, SENTENCE, Experiment(off=(HeadAt(kind, 0, 1),), off_by="special"), max_steps=6).map(kind)
        assert special.keys[0 if kind == "decoder" else -1].special
        assert (special.weights[0, 1][:, 0 if kind == "decoder" else -1] == 1).all()


def held_in_64_bits(translator: Translator, neurons: tuple[NeuronAt, ...], trace: Trace) -> torch.Tensor:
    """The logits [tgt vocab] of one pass in 64 bits, in which a hook before W_2 holds neurons. It knows no probe."""
    model = deepcopy(translator.model).double()

    def hold(neuron: NeuronAt) -> None:
        def before(module: torch.nn.Module, given: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
            hidden = given[0].clone()
            rows = slice(None) if neuron.position is None else slice(neuron.position, neuron.position + 1)
            hidden[:, rows, neuron.index] = neuron.value
            return (hidden,)

        getattr(model, neuron.stack).layers[neuron.layer].feed_forward.w_2.register_forward_pre_hook(before)

    for neuron in neurons:
        hold(neuron)
    src, tgt_in = ([piece.id for piece in pieces] for pieces in (trace.source, trace.target))
    with torch.no_grad():
        return model(torch.tensor([src]), torch.tensor([tgt_in])).logits[0]


CAR, POLITE = "Do you have a car?", NeuronAt("decoder", 3, 541, 6.0)
HELD = {
    "everywhere": (POLITE,),
    "at one position": (POLITE._replace(position=0),),
    "off": (POLITE._replace(value=0.0), NeuronAt("decoder", 1, 957, 0.0)),
    "otherwise at one position": (POLITE._replace(value=0.5, position=0), POLITE),
    "in both stacks": (
        NeuronAt("encoder", 0, 81, 9.0),
        NeuronAt("decoder", 2, 594, -3.25),
        NeuronAt("encoder", 3, 2, 5, 1),
    ),
}


@each_case("name", [*HELD])
def test_held_neurons_give_what_a_pass_in_64_bits_gives(shipped, name):
    neurons = HELD[name]
    for sentence in (CAR, "I saw you yesterday, but you did not see me."):
        experiment = Experiment(neurons=neurons)
        changed = run(shipped, sentence, experiment, max_steps=12)
        expected = held_in_64_bits(shipped, tuple(sorted(neurons, key=lambda one: one.position is not None)), changed)
        found = changed_pass(shipped, changed, experiment).tensors[Site("decoder", tensor="logits")][0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5 * expected.abs().max().item())
        expected[:, shipped.excluded_ids] = -torch.inf
        chances = expected.log_softmax(dim=-1)
        ids = [step.predicted.id for step in changed.steps]
        forced = [chances[t, id].item() for t, id in enumerate(ids)]
        np.testing.assert_allclose([step.log_probability for step in changed.steps], forced, atol=2e-5)
        assert ids == chances.argmax(dim=-1).tolist()  # step by step, with the cache


def test_one_neuron_makes_the_german_polite(shipped):
    def german(*neurons: NeuronAt) -> str:
        return run(shipped, CAR, Experiment(neurons=neurons)).translation

    assert german() == german(POLITE._replace(value=0.0)) == "Hast du ein Auto?"
    assert german(POLITE) == german(POLITE._replace(position=0)) == "Haben Sie ein Auto?"


@each_case(
    ("neurons", "refusal"),
    [
        ([("decoder", 2, 0, 1.0)], "There is no neuron 1 in layer 3: the model has 2 layers in the encoder, 2 in the"),
        ([("encoder", 0, 32, 1.0)], "There is no neuron 33 in layer 1: .* 32 neurons in each"),
        ([("encoder", 0, 0, 1001.0)], "held at a number from −1000 to 1000"),
        ([("encoder", 0, 0, 1e300)], "held at a number from −1000 to 1000"),
        ([("encoder", 0, 0, 1.0, 11)], "There is no token 12: the sentence has 11"),
        ([("decoder", 0, 0, 1.0, 160)], "There is no position 161: the model writes at most 160"),
        ([("decoder", 1, 5, 1.0), ("decoder", 1, 5, 2.0)], "Neuron 6 of layer 2 is held twice"),
        ([("decoder", 1, index % 32, 1.0, index // 32) for index in range(MAX_NEURONS + 1)], "At most 64 .* not 65"),
    ],
)
def test_neurons_that_cannot_be_held_are_refused_in_a_sentence(toy, neurons, refusal):
    with pytest.raises(UserError, match=refusal):
        run(toy, SENTENCE, experiment_of({"neurons": neurons}), max_steps=2)


def test_two_visitors_at_once_change_no_weight_and_not_each_other(toy):
    before = hash_of(toy)
    changes = CHANGES[::3]
    alone = [run(toy, SENTENCE, experiment, max_steps=8) for experiment in changes]
    with ThreadPoolExecutor(2) as visitors:
        together = list(visitors.map(lambda experiment: run(toy, SENTENCE, experiment, max_steps=8), changes))
    for one, other in zip(alone, together, strict=True):
        same(one, other)
    assert hash_of(toy) == before


def test_what_is_found_is_no_longer_than_the_page_shows(toy):
    model = deepcopy(toy.model)
    with torch.no_grad():
        model.projection.bias[toy.tokenizer.eos_id] = -100
    endless = Translator(model, toy.tokenizer)
    laboratory, sentence = Laboratory(Recordings(endless)), "the cat " * 12
    assert endless.limit(len(endless.source_ids(sentence.strip()))) > MAX_PIECES
    greedy = [step.predicted.id for step in laboratory.recordings.trace(sentence).steps]
    tree = beam_json(endless, sentence.strip(), 2)
    assert tree["greedy"]["ids"] == greedy and len(tree["best"]["ids"]) == len(greedy) == MAX_PIECES
    samples = samples_json(endless, laboratory.recordings.trace(sentence), Sampling())["samples"]
    assert {len(sample["ids"]) for sample in samples} == {MAX_PIECES}
    assert laboratory.trace(sentence, experiment_of({"beginning": tree["best"]["ids"]}))


EVERYTHING = Experiment(
    source="A dog.",
    word_order=3,
    hidden=(1, 2),
    beginning=(5, 6),
    off=(HeadAt("cross", 1, 0),),
    off_by="mean",
    neurons=(NeuronAt("decoder", 0, 3, 0.5), NeuronAt("decoder", 0, 3, 6.0, 2)),
    encoder_positions="off",
    decoder_positions="shifted",
    seed=4,
    shift=7,
    patch=Patch("A cat.", heads=(HeadAt("decoder", 0, 1),), cells=(CellAt("encoder", -1, 2),)),
)


@each_case("experiment", [Experiment(), EVERYTHING])
def test_an_experiment_survives_json(experiment):
    assert experiment_of(json.loads(json.dumps(experiment.json()))) == experiment
    assert hash(experiment_of(experiment.json())) == hash(experiment) and Experiment(seed=2).json() == {"seed": 2}


@each_case(
    ("given", "named"),
    [
        ({"off": [["cross", 1]]}, "off.0.2"),
        ({"off": [["cross", 1, True]]}, "off.0.2"),
        ({"offf": 1}, "offf"),
        ({"shift": -1}, "shift"),
        ({"patch": {"sentence": "A cat.", "cells": [["encoder", -2, 0]]}}, "patch.cells.0.1"),
        ({"neurons": [["decoder", 0, 1]]}, "neurons.0.3"),
        ({"neurons": [["cross", 0, 1, 6.0]]}, "neurons.0.0"),
        ({"neurons": [["decoder", 0, 1, float("nan")]]}, "neurons.0.3: input should be a finite number"),
        ({"neurons": [["decoder", 0, 1, 6.0, -1]]}, "neurons.0.4"),
        ([], "all of it"),
        ({"source": {1, 2}}, "set"),
    ],
)
def test_what_is_no_experiment_is_refused_with_the_field_that_is_wrong(given, named):
    with pytest.raises(UserError, match=f"This is no experiment: .*{named}"):
        experiment_of(given)


@each_case(
    ("parts", "named"),
    [
        ({"off_by": "men"}, "off_by"),
        ({"encoder_positions": "of"}, "encoder_positions"),
        ({"word_order": "x"}, "word_order"),
        ({"off": (HeadAt("cross", -1, 0),)}, "off.0.layer"),
        ({"neurons": (NeuronAt("decoder", 0, 1, float("inf")),)}, "neurons.0.value"),
    ],
)
def test_values_that_no_run_can_have_are_refused_in_python_too(parts, named):
    with pytest.raises(ValueError, match=named):
        Experiment(**parts)


def test_numbers_of_numpy_are_numbers():
    layer, head = cast(Any, np.unravel_index(np.int64(5), (2, 4)))
    neuron = NeuronAt("decoder", layer, head, cast(Any, np.float32(0.5)))
    experiment = Experiment(off=(HeadAt("cross", layer, head),), hidden=(cast(Any, np.int32(1)),), neurons=(neuron,))
    expected = {"hidden": [1], "off": [["cross", 1, 1]], "neurons": [["decoder", 1, 1, 0.5, None]]}
    assert json.loads(json.dumps(experiment.json())) == expected
