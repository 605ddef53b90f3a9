"""Runs an experiment: a pure function of translator, sentence and experiment that returns a trace."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.experiments import words
from explorer.experiments.experiment import CellAt, Experiment, HeadAt, NeuronAt
from explorer.experiments.interventions import Intervention, Means, experiment_changes, head_means
from explorer.recording.examples import checkpoint_examples, examples
from explorer.recording.forward_pass import ForwardPass, record_pass
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import Trace, build_trace, record
from model.decoding import Translator
from model.errors import UserError
from model.probe import Probe, Stack

MAX_NEURONS = 64  # held at once
MAX_NEURON_VALUE = 1000  # of either sign; the shipped model's own values reach about 40
MAX_EXAMPLES = 32  # for the heads' means; hundreds would make all visitors wait


@dataclass(frozen=True, eq=False)
class Prepared:
    """Inputs of an experiment that were computed before."""

    means: Means | None = None  # of `example_means`, for heads that are off by their mean
    unchanged: Trace | None = None  # of the text that is read, for shuffled positions of the decoder
    donor: ForwardPass | None = None  # of the sentence that a patch is taken from, alone


def run(
    translator: Translator,
    sentence: str,
    experiment: Experiment | None = None,
    *,
    max_steps: int | None = None,
    prepared: Prepared | None = None,
) -> Trace:
    """The trace of a sentence under an experiment; the default experiment gives that of `record`.

    Inputs that `prepared` lacks are computed. Raises UserError if the text is
    empty or too long, or if the model or the sentence lacks a head or piece that the experiment names.
    """
    experiment = experiment or Experiment()
    text = source_text(sentence, experiment)
    src = translator.source_ids(text)
    validate_experiment(experiment, translator, len(src))
    probe = Probe()
    if experiment.touches:
        probe = Probe(build_intervention(translator, text, experiment, len(src), prepared or Prepared()))
    encoded = translator.encode(src, probe)
    beginning = experiment.beginning[:max_steps]
    if beginning and (beginning[-1] == translator.tokenizer.eos_id or len(beginning) == max_steps):
        steps = translator.forced_steps(encoded, beginning, probe)
    else:
        steps = list(translator.steps(encoded, beginning=beginning, max_steps=max_steps, probe=probe))
    return build_trace(translator, text, src, encoded, steps)


def rescored(
    translator: Translator, sentence: str, original: Trace, experiment: Experiment, prepared: Prepared | None = None
) -> Trace:
    """The trace of an experiment in which the translation of another trace is forced."""
    ids = tuple(step.predicted.id for step in original.steps)
    forced = Experiment(**{**vars(experiment), "beginning": ids})
    return run(translator, sentence, forced, max_steps=len(ids), prepared=prepared)


def changed_pass(
    translator: Translator, trace: Trace, experiment: Experiment, prepared: Prepared | None = None
) -> ForwardPass:
    """The forward pass over an experiment's `trace`, whose tensors the experiment replaces as it did in the steps."""
    if not experiment.touches:
        return record_pass(translator, trace)
    inputs = (trace.sentence, experiment, len(trace.source), prepared or Prepared())
    return record_pass(translator, trace, intervention=build_intervention(translator, *inputs))


def source_text(sentence: str, experiment: Experiment) -> str:
    """The text that the model reads: the sentence or its replacement, with shuffled words if the experiment says so."""
    text = sentence if experiment.source is None else experiment.source
    return text if experiment.word_order is None else shuffle_words(text, experiment.word_order)


def shuffle_words(text: str, seed: int) -> str:
    """Shuffles the words of a text with a seed; the punctuation at its end stays there."""
    body = text.rstrip(" .!?…")
    words, punctuation = body.split(), text[len(body) :]
    random.Random(seed).shuffle(words)
    return " ".join(words) + punctuation


def example_means(translator: Translator, sentences: Sequence[str] | None = None) -> Means:
    """The mean output of every head over some sentences, at most MAX_EXAMPLES, and their greedy translations.

    The default sentences are the checkpoint's own examples, or ours.
    Raises UserError if there are none in the language that the model reads.
    """
    if sentences is None:
        defaults = checkpoint_examples(translator.record) or examples(source=translator.languages.source)
        sentences = [example["sentence"] for example in defaults]
    if not sentences:
        raise UserError(words.REFUSALS["no_examples"])
    traces = [record(translator, sentence) for sentence in sentences[:MAX_EXAMPLES]]
    ids = [([piece.id for piece in trace.source], [piece.id for piece in trace.target]) for trace in traces]
    return head_means(translator, ids)


def build_intervention(
    translator: Translator, text: str, experiment: Experiment, n_src: int, prepared: Prepared
) -> Intervention:
    """The intervention of an experiment in the run that reads a text."""
    lengths: dict[Stack, int] = {"encoder": n_src, "decoder": 0}
    if experiment.decoder_positions == "shuffled":
        lengths["decoder"] = len((prepared.unchanged or record(translator, text)).target)
    means, donor = prepared.means, prepared.donor
    if experiment.patch and donor is None:
        donor = record_pass(translator, record(translator, experiment.patch.sentence))
    if experiment.off and experiment.off_by == "mean" and means is None:
        means = example_means(translator)
    return Intervention(experiment_changes(experiment, translator, lengths=lengths, means=means, donor=donor))


def validate_experiment(experiment: Experiment, translator: Translator, n_src: int) -> None:
    """Raises UserError if the model or the sentence lacks a head, neuron, layer or piece that the experiment names."""
    heads = (*experiment.off, *(experiment.patch.heads if experiment.patch else ()))
    for head in heads:
        validate_head(head, translator)
    for cell in experiment.patch.cells if experiment.patch else ():
        validate_cell(cell, translator)
    validate_neurons(experiment.neurons, translator, n_src)
    if any(piece >= n_src for piece in experiment.hidden):
        raise UserError(words.REFUSALS["no_piece"].format(piece=max(experiment.hidden) + 1, pieces=n_src))
    if len({*experiment.hidden}) == n_src:
        raise UserError(words.REFUSALS["all_hidden"])
    source_heads = any(head.kind != "decoder" for head in experiment.off)
    if n_src - 1 in experiment.hidden and experiment.off_by == "special" and source_heads:
        raise UserError(words.REFUSALS["end_hidden"])
    vocabulary, config = translator.tokenizer.vocab_size, translator.model.config
    if any(piece >= vocabulary or piece in translator.excluded_ids for piece in experiment.beginning):
        raise UserError(words.REFUSALS["no_target_piece"])
    if translator.tokenizer.eos_id in experiment.beginning[:-1]:
        raise UserError(words.REFUSALS["end_inside"])
    if len(experiment.beginning) >= config.max_len:
        raise UserError(
            words.REFUSALS["long_target"].format(pieces=len(experiment.beginning), limit=config.max_len - 1)
        )
    written = max(translator.limit(n_src), len(experiment.beginning))  # the decoder reads as many positions
    shifted = ((experiment.encoder_positions, n_src), (experiment.decoder_positions, written))
    lengths = [length for how, length in shifted if how == "shifted"]
    if lengths and experiment.shift > (room := config.max_len - max(lengths)):
        raise UserError(words.REFUSALS["shift"].format(shift=experiment.shift, limit=room))


def validate_head(head: HeadAt, translator: Translator) -> None:
    config = translator.model.config
    layers = layers_by_kind(config).get(head.kind, 0)
    if not (0 <= head.layer < layers and 0 <= head.head < config.n_heads):
        sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
        raise UserError(words.REFUSALS["no_head"].format(head=head, **sizes))


def validate_neurons(neurons: Sequence[NeuronAt], translator: Translator, n_src: int) -> None:
    if len(neurons) > MAX_NEURONS:
        raise UserError(words.REFUSALS["many_neurons"].format(limit=MAX_NEURONS, count=len(neurons)))
    config, known = translator.model.config, set()
    for neuron in neurons:
        stack, layer, index, value, position = neuron
        counted = {"neuron": index + 1, "layer": layer + 1}
        if layer >= config.layers(stack) or index >= config.d_ff:
            sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "neurons": config.d_ff}
            raise UserError(words.REFUSALS["no_neuron"].format(**counted, **sizes))
        if not abs(value) <= MAX_NEURON_VALUE:
            raise UserError(words.REFUSALS["neuron_value"].format(limit=MAX_NEURON_VALUE))
        if stack == "encoder" and position is not None and position >= n_src:
            raise UserError(words.REFUSALS["no_piece"].format(piece=position + 1, pieces=n_src))
        if stack == "decoder" and position is not None and position >= config.max_len:
            raise UserError(words.REFUSALS["no_position"].format(position=position + 1, limit=config.max_len))
        if (place := (stack, layer, index, position)) in known:
            raise UserError(words.REFUSALS["neuron_twice"].format(**counted))
        known.add(place)


def validate_cell(cell: CellAt, translator: Translator) -> None:
    layers = translator.model.config.layers(cell.stack)
    if not -1 <= cell.layer < layers:
        raise UserError(words.REFUSALS["no_layer"].format(layer=cell.layer, last=layers - 1))
