"""What the panel asks of the server: a part of the ranking of all heads, so that its progress is true."""

import json

from explorer.experiments.experiment import Off
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.ranking import all_heads, drops
from explorer.tabs.what_if.heads import words

MOST = 24  # heads of a part; the page asks for fewer at a time where the sentence is long (choice.js)


def ranking_answer(laboratory: Laboratory, sentence: str, by: Off, start: int, stop: int) -> str:
    """The drops, in nats, of heads `start` to `stop` of `all_heads`, each alone off, for the sentence's own German.

    Raises ValueError where there is no such part, or where it is too large.
    """
    translator = laboratory.translator
    heads = all_heads(translator.model.config)
    if not 0 <= start < stop <= min(len(heads), start + MOST):
        raise ValueError(words.NO_PART)
    trace = laboratory.recordings.trace(sentence)
    ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    means = laboratory.means() if by == "mean" else None
    found = drops(translator, *ids, slice(start, stop), by=by, means=means).sum(axis=1)
    return json.dumps({"heads": heads[start:stop], "drops": found.tolist()})
