"""Experiments of visitors, remembered; each is a function of sentence and experiment, so that no two meet."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from threading import Condition
from typing import Any

import numpy as np
from cachetools import LRUCache, cached
from jaxtyping import Float

from explorer.experiments import words
from explorer.experiments.experiment import Experiment
from explorer.experiments.interventions import Means
from explorer.experiments.omission import omission
from explorer.experiments.running import Prepared, example_means, rescored, run
from explorer.recording import words as recording_words
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import check_characters, check_sentence
from explorer.recording.trace import Trace
from explorer.recording.trace_cache import strip_arguments
from explorer.ui.limits import MAX_CHARACTERS, MAX_PIECES
from model.decoding import Translator

MAX_TRACE_BYTES = 20_000_000  # of changed and of rescored traces each: in the shipped model the longest take 7 MB
MAX_OMITTED_BYTES = 2_000_000  # a part of a sentence takes some kB


class Laboratory:
    """`trace(sentence, experiment)`, `rescored(sentence, experiment)`, `omitted(sentence, places)` and `means()`.

    Of one translator, and remembered. The means are over `sentences`, or those of `example_means` where none are given.
    """

    def __init__(self, recordings: Recordings, sentences: Sequence[str] | None = None):
        self.recordings, self.sentences = recordings, sentences
        traces, rescored = (LRUCache(MAX_TRACE_BYTES, Trace.memory) for _ in range(2))
        omitted = LRUCache(MAX_OMITTED_BYTES, attrgetter("nbytes"))
        self.trace = strip_arguments(cached(traces, condition=Condition())(self.run))
        self.rescored = strip_arguments(cached(rescored, condition=Condition())(self.scored))
        self.omitted = strip_arguments(cached(omitted, condition=Condition())(self.omission))
        self.means = cached(LRUCache(1), condition=Condition())(self.measured)

    @property
    def translator(self) -> Translator:
        return self.recordings.translator

    def measured(self) -> Means:
        return example_means(self.translator, self.sentences)

    def needed(self, sentence: str, experiment: Experiment) -> Prepared:
        """What is remembered of what a checked experiment needs."""
        shuffled, patch = experiment.decoder_positions == "shuffled", experiment.patch
        kept = shuffled and experiment.word_order is None  # a text of shuffled words is nobody's sentence
        return Prepared(
            means=self.means() if experiment.off and experiment.off_by == "mean" else None,
            unchanged=self.recordings.trace(experiment.source or sentence) if kept else None,
            donor=self.recordings.forward_pass(patch.sentence) if patch else None,
        )

    def run(self, sentence: str, experiment: Experiment) -> Trace:
        """The changed translation. Raises ValueError, with a sentence for the visitor, where it is refused."""
        experiment = self.checked(experiment)
        text = check_sentence(experiment.source or sentence, self.translator)
        limit = min(self.translator.limit(len(self.translator.source_ids(text))), MAX_PIECES)
        if len(experiment.beginning) > MAX_PIECES:
            raise ValueError(words.REFUSALS["long_target"].format(pieces=len(experiment.beginning), limit=MAX_PIECES))
        steps = max(limit, len(experiment.beginning))
        return run(self.translator, sentence, experiment, max_steps=steps, prepared=self.needed(sentence, experiment))

    def scored(self, sentence: str, experiment: Experiment) -> Trace:
        """The unchanged translation, forced under the experiment."""
        original, experiment = self.recordings.trace(sentence), self.checked(experiment)
        return rescored(self.translator, sentence, original, experiment, self.needed(sentence, experiment))

    def omission(self, sentence: str, places: range) -> Float[np.ndarray, "step place"]:
        """What hiding each of some source pieces does to the unchanged translation."""
        return omission(self.translator, self.recordings.trace(sentence), places)

    def checked(self, experiment: Experiment) -> Experiment:
        """The experiment with its texts tidied. Raises ValueError where a text of it is refused."""
        if experiment.source is not None:
            experiment = replace(experiment, source=check_sentence(experiment.source, self.translator))
        if experiment.patch:
            sentence = check_sentence(experiment.patch.sentence, self.translator)
            experiment = replace(experiment, patch=replace(experiment.patch, sentence=sentence))
        return experiment

    def target_ids(self, text: Any) -> tuple[int, ...]:
        """The ids of a translation, without an end. Raises ValueError where the vocabulary lacks some of it."""
        if not isinstance(text, str):
            raise ValueError(words.REFUSALS["no_text"])
        if len(text) > MAX_CHARACTERS:
            raise ValueError(recording_words.REFUSALS["long"].format(length=len(text), limit=MAX_CHARACTERS))
        check_characters(text)
        tokenizer = self.translator.tokenizer
        ids, surfaces = tokenizer.encode(text.strip(), "target"), tokenizer.surfaces(text.strip(), "target")
        unknown = [
            surface.lstrip("\u2581") for piece, surface in zip(ids, surfaces, strict=True) if piece == tokenizer.unk_id
        ]
        if unknown:
            raise ValueError(words.REFUSALS["unknown_target"].format(characters=" ".join(unknown)))
        if not ids:
            raise ValueError(words.REFUSALS["empty_target"])
        if len(ids) >= MAX_PIECES:
            raise ValueError(words.REFUSALS["long_target"].format(pieces=len(ids), limit=MAX_PIECES - 1))
        return tuple(ids)


def laboratory_of(app: AppContext) -> Laboratory:
    """The one of a page, whose means are over the sentences that can be clicked there."""
    if Laboratory not in app.shared_values:
        sentences = [example["sentence"] for example in app.sentences]
        app.shared_values[Laboratory] = Laboratory(app.recordings, sentences)
    return app.shared_values[Laboratory]
