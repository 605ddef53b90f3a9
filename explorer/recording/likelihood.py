"""How likely a translation is good: a logistic regression over seven numbers of its trace.

`training.json` of a checkpoint holds the fit, under "likelihood"; `python -m tools.likelihood` makes it, and
docs/likelihood.md has its labels, its calibration and its limits. The page says it in words, with a reason, from the
same measures (explorer/derived/likelihood.js).
"""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from explorer.recording.examples import primary_subtag
from explorer.recording.splitting import Word, kept_words, split_words
from explorer.recording.trace import Trace
from explorer.recording.word_lists import ENGLISH_LIGHT_WORDS

UNSURE_PROBABILITY = 0.3  # a step below it counts as unsure
# Each is larger where a translation is worse.
MEASURES = (
    "entropy",  # bits, mean of the steps
    "peak_entropy",  # bits, of the step with the largest
    "unsure_steps",
    "source_pieces",  # log of the pieces of the English word with the most
    "target_pieces",  # the same of the German word
    "unseen",  # 1 - attention to a content word at its best step (last layer, mean of heads): the largest
    "short",  # log of English words per German one, if positive
)


def likelihood(trace: Trace) -> float | None:
    """The probability that a strict reader calls a translation right.

    None without a fit, and for a translation that the model did not choose itself. A text in another language than the
    model reads is not told apart.
    """
    fit = trace.fit
    if fit is None or fit["measures"] != [*MEASURES]:
        return None
    parts = np.array(fit["coefficients"]) * (measure(trace) - fit["means"]) / fit["scales"]
    return 1 / (1 + math.exp(-fit["intercept"] - parts.sum()))


def measure(trace: Trace) -> Float[np.ndarray, "measure"]:
    """The measures in the order of MEASURES; words that stand unchanged in the translation are no fault."""
    source, target = split_words(trace.source), split_words([step.predicted for step in trace.steps])
    kept = kept_words(source, target)
    new_source, new_target = ([word for word in words if word.bare not in kept] for words in (source, target))
    light = ENGLISH_LIGHT_WORDS if primary_subtag(trace.languages.source) == "en" else frozenset()
    content = [word for word in new_source if word.bare not in light]
    rows = trace.cross.weights[-1].mean(axis=0, dtype=np.float64)[:-1]  # the last step only ends the sentence
    seen = [float(rows[:, list(word.pieces)].sum(axis=1).max(initial=0)) for word in content]
    entropies = np.array([step.entropy for step in trace.steps])
    return np.array(
        [
            entropies.mean(),
            entropies.max(),
            sum(step.probability < UNSURE_PROBABILITY for step in trace.steps),
            math.log(max_pieces(new_source)),
            math.log(max_pieces(new_target)),
            1 - min(seen, default=1),
            max(0.0, math.log((len(source) + 1) / (len(target) + 1))),
        ]
    )


def max_pieces(words: Sequence[Word]) -> int:
    return max((len(word.pieces) for word in words), default=1)
