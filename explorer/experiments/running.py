"""Running an experiment: a pure function of translator, sentence and experiment that gives another trace."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.experiments import words
from explorer.experiments.experiment import CellAt, Experiment, HeadAt
from explorer.experiments.interventions import Intervention, Means, changes_of, head_means
from explorer.recording.examples import checkpoint_examples, examples
from explorer.recording.forward_pass import Pass, record_pass
from explorer.recording.head import layers_by_kind
from explorer.recording.trace import Trace, build_trace, record
from model.decoding import Translator
from model.probe import Probe, Stack

MOST_EXAMPLES = 32  # that a mean is taken over: a file of many hundreds would have everybody wait


@dataclass(frozen=True, eq=False)
class Prepared:
    """What an experiment may need that was worked out before, so that it is not worked out again."""

    means: Means | None = None  # of `example_means`, for heads that are off by their mean
    unchanged: Trace | None = None  # of the text that is read, for shuffled positions of the decoder
    donor: Pass | None = None  # of the sentence that a patch is taken from, alone


def run(
    translator: Translator,
    sentence: str,
    experiment: Experiment | None = None,
    *,
    max_steps: int | None = None,
    prepared: Prepared | None = None,
) -> Trace:
    """The trace of a sentence under an experiment; the default experiment gives that of `record`.

    What it needs and `prepared` has not is worked out here.
    Raises ValueError, with a sentence that can be shown, where the text is empty or too long, or where the model or
    the sentence has not what the experiment names.
    """
    experiment = experiment or Experiment()
    text = text_of(sentence, experiment)
    src = translator.source_ids(text)
    check(experiment, translator, len(src))
    probe = Probe()
    if experiment.touches:
        probe = Probe(intervention(translator, text, experiment, len(src), prepared or Prepared()))
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
    """The trace in which the translation of another one is forced, its length too, under an experiment."""
    ids = tuple(step.predicted.id for step in original.steps)
    forced = Experiment(**{**vars(experiment), "beginning": ids})
    return run(translator, sentence, forced, max_steps=len(ids), prepared=prepared)


def text_of(sentence: str, experiment: Experiment) -> str:
    """What the model reads: the sentence or another one, its words shuffled where the experiment asks for it."""
    text = sentence if experiment.source is None else experiment.source
    return text if experiment.word_order is None else shuffled_words(text, experiment.word_order)


def shuffled_words(text: str, seed: int) -> str:
    """The words of a text in the random order of a seed; the marks at its end stay there."""
    body = text.rstrip(" .!?…")
    words, marks = body.split(), text[len(body) :]
    random.Random(seed).shuffle(words)
    return " ".join(words) + marks


def example_means(translator: Translator, sentences: Sequence[str] | None = None) -> Means:
    """The mean output of every head over some sentences, at most MOST_EXAMPLES, and their greedy translations.

    Where none are given, they are the checkpoint's own examples, or ours.
    Raises ValueError, with a sentence for the visitor, where there are none in the language that the model reads.
    """
    if sentences is None:
        found = checkpoint_examples(translator.record) or examples(source=translator.languages.source)
        sentences = [example["sentence"] for example in found]
    if not sentences:
        raise ValueError(words.REFUSALS["no_examples"])
    traces = [record(translator, sentence) for sentence in sentences[:MOST_EXAMPLES]]
    ids = [([piece.id for piece in trace.source], [piece.id for piece in trace.target]) for trace in traces]
    return head_means(translator, ids)


def intervention(
    translator: Translator, text: str, experiment: Experiment, n_src: int, prepared: Prepared
) -> Intervention:
    """What the experiment does to the tensors of the run that reads a text."""
    lengths: dict[Stack, int] = {"encoder": n_src, "decoder": 0}
    if experiment.decoder_positions == "shuffled":
        lengths["decoder"] = len((prepared.unchanged or record(translator, text)).target)
    means, donor = prepared.means, prepared.donor
    if experiment.patch and donor is None:
        donor = record_pass(translator, record(translator, experiment.patch.sentence))
    if experiment.off and experiment.off_by == "mean" and means is None:
        means = example_means(translator)
    return Intervention(changes_of(experiment, translator, lengths=lengths, means=means, donor=donor))


def check(experiment: Experiment, translator: Translator, n_src: int) -> None:
    """Raises ValueError where the model or the sentence has not what the experiment names."""
    heads = (*experiment.off, *(experiment.patch.heads if experiment.patch else ()))
    for head in heads:
        check_head(head, translator)
    for cell in experiment.patch.cells if experiment.patch else ():
        check_cell(cell, translator)
    if any(piece >= n_src for piece in experiment.hidden):
        raise ValueError(words.REFUSALS["no_piece"].format(piece=max(experiment.hidden) + 1, pieces=n_src))
    if len({*experiment.hidden}) == n_src:
        raise ValueError(words.REFUSALS["all_hidden"])
    source_heads = any(head.kind != "decoder" for head in experiment.off)
    if n_src - 1 in experiment.hidden and experiment.off_by == "special" and source_heads:
        raise ValueError(words.REFUSALS["end_hidden"])
    vocabulary, config = translator.tokenizer.vocab_size, translator.model.config
    if any(piece >= vocabulary or piece in translator.excluded_ids for piece in experiment.beginning):
        raise ValueError(words.REFUSALS["no_target_piece"])
    if translator.tokenizer.eos_id in experiment.beginning[:-1]:
        raise ValueError(words.REFUSALS["end_inside"])
    if len(experiment.beginning) >= config.max_len:
        raise ValueError(
            words.REFUSALS["long_target"].format(pieces=len(experiment.beginning), limit=config.max_len - 1)
        )
    written = max(translator.limit(n_src), len(experiment.beginning))  # the decoder reads as many positions
    shifted = ((experiment.encoder_positions, n_src), (experiment.decoder_positions, written))
    lengths = [length for how, length in shifted if how == "shifted"]
    if lengths and experiment.shift > (room := config.max_len - max(lengths)):
        raise ValueError(words.REFUSALS["shift"].format(shift=experiment.shift, limit=room))


def check_head(head: HeadAt, translator: Translator) -> None:
    config = translator.model.config
    layers = layers_by_kind(config).get(head.kind, 0)
    if not (0 <= head.layer < layers and 0 <= head.head < config.n_heads):
        sizes = {"encoder": config.layers("encoder"), "decoder": config.layers("decoder"), "heads": config.n_heads}
        raise ValueError(words.REFUSALS["no_head"].format(head=head, **sizes))


def check_cell(cell: CellAt, translator: Translator) -> None:
    layers = translator.model.config.layers(cell.stack)
    if not -1 <= cell.layer < layers:
        raise ValueError(words.REFUSALS["no_layer"].format(layer=cell.layer, last=layers - 1))
