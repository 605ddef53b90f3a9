"""What an experiment changes, in words."""

from collections.abc import Iterator

from explorer.experiments.experiment import Experiment, HeadAt, Patch
from explorer.handout import words
from explorer.recording.trace import Trace, pieces
from explorer.ui import words as shared_words
from explorer.ui.scripts import isolated
from model.decoding import Translator


def told(experiment: Experiment, changed: Trace, translator: Translator) -> list[str]:
    """A line for each thing that is changed; `changed` is the trace of the experiment."""
    return [line.strip() for line in lines(experiment, changed, translator)]


def lines(experiment: Experiment, changed: Trace, translator: Translator) -> Iterator[str]:
    said = words.EXPERIMENT
    if experiment.source is not None:
        yield said["source"].format(text=isolated(experiment.source))
    if experiment.word_order is not None:
        yield said["word_order"].format(text=isolated(changed.sentence))
    if experiment.hidden:
        yield said["hidden"].format(
            pieces=", ".join(changed.source[place].isolated.text for place in experiment.hidden)
        )
    if experiment.beginning:
        shown = pieces(translator, [*experiment.beginning])
        yield said["beginning"].format(pieces=isolated(" ".join(piece.text for piece in shown)))
    if experiment.off:
        yield said["off"].format(heads=heads(experiment.off), how=said["off_by"][experiment.off_by])
    for stack, how in (("encoder", experiment.encoder_positions), ("decoder", experiment.decoder_positions)):
        if how:
            yield said[stack].format(how=said["positions"][how].format(seed=experiment.seed, shift=experiment.shift))
    if experiment.patch:
        yield patched(experiment.patch)


def heads(found: tuple[HeadAt, ...]) -> str:
    """Counted from one, as on the screen."""
    named = (f"{shared_words.KIND_NAMES[head.kind]} {head.layer + 1}.{head.head + 1}" for head in found)
    return ", ".join(named)


def patched(patch: Patch) -> str:
    said = words.EXPERIMENT
    cells = (
        said["cell"].format(stack=said["stacks"][cell.stack], layer=cell.layer + 1, position=cell.position + 1)
        for cell in patch.cells
    )
    what = ", ".join(part for part in (heads(patch.heads), *cells) if part)
    return said["patch"].format(sentence=isolated(patch.sentence), what=what)
