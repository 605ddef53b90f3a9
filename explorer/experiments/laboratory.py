"""A cache of experiments, shared by all visitors: each result depends on sentence and experiment alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from threading import Condition
from typing import Any

import numpy as np
from cachetools import Cache, LRUCache, cached
from cachetools.keys import hashkey
from jaxtyping import Float

from explorer.experiments import words
from explorer.experiments.experiment import Experiment
from explorer.experiments.omission import omission
from explorer.experiments.running import Prepared, changed_pass, example_means, rescored, run
from explorer.recording import MAX_CHARACTERS, MAX_PIECES
from explorer.recording import words as recording_words
from explorer.recording.app_context import AppContext
from explorer.recording.forward_pass import ForwardPass
from explorer.recording.recordings import Recordings, strip_arguments
from explorer.recording.sentence import check_characters, check_sentence
from explorer.recording.trace import Trace
from model.decoding import Translator
from model.errors import UserError

Prepare = Callable[[str, Experiment], Prepared]


class Laboratory:
    """`trace(sentence, experiment)`, `rescored(sentence, experiment)`, `omitted(sentence, positions)` and `means()`.

    Cached, for one translator. The means are over `sentences`, by default those of `example_means`.
    """

    def __init__(self, recordings: Recordings, sentences: Sequence[str] | None = None):
        self.recordings = recordings
        traces, rescored = (LRUCache(recordings.share(name), Trace.memory) for name in ("changed", "rescored"))
        omitted = LRUCache(recordings.share("omissions"), attrgetter("nbytes"))
        self.traces, self.changed = traces, Condition()
        self.trace = strip_arguments(cached(traces, condition=self.changed)(self.run))
        self.rescored = strip_arguments(cached(rescored, condition=Condition())(self.compute_rescored))
        self.omitted = strip_arguments(cached(omitted, condition=Condition())(self.compute_omission))
        self.means = cached(LRUCache(1), condition=Condition())(lambda: example_means(self.translator, sentences))

    @property
    def translator(self) -> Translator:
        return self.recordings.translator

    def peek(self, sentence: str, experiment: Experiment) -> Trace | None:
        """The cached trace of a stripped sentence, which counts as no use of it: the order of eviction stays."""
        key = hashkey(sentence, experiment)
        with self.changed:
            return Cache.__getitem__(self.traces, key) if key in self.traces else None

    def prepare(self, sentence: str, experiment: Experiment) -> Prepared:
        """Cached inputs of a validated experiment."""
        shuffled, patch = experiment.decoder_positions == "shuffled", experiment.patch
        has_trace = shuffled and experiment.word_order is None  # shuffled words are not worth caching
        return replace(
            self.prepare_means(sentence, experiment),
            unchanged=self.recordings.trace(experiment.source or sentence) if has_trace else None,
            donor=self.recordings.forward_pass(patch.sentence) if patch else None,
        )

    def prepare_means(self, sentence: str, experiment: Experiment) -> Prepared:
        """The means that a validated experiment needs, which are those of every sentence."""
        return Prepared(means=self.means() if experiment.off and experiment.off_by == "mean" else None)

    def run(self, sentence: str, experiment: Experiment) -> Trace:
        """The changed translation. Raises UserError if it is refused."""
        return self.run_prepared(sentence, experiment, self.prepare)

    def run_apart(self, sentence: str, experiment: Experiment) -> Trace:
        """The same, of which nothing is cached but the means, so that nothing is evicted for it."""
        return self.run_prepared(sentence, experiment, self.prepare_means)

    def run_prepared(self, sentence: str, experiment: Experiment, prepare: Prepare) -> Trace:
        experiment = self.validate(experiment)
        text = check_sentence(experiment.source or sentence, self.translator)
        limit = min(self.translator.limit(len(self.translator.source_ids(text))), MAX_PIECES)
        if len(experiment.beginning) > MAX_PIECES:
            raise UserError(words.REFUSALS["long_target"].format(pieces=len(experiment.beginning), limit=MAX_PIECES))
        steps = max(limit, len(experiment.beginning))
        return run(self.translator, sentence, experiment, max_steps=steps, prepared=prepare(sentence, experiment))

    def compute_rescored(self, sentence: str, experiment: Experiment) -> Trace:
        """The unchanged translation, rescored under the experiment."""
        original, experiment = self.recordings.trace(sentence), self.validate(experiment)
        return rescored(self.translator, sentence, original, experiment, self.prepare(sentence, experiment))

    def forward_pass(self, sentence: str, experiment: Experiment) -> ForwardPass:
        """The forward pass over the changed translation, with the experiment's interventions.

        Not cached: it takes a tenth of a second at most, and dozens of times the memory of its trace.
        """
        trace, experiment = self.trace(sentence, experiment), self.validate(experiment)
        return changed_pass(self.translator, trace, experiment, self.prepare(sentence, experiment))

    def compute_omission(self, sentence: str, positions: Sequence[int]) -> Float[np.ndarray, "step position"]:
        """The effect of hiding each of some source pieces on the unchanged translation."""
        return omission(self.translator, self.recordings.trace(sentence), positions)

    def validate(self, experiment: Experiment) -> Experiment:
        """The experiment with stripped texts. Raises UserError if one of its texts is refused."""
        if experiment.source is not None:
            experiment = replace(experiment, source=check_sentence(experiment.source, self.translator))
        if experiment.patch:
            sentence = check_sentence(experiment.patch.sentence, self.translator)
            experiment = replace(experiment, patch=replace(experiment.patch, sentence=sentence))
        return experiment

    def target_ids(self, text: Any) -> tuple[int, ...]:
        """The ids of a translation, without EOS. Raises UserError if the vocabulary lacks some of it."""
        if not isinstance(text, str):
            raise UserError(words.REFUSALS["no_text"])
        if len(text) > MAX_CHARACTERS:
            raise UserError(recording_words.REFUSALS["long"].format(length=len(text), limit=MAX_CHARACTERS))
        check_characters(text)
        tokenizer = self.translator.tokenizer
        ids, surfaces = tokenizer.encode(text.strip(), "target"), tokenizer.surfaces(text.strip(), "target")
        unknown = [
            surface.lstrip("\u2581") for piece, surface in zip(ids, surfaces, strict=True) if piece == tokenizer.unk_id
        ]
        if unknown:
            raise UserError(words.REFUSALS["unknown_target"].format(characters=" ".join(unknown)))
        if not ids:
            raise UserError(words.REFUSALS["empty_target"])
        if len(ids) >= MAX_PIECES:
            raise UserError(words.REFUSALS["long_target"].format(pieces=len(ids), limit=MAX_PIECES - 1))
        return tuple(ids)


def shared_laboratory(app: AppContext) -> Laboratory:
    """The laboratory of a page, which all its visitors share."""
    return app.get_shared(make_laboratory)


def make_laboratory(app: AppContext) -> Laboratory:
    """A laboratory whose means are over the page's clickable sentences."""
    return Laboratory(app.recordings, [example["sentence"] for example in app.sentences])
