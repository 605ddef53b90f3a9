"""How likely a translation is good: a logistic regression over seven numbers of its trace.

`training.json` of a checkpoint holds the fit, under "likelihood"; `python -m explorer.remake.likelihood` makes it, and
docs/likelihood.md has its labels, its calibration and its limits. A summary replaces no check that it does not see:
beside a warning, no translation is "likely right". A model without a fit has no likelihood, and all warnings. So have
runs of experiments and translations that the model did not choose itself.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from explorer.recording.examples import primary_subtag
from explorer.recording.splitting import Word, kept_words, split_words
from explorer.recording.trace import Trace
from explorer.recording.warnings import TranslationWarning, is_foreign, make_target_warning, make_warning, warnings
from explorer.recording.word_lists import ENGLISH_LIGHT_WORDS

UNSURE_PROBABILITY = 0.3  # a step below it counts as unsure
MIN_REASON = 0.25  # log-odds by which a reason lowers the likelihood at least
# The measures, each larger where a translation is worse, and the reason that each belongs to.
MEASURES = {
    "entropy": "unsure",  # bits, mean of the steps
    "peak_entropy": "unsure",  # bits, of the step with the largest
    "unsure_steps": "unsure",
    "source_pieces": "rare",  # log of the pieces of the English word with the most
    "target_pieces": "pieced",  # the same of the German word
    "unseen": "missing",  # 1 - attention to a content word at its best step (last layer, mean of heads): the largest
    "short": "short",  # log of English words per German one, if positive
}


class Likelihood(NamedTuple):
    """The probability that a strict reader calls a translation right, and what lowers it most if that stands out."""

    probability: float
    word: str  # "right", "doubtful" or "wrong"
    reason: TranslationWarning | None = None

    def json(self) -> dict[str, Any]:
        return {**self._asdict(), "reason": self.reason and self.reason.json()}


class Measured(NamedTuple):
    """The measures of a trace, and what each reason would name."""

    values: Float[np.ndarray, "measure"]
    rare: list[Word]
    pieced: list[Word]
    missing: list[Word]
    unsure: list[Word]


def likelihood(trace: Trace) -> Likelihood | None:
    """The likelihood that a translation is good; None without a fit, and for a text in another language."""
    fit, source = trace.fit, split_words(trace.source)
    if fit is None or fit["measures"] != [*MEASURES] or is_foreign(source):
        return None
    measured = measure(trace)
    parts = np.array(fit["coefficients"]) * (measured.values - fit["means"]) / fit["scales"]
    probability = 1 / (1 + math.exp(-fit["intercept"] - parts.sum()))
    if probability >= fit["right"]:  # a warning says what the measures do not see, and stands beside it
        return Likelihood(probability, "doubtful" if warnings(trace) else "right")
    word = "wrong" if probability < fit["wrong"] else "doubtful"
    return Likelihood(probability, word, find_reason(measured, parts))


def find_reason(measured: Measured, parts: Float[np.ndarray, "measure"]) -> TranslationWarning | None:
    """The reason with the largest share in lowering the likelihood, as a sentence; None if none is large."""
    totals = dict.fromkeys(MEASURES.values(), 0.0)
    for reason, part in zip(MEASURES.values(), parts, strict=True):
        totals[reason] -= float(part)
    reason = max(totals, key=lambda name: totals[name])
    if totals[reason] < MIN_REASON:
        return None
    if reason == "short":
        return make_warning("missing.short")
    words = getattr(measured, reason)
    if not words:  # unsure, but of punctuation only
        return None
    if reason in ("unsure", "pieced"):  # their words are German
        return make_target_warning(reason, words)
    return make_warning({"missing": "missing.words"}.get(reason, reason), words)


def measure(trace: Trace) -> Measured:
    """The measures in the order of MEASURES; words that stand unchanged in the translation are no fault."""
    predicted = [step.predicted for step in trace.steps]
    source, target = split_words(trace.source), split_words(predicted)
    kept = kept_words(source, target)
    new_source, new_target = ([word for word in words if word.bare not in kept] for words in (source, target))
    light = ENGLISH_LIGHT_WORDS if primary_subtag(trace.languages.source) == "en" else frozenset()
    content = [word for word in new_source if word.bare not in light]
    rows = trace.cross.weights[-1].mean(axis=0, dtype=np.float64)[:-1]  # the last step only ends the sentence
    seen = [float(rows[:, list(word.pieces)].sum(axis=1).max(initial=0)) for word in content]
    entropies = np.array([step.entropy for step in trace.steps])
    values = [
        entropies.mean(),
        entropies.max(),
        sum(step.probability < UNSURE_PROBABILITY for step in trace.steps),
        math.log(max_pieces(new_source)),
        math.log(max_pieces(new_target)),
        1 - min(seen, default=1),
        max(0.0, math.log((len(source) + 1) / (len(target) + 1))),
    ]
    return Measured(
        np.array(values),
        rare=[word for word in new_source if len(word.pieces) == max_pieces(new_source)],
        pieced=[word for word in new_target if len(word.pieces) == max_pieces(new_target)],
        missing=[word for word, weight in zip(content, seen, strict=True) if weight == min(seen)],
        unsure=sorted(target, key=lambda word: -entropies[list(word.pieces)].max())[:1],
    )


def max_pieces(words: Sequence[Word]) -> int:
    return max((len(word.pieces) for word in words), default=1)
