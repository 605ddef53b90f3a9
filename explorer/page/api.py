"""The endpoints for programs: translations, files, experiments and measurements of heads, as plain JSON in and out.

All indices are zero-based. Errors are sentences.
"""

import base64
import os
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast, get_args

from explorer.experiments.experiment import Off, experiment_of
from explorer.experiments.head_measurements import measured_heads
from explorer.experiments.laboratory import shared_laboratory
from explorer.experiments.omission import omission
from explorer.experiments.patching import GRIDS, find_divergence, grid_targets, runs
from explorer.experiments.ranking import rank_heads
from explorer.experiments.searching import beam_json, samples_json
from explorer.files.export_trace import describe_model, json_of, npz_of
from explorer.files.matrix import ROLLOUT, Matrix, csv_text, matrix_of
from explorer.page import words
from explorer.recording.app_context import AppContext
from explorer.recording.payload import piece_json, step_json
from explorer.recording.rollout import rollout
from explorer.recording.trace import Trace, parse_kind
from explorer.recording.vector_lengths import lengths
from explorer.ui import words as shared_words
from explorer.ui.fair_queue import Unavailable
from explorer.ui.language import LANGUAGE_CONTEXT, use_language
from explorer.ui.proxies import without_proxies
from explorer.ui.questions import require_index, shorten
from explorer.ui.scheduler import Scheduler
from model.errors import UserError
from model.probe import Kind
from model.sampling import Sampling

with without_proxies(os.environ):
    import gradio as gr
    from gradio.block_function import BlockFunction

P = ParamSpec("P")
T = TypeVar("T")
PROGRAMS_VISITOR = "programs"  # all programs are one visitor: their calls have no session to tell them apart by


class Api:
    """The functions behind the HTTP endpoints; arguments and results are plain JSON."""

    def __init__(self, app: AppContext):
        self.app, self.recordings, self.laboratory = app, app.recordings, shared_laboratory(app)

    def endpoints(self) -> list[Callable[..., Any]]:
        return [self.translate, self.attention, self.matrix_csv, self.trace_json, self.trace_npz]

    def translate(self, sentence: str) -> dict[str, Any]:
        """Translates a sentence greedily: the text, the tokens of both sides, every decoding step."""
        trace = self.recordings.trace(sentence)
        return {
            "sentence": trace.sentence,
            "translation": trace.translation,
            "source": [piece_json(piece) for piece in trace.source],
            "target": [piece_json(piece) for piece in trace.target],
            "steps": [step_json(step) for step in trace.steps],
            "stopped_at_limit": trace.stopped_at_limit,
        }

    def attention(self, sentence: str, kind: Kind = "cross", layer: int = 0, head: int = 0) -> dict[str, Any]:
        """The attention weights of one zero-based layer and head: rows are queries, columns are keys."""
        attention = self.recordings.trace(sentence).map(kind)
        require_index("layer", layer, attention.weights.shape[0])
        require_index("head", head, attention.weights.shape[1])
        return {
            "kind": kind,
            "layer": layer,
            "head": head,
            "queries": [query.label for query in attention.queries],
            "keys": [piece.text for piece in attention.keys],
            "weights": attention.matrix(layer, head).tolist(),
        }

    def matrix_csv(
        self,
        sentence: str,
        kind: str = "cross",
        layer: int | str = 0,
        head: int | str = 0,
        measure: str = "weight",
        changes: dict[str, Any] | None = None,
    ) -> str:
        """One matrix as CSV with the labels of rows and columns: zero-based layer and head, or "mean" or "max".

        The layer may be "rollout", the measure "length". `changes` are fields of explorer's Experiment.
        """
        require_choice("measure", measure, ("weight", "length"))
        for name, choice, others in (("layer", layer, ("mean", "max", "rollout")), ("head", head, ("mean", "max"))):
            if type(choice) is not int:
                require_choice(name, choice, others)
        return csv_text(self.matrix(sentence, parse_kind(kind), layer, head, measure, changes))

    def matrix(
        self, sentence: str, kind: Kind, layer: int | str, head: int | str, measure: str, changes: dict[str, Any] | None
    ) -> Matrix:
        """One matrix. Raises UserError if the model or the sentence has no such matrix."""
        trace = self.trace(sentence, changes)
        sizes = trace.map(kind).weights.shape
        for name, choice, count in (("layer", layer, sizes[0]), ("head", head, sizes[1])):
            if isinstance(choice, int):
                require_index(name, choice, count)
        found = None
        if measure == "length":
            if changes or layer == ROLLOUT:
                raise UserError(words.API_REFUSALS["lengths"])
            found = lengths(self.recordings.forward_pass(sentence), kind)
        return matrix_of(trace, kind, cast(Any, layer), cast(Any, head), lengths=found)

    def trace(self, sentence: str, changes: dict[str, Any] | None) -> Trace:
        """The trace of a sentence, or that of an experiment on it."""
        return self.laboratory.trace(sentence, experiment_of(changes)) if changes else self.recordings.trace(sentence)

    def whole(self, sentence: str, changes: dict[str, Any] | None) -> dict[str, Any]:
        """The arguments of `json_of` and `npz_of`."""
        return {
            "trace": self.recordings.trace(sentence),
            "changed": self.trace(sentence, changes) if changes else None,
            "experiment": experiment_of(changes) if changes else None,
            "model": describe_model(self.app.translator, self.app.folder),
        }

    def trace_json(self, sentence: str, changes: dict[str, Any] | None = None) -> str:
        """Everything of a translation as the text of a JSON file, explained under "readme" in it: for json.loads.

        With `changes`, fields of explorer's Experiment, the changed translation beside the unchanged one.
        """
        return json_of(**self.whole(sentence, changes))

    def trace_npz(self, sentence: str, changes: dict[str, Any] | None = None) -> str:
        """The same as the bytes of an NPZ file in base64, for numpy.load."""
        return base64.b64encode(npz_of(**self.whole(sentence, changes))).decode("ascii")


def queued(scheduler: Scheduler, function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The function as a Gradio endpoint, which waits in the queue and answers in the current language.

    A UserError of the function, and a full or closed queue, become a gr.Error with the same sentence.
    """
    context = LANGUAGE_CONTEXT.get()

    @wraps(function)
    async def queued_call(*args: P.args, **kwargs: P.kwargs) -> T:
        with use_language(context):
            try:
                return await scheduler.result_of(partial(function, *args, **kwargs), PROGRAMS_VISITOR)
            except (Unavailable, UserError) as reason:
                raise gr.Error(shorten(str(reason)), print_exception=False) from reason

    return queued_call


def require_all_inputs(block_fn: BlockFunction, inputs: list[Any]) -> None:
    """Raises gr.Error for a call with too few values. Gradio's own message prints all of them, as typed."""
    if len(inputs) < len(block_fn.inputs):
        refusal = shared_words.REFUSALS["values"].format(needed=len(block_fn.inputs), given=len(inputs))
        raise gr.Error(refusal, print_exception=False)


class ExperimentsApi:
    """The functions behind the HTTP endpoints; `endpoints` lists them."""

    def __init__(self, app: AppContext):
        self.app, self.laboratory = app, shared_laboratory(app)
        self.recordings, self.translator = app.recordings, app.translator

    def endpoints(self) -> list[Callable[..., Any]]:
        experiments = [self.experiment, self.rank_heads, self.patch, self.leave_one_out]
        return [*experiments, self.beam, self.sample, self.lengths, self.rollout, self.catalogue]

    def experiment(self, sentence: str, changes: dict[str, Any]) -> dict[str, Any]:
        """Translates with something changed, such as {"off": [["cross", 3, 4]]}: fields of explorer's Experiment.

        `rescored` is the unchanged translation under the same changes.
        """
        experiment = experiment_of(changes)
        original, changed = self.recordings.trace(sentence), self.laboratory.trace(sentence, experiment)
        rescored = self.laboratory.rescored(sentence, experiment)
        traces = {"original": original, "changed": changed, "rescored": rescored}
        return {"experiment": experiment.json(), **{name: translation_json(trace) for name, trace in traces.items()}}

    def rank_heads(self, sentence: str, by: str = "zero") -> list[dict[str, Any]]:
        """All heads, by what the log-probability of the translation loses (nats) when the head alone is off."""
        way = require_choice("by", by, get_args(Off))
        means = self.laboratory.means() if way == "mean" else None
        ranked = rank_heads(self.translator, self.recordings.trace(sentence), way, means)
        return [{**head._asdict(), "drop": drop} for head, drop in ranked]

    def patch(self, sentence: str, taken_from: str, grid: str = "heads") -> dict[str, Any]:
        """Copies each head's output, or each stream of a stack ("encoder", "decoder"), from the other sentence's run.

        `share` is 0 where the run stays as it is and 1 where it prefers the other sentence's next token as much as
        that sentence's own run; null where both prefer the same.
        """
        require_choice("grid", grid, GRIDS)
        traces = self.recordings.trace(taken_from), self.recordings.trace(sentence)
        both_runs = runs(find_divergence(self.translator, *traces))
        targets = grid_targets(both_runs.divergence, grid)
        preferences = both_runs.patched(targets)
        shares = both_runs.share(preferences)
        known_shares = [None] * len(targets) if shares is None else shares.tolist()
        numbers = zip(targets, preferences.tolist(), known_shares, strict=True)
        targets_json = [{**target._asdict(), "preference": found, "share": share} for target, found, share in numbers]
        step = both_runs.divergence.step
        toward, away = both_runs.donor_preference, both_runs.recipient_preference
        return {"step": step, "toward": toward, "away": away, "places": targets_json}

    def leave_one_out(self, sentence: str) -> dict[str, Any]:
        """How the log-probability of every step changes (nats) when one source token is hidden: [step][token]."""
        trace = self.recordings.trace(sentence)
        effect = omission(self.translator, trace, range(len(trace.source)))
        source, target = [piece.text for piece in trace.source], [step.predicted.text for step in trace.steps]
        return {"source": source, "target": target, "effect": effect.tolist()}

    def beam(self, sentence: str, width: int = 4) -> dict[str, Any]:
        """A beam search as a tree: what every step kept and pruned, with all scores, beside greedy decoding."""
        text = self.recordings.trace(sentence).sentence
        return beam_json(self.translator, text, width)

    def sample(
        self,
        sentence: str,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float = 1.0,
        seed: int = 1,
        count: int = 1,
    ) -> dict[str, Any]:
        """Translations drawn at random, each from a seed of its own, from `seed` on."""
        sampling = Sampling(temperature, top_k, top_p)
        return samples_json(self.translator, self.recordings.trace(sentence), sampling, seed, count)

    def lengths(self, sentence: str, kind: str = "cross", layer: int = 0, head: int = 0) -> dict[str, Any]:
        """The length of weight x value x W_O of one head (Kobayashi et al. 2020), row by query."""
        known, trace = parse_kind(kind), self.recordings.trace(sentence)
        norms = lengths(self.recordings.forward_pass(sentence), known)
        require_index("layer", layer, norms.shape[0])
        require_index("head", head, norms.shape[1])
        return {**axis_labels(trace, known), "layer": layer, "head": head, "lengths": norms[layer, head].tolist()}

    def rollout(self, sentence: str, kind: str = "cross") -> dict[str, Any]:
        """Attention across all layers (Abnar and Zuidema 2020): rows are queries, columns are keys."""
        known, trace = parse_kind(kind), self.recordings.trace(sentence)
        return {**axis_labels(trace, known), "rollout": rollout(trace, known).tolist()}

    def catalogue(self) -> dict[str, Any]:
        """What was measured of the loaded model's heads over many sentences, each with its names."""
        measurements = measured_heads(self.app)
        if measurements is None:
            raise UserError(words.API_REFUSALS["unmeasured"])
        heads = [{**head.model_dump(), "names": head.names} for head in measurements.heads]
        return {**measurements.model_dump(), "heads": heads}


def translation_json(trace: Trace) -> dict[str, Any]:
    """A translation with every step's log-probability (nats) and rank, 0 for the most probable token."""
    steps = [{**step_json(step), "log_probability": step.log_probability, "rank": step.rank} for step in trace.steps]
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "log_probability": trace.log_probability,
        "source": [piece_json(piece) for piece in trace.source],
        "steps": steps,
    }


def axis_labels(trace: Trace, kind: Kind) -> dict[str, Any]:
    attention = trace.map(kind)
    queries, keys = [query.label for query in attention.queries], [piece.text for piece in attention.keys]
    return {"kind": kind, "queries": queries, "keys": keys}


def require_choice(name: str, value: Any, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise UserError(words.API_REFUSALS["among"].format(name=name, choices=", ".join(choices), value=value))
    return value
