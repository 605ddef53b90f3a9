"""Describes an experiment in words."""

from collections.abc import Iterator

from explorer.experiments.experiment import Experiment, HeadAt, Patch
from explorer.handout import words
from explorer.recording.trace import Trace, pieces
from explorer.ui import words as shared_words
from explorer.ui.language import join_list
from explorer.ui.scripts import isolate
from model.decoding import Translator


def describe_experiment(experiment: Experiment, changed: Trace, translator: Translator) -> list[str]:
    """One sentence for each change; `changed` is the trace of the experiment."""
    return [line.strip() for line in describe_changes(experiment, changed, translator)]


def describe_changes(experiment: Experiment, changed: Trace, translator: Translator) -> Iterator[str]:
    templates = words.EXPERIMENT
    if experiment.source is not None:
        yield templates["source"].format(text=isolate(experiment.source))
    if experiment.word_order is not None:
        yield templates["word_order"].format(text=isolate(changed.sentence))
    if experiment.hidden:
        yield templates["hidden"].format(
            pieces=join_list(changed.source[place].isolated.text for place in experiment.hidden)
        )
    if experiment.beginning:
        beginning = pieces(translator, [*experiment.beginning])
        yield templates["beginning"].format(pieces=isolate(" ".join(piece.text for piece in beginning)))
    if experiment.off:
        yield templates["off"].format(heads=list_heads(experiment.off), how=templates["off_by"][experiment.off_by])
    for stack, how in (("encoder", experiment.encoder_positions), ("decoder", experiment.decoder_positions)):
        if how:
            yield templates[stack].format(
                how=templates["positions"][how].format(seed=experiment.seed, shift=experiment.shift)
            )
    if experiment.patch:
        yield describe_patch(experiment.patch)


def list_heads(heads: tuple[HeadAt, ...]) -> str:
    """The names of heads, with one-based numbers."""
    names = (f"{shared_words.KIND_NAMES[head.kind]} {head.layer + 1}.{head.head + 1}" for head in heads)
    return join_list(names)


def describe_patch(patch: Patch) -> str:
    templates = words.EXPERIMENT
    cells = (
        templates["cell"].format(
            stack=templates["stacks"][cell.stack], layer=cell.layer + 1, position=cell.position + 1
        )
        for cell in patch.cells
    )
    what = join_list(part for part in (list_heads(patch.heads), *cells) if part)
    return templates["patch"].format(sentence=isolate(patch.sentence), what=what)
