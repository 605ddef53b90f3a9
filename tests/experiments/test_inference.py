"""Everything that runs a model for a visitor or a program runs it without dropout and gradients, in one thread."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import pytest
import torch
from cases import each_case
from tiny_models import tiny_translator

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.interventions import head_means
from explorer.experiments.neuron_ranking import rank_neurons
from explorer.experiments.omission import omission
from explorer.experiments.patching import find_divergence, runs
from explorer.experiments.ranking import all_heads, rank_heads
from explorer.experiments.running import run
from explorer.recording.forward_pass import record_pass
from explorer.recording.lens import project_states
from explorer.recording.trace import Trace, record, record_batch, record_forced
from explorer.recording.vector_lengths import lengths
from model.beam import beam_tree
from model.decoding import Translator
from model.probe import Site
from model.sampling import Sampling, draw
from model.training.data import EncodedPair
from tools.alignment import record_attention

TEXT, OTHER = "The cat sleeps.", "The dog sleeps."


def numbers(trace: Trace) -> list[float]:
    return [*trace.cross.weights.flat, *(step.log_probability for step in trace.steps)]


def ids(translator: Translator) -> list[int]:
    return translator.source_ids(TEXT)


def trace_of(translator: Translator, text: str = TEXT) -> Trace:
    return record(translator, text, max_steps=6)


def patch_every_head(translator: Translator) -> object:
    pair = find_divergence(
        translator, record_forced(translator, TEXT, [5, 6, 3]), record_forced(translator, OTHER, [5, 7, 3])
    )
    return runs(pair).patched(all_heads(translator.model.config))


def read_by_the_lens(translator: Translator) -> object:
    stream = record_pass(translator, trace_of(translator)).tensors[Site("decoder", tensor="stream")]
    return project_states(translator, stream[0])


WORK: dict[str, Callable[[Translator], object]] = {
    "record": lambda translator: numbers(trace_of(translator)),
    "record_batch": lambda translator: [*map(numbers, record_batch(translator, [TEXT, OTHER], [5, 6]))],
    "record_forced": lambda translator: numbers(record_forced(translator, TEXT, [5, 6, 3])),
    "run": lambda translator: numbers(run(translator, TEXT, Experiment(off=(HeadAt("cross", 1, 2),)), max_steps=5)),
    "rank_heads": lambda translator: rank_heads(translator, trace_of(translator)),
    "rank_neurons": lambda translator: rank_neurons(translator, trace_of(translator)),
    "omission": lambda translator: omission(translator, trace_of(translator), [0, 1]),
    "patched": patch_every_head,
    "project_states": read_by_the_lens,
    "lengths": lambda translator: lengths(record_pass(translator, trace_of(translator)), "cross"),
    "head_means": lambda translator: head_means(translator, [(ids(translator), [5, 6])]),
    "record_attention": lambda translator: record_attention(translator, EncodedPair(ids(translator), [5, 6])),
    "beam_tree": lambda translator: beam_tree(translator, ids(translator), 3, max_steps=6),
    "draw": lambda translator: draw(translator, ids(translator), Sampling(), [1, 2], max_steps=6),
    "translate": lambda translator: translator.translate([TEXT, OTHER], beam=2),
}


@pytest.fixture
def two_threads():
    """What a program may have set for work of its own."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


@each_case("name", WORK)
def test_a_model_left_in_training_mode_computes_the_same_in_one_thread(name, tokenizer, two_threads):
    translator, seen = tiny_translator(tokenizer, dropout=0.5), set()
    expected = WORK[name](translator)
    translator.model.train()
    for stack in (translator.model.encoder, translator.model.projection):
        stack.register_forward_pre_hook(lambda *_: seen.add((torch.get_num_threads(), torch.is_grad_enabled())))
    assert repr(WORK[name](translator)) == repr(expected)
    assert seen == {(1, False)}
    assert translator.model.training


def test_more_threads_are_used_where_they_are_asked_for(toy, two_threads):
    translator, seen = replace(toy, model=deepcopy(toy.model), threads=2), set()
    translator.model.encoder.register_forward_pre_hook(lambda *_: seen.add(torch.get_num_threads()))
    trace_of(translator)
    assert seen == {2}
