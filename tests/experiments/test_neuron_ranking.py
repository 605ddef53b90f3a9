"""Neurons held one by one in a batch, from the layer after theirs on: they cost what an experiment with each costs."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from tiny_models import tiny_translator

from explorer import NeuronAt, rank_neurons
from explorer.experiments import forced
from explorer.experiments.experiment import Experiment
from explorer.experiments.neuron_ranking import STACKS, HeldRuns, firing_neurons, neuron_reach
from explorer.experiments.running import rescored
from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import Trace, record
from model.decoding import Translator
from model.probe import Site
from tools.sentence_lists import LISTS, read_list

SENTENCE = "The dog is tired because it has played all day."
CLOSE = 2e-5


@pytest.fixture(scope="module")
def exact(shipped) -> Translator:
    """The shipped model with 64-bit floats."""
    return replace(shipped, model=deepcopy(shipped.model).double())


def log_probabilities(translator: Translator, trace: Trace, *neurons: NeuronAt) -> np.ndarray:
    """Of the pieces of a trace, by an experiment that holds the neurons."""
    forced_trace = rescored(translator, trace.sentence, trace, Experiment(neurons=neurons))
    return np.array([step.log_probability for step in forced_trace.steps])


def assert_drops(translator: Translator, exact: Translator, trace: Trace, neurons: list[NeuronAt]) -> None:
    found = HeldRuns(record_pass(translator, trace)).drops(neurons)
    unchanged = log_probabilities(exact, trace)
    expected = np.array([unchanged - log_probabilities(exact, trace, neuron) for neuron in neurons])
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(found.sum(axis=1), expected.sum(axis=1), rtol=0, atol=CLOSE)


def some_of_each_layer(neurons: list[NeuronAt], count: int) -> list[NeuronAt]:
    """The first neurons of each layer, in the order in which they come."""
    by_layer: dict[tuple, list[NeuronAt]] = {}
    for neuron in neurons:
        by_layer.setdefault(neuron[:2], []).append(neuron)
    assert len(by_layer) == 8
    first = {neuron for layer in by_layer.values() for neuron in layer[:count]}
    return [neuron for neuron in neurons if neuron in first]


def test_a_drop_is_that_of_an_experiment_in_64_bits(shipped, exact):
    trace = record(shipped, SENTENCE)
    neurons = some_of_each_layer(firing_neurons(record_pass(shipped, trace)), 2)
    assert_drops(shipped, exact, trace, neurons)


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(20))
def test_so_it_is_for_other_sentences(shipped, exact, number):
    trace = record(shipped, read_list(LISTS[0])[number].text)
    neurons = some_of_each_layer(firing_neurons(record_pass(shipped, trace)), 12)
    assert_drops(shipped, exact, trace, neurons)


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_neurons_are_held_at_any_value_and_at_one_position(tokenizer, monkeypatch, activation):
    tiny = tiny_translator(tokenizer, activation=activation, n_layers=1, n_decoder_layers=2)
    trace = record(tiny, "The cat sleeps.", max_steps=6)
    neurons = [
        NeuronAt("decoder", 1, 3, 2.5),
        NeuronAt("encoder", 0, 7, -1.0, 0),
        NeuronAt("decoder", 0, 3, 0.0),
        NeuronAt("decoder", 0, 5, 4.0, 2),
        NeuronAt("decoder", 0, 5, 4.0, 20),  # beyond the end
        NeuronAt("encoder", 0, 2, 3.0),
    ]
    unchanged = log_probabilities(tiny, trace)
    expected = np.array([unchanged - log_probabilities(tiny, trace, neuron) for neuron in neurons])
    runs = HeldRuns(record_pass(tiny, trace))
    np.testing.assert_allclose(runs.drops(neurons), expected, atol=1e-5)
    assert (np.abs(expected).max(axis=1) > 1e-4).sum() >= 4 and not expected[4].any()
    monkeypatch.setattr(forced, "MAX_BATCH_POSITIONS", 1)  # one by one
    np.testing.assert_allclose(runs.drops(neurons), expected, atol=1e-5)
    assert runs.drops([]).shape == (0, len(trace.steps))


def test_those_that_fire_are_tried_first_those_that_move_the_stream_most(shipped):
    trace = record(shipped, SENTENCE)
    forward_pass = record_pass(shipped, trace)
    neurons = firing_neurons(forward_pass)
    fires = sum(
        forward_pass.tensors[Site(stack, layer, "feed_forward", "hidden")][0].any(axis=0).sum()
        for stack in STACKS
        for layer in range(4)
    )
    assert len(neurons) == len({*neurons}) == fires
    reach = {stack: neuron_reach(forward_pass, stack) for stack in STACKS}
    numbers = [reach[neuron.stack][neuron.layer, neuron.index] for neuron in neurons]
    assert numbers == sorted(numbers, reverse=True)
    runs = HeldRuns(forward_pass)
    for neuron in some_of_each_layer(neurons, 1):  # a first-order number: near the true one
        with shipped.inference():
            (moved,) = runs.streams(neuron.stack, neuron.layer, [neuron]).numpy()
        stream = forward_pass.tensors[Site(neuron.stack, neuron.layer, "feed_forward", "stream")][0]
        true = np.linalg.norm(moved - stream, axis=-1).max()
        assert 0.5 < reach[neuron.stack][neuron.layer, neuron.index] / true < 2


def test_the_ranking_begins_with_the_largest_drop(shipped):
    trace = record(shipped, SENTENCE)
    ranked = rank_neurons(shipped, trace, tried=64)
    drops = [drop for _, drop in ranked]
    assert len(ranked) == 64 and drops == sorted(drops, reverse=True)
    first, drop = ranked[0]
    lost = log_probabilities(shipped, trace) - log_probabilities(shipped, trace, first)
    assert drop == pytest.approx(lost.sum(), abs=CLOSE)
