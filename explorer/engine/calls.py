"""The model's calls: raw results as JSON, which PyTorch computes here and the engine in the browser in calls.js.

Both sides have the same names, arguments and results; docs/calls.md lists them. Everything that follows from these
results (warnings, tables, files) is computed from them in the page, by explorer/derived. Tensors have the form of
`tensor_json`. All calls raise UserError for what they refuse.
"""

import json
from typing import Annotated, Any

import numpy as np
import torch
from pydantic import ConfigDict, Field
from torch import Tensor
from typing_extensions import TypedDict

from explorer.experiments.experiment import Experiment, HeadAt, NeuronAt, Off, experiment_of
from explorer.experiments.laboratory import shared_laboratory
from explorer.experiments.neuron_ranking import STACKS, HeldRuns, neuron_reach
from explorer.experiments.patching import Grid, find_divergence, grid_targets, runs
from explorer.experiments.ranking import head_drops
from explorer.experiments.running import validate_head, validate_neurons
from explorer.experiments.searching import beam_json, sample_json
from explorer.recording import MAX_PIECES
from explorer.recording.app_context import AppContext
from explorer.recording.contributions import contributions
from explorer.recording.directions import directions_json
from explorer.recording.forward_pass import ForwardPass
from explorer.recording.head import head_of
from explorer.recording.lens import lens_json
from explorer.recording.overview import strips
from explorer.recording.parameter import parameter_json
from explorer.recording.payload import encode_weights, piece_json, tensor_json, trace_json
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, source_pieces
from explorer.recording.vector_lengths import value_norms
from explorer.ui.questions import Index, Questions, require_index
from model.probe import Kind, Probe, Site, Stack
from model.sampling import Sampling, draw

ROWS_PER_PART = 1000  # decoder and encoder rows of one call for patching: about a third of a second on two cores
MIN_SITES_PER_PART = 8
SAMPLES = 5
UNCHANGED: dict[str, Any] = {}  # the experiment that changes nothing
NO_NEURONS: list[NeuronAt] = []
ENCODER_POSITIONS = Site("encoder", tensor="positions")
# A call is one job of the queue, so that each of these lists is bounded.
Heads = Annotated[list[HeadAt], Field(max_length=24)]
Pieces = Annotated[list[Index], Field(max_length=128)]
Sites = Annotated[list[Site], Field(max_length=20)]

CALLS = (
    "run", "weights", "encode", "tensors", "head", "lens", "norms", "contributions", "scores", "overview", "parameter",
    "patching", "beam", "sample", "tokenize", "neurons", "directions",
)  # fmt: skip


class SamplingOptions(TypedDict):
    """The options of `model.sampling.Sampling`."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # pyright: ignore

    temperature: float
    top_k: int | None
    top_p: float


class ModelCalls:
    """The calls about one checkpoint. Results of experiments and passes are cached."""

    def __init__(self, app: AppContext):
        self.laboratory, self.recordings, self.translator = shared_laboratory(app), app.recordings, app.translator

    def register(self, questions: Questions) -> None:
        """Adds all calls to the questions that the page may ask."""
        questions.add("translate", self.translate, translates=True)
        for name in CALLS:
            questions.add(name, getattr(self, name))

    def trace(self, sentence: str, experiment: Any) -> Trace:
        """The trace of a sentence under an experiment; {} changes nothing."""
        found = experiment_of(experiment)
        changed = found != Experiment()
        return self.laboratory.trace(sentence, found) if changed else self.recordings.trace(sentence)

    def forward_pass(self, sentence: str, experiment: Any) -> ForwardPass:
        """The forward pass over that trace, with the experiment's interventions."""
        found = experiment_of(experiment)
        changed = found != Experiment()
        return self.laboratory.forward_pass(sentence, found) if changed else self.recordings.forward_pass(sentence)

    def translate(self, sentence: str) -> str:
        """The trace of a greedy translation."""
        return json.dumps(trace_json(self.recordings.trace(sentence)))

    def run(self, sentence: str, experiment: Any) -> str:
        """The trace of the translation under an experiment.

        `rescored` are the log-probabilities of the unchanged translation under it, null if it cannot change them.
        """
        trace, found = self.trace(sentence, experiment), experiment_of(experiment)
        forced = self.laboratory.rescored(sentence, found).steps if found.rescores else None
        rescored = forced and [step.log_probability for step in forced]
        return json.dumps({**trace_json(trace), "rescored": rescored})

    def weights(self, sentence: str, experiment: Any, kind: Kind) -> str:
        """All attention weights of a kind, for a trace that is too large for one result: {"weights": base64}."""
        return json.dumps({"weights": encode_weights(self.trace(sentence, experiment), kind)})

    def encode(self, sentence: str) -> str:
        """The source's pieces, and the encoder's output [src d_model] with positions and with zeros in their place."""
        text = check_sentence(sentence, self.translator)
        src = self.translator.source_ids(text)
        memory, without = (self.translator.encode(src, probe).memory[0] for probe in (Probe(), Probe(no_positions)))
        return json.dumps(
            {
                "source": [piece_json(piece) for piece in source_pieces(self.translator, text, src)],
                "memory": tensor_json(memory.cpu().numpy()),
                "without_positions": tensor_json(without.cpu().numpy()),
            }
        )

    def overview(self, sentence: str, experiment: Any) -> str:
        """Every token's vector wherever it is changed, as a few numbers (explorer/recording/overview.py)."""
        return json.dumps({"strips": strips(self.forward_pass(sentence, experiment))})

    def parameter(self, module: str, row: Index | None) -> str:
        """The weight and bias of one output of a linear layer, or of a normalisation (recording/parameter.py)."""
        return json.dumps(parameter_json(self.translator.model, module, row))

    def directions(self, stack: Stack, layer: Index, neuron: Index) -> str:
        """The tokens along a neuron's row of W_1 and column of W_2, and its neighbours (recording/directions.py)."""
        config = self.translator.model.config
        require_index("layer", layer, config.layers(stack))
        require_index("neuron", neuron, config.d_ff)
        return json.dumps(directions_json(self.translator, stack, layer, neuron))

    def tensors(self, sentence: str, sites: Sites, experiment: Any = UNCHANGED) -> str:
        """Every tensor of the forward pass in the order of computation: site, shape, root mean square.

        The root mean square is of the finite numbers, null for ids and masks. Those of `sites`, [stack, layer,
        sublayer, tensor], have their numbers, too.
        """
        wanted = {*sites}
        rows = [
            {
                **site._asdict(),
                "shape": list(tensor.shape),
                "rms": root_mean_square(tensor),
                **({"data": tensor_json(tensor)["data"]} if site in wanted else {}),
            }
            for site, tensor in self.forward_pass(sentence, experiment).tensors.items()
        ]
        return json.dumps({"tensors": rows})

    def head(self, sentence: str, kind: Kind, layer: Index, head: Index, experiment: Any = UNCHANGED) -> str:
        """The mask and all tensors of one head, and the parameters of its projections.

        The weights are those of the decoding steps: those of the pass differ in the last bits, which can change a
        rounded digit.
        """
        forward_pass = self.forward_pass(sentence, experiment)
        tensors = head_of(forward_pass, kind, layer, head).tensors()
        tensors["weights"] = forward_pass.trace.map(kind).weights[layer, head]
        return json.dumps({name: tensor_json(tensor) for name, tensor in tensors.items()})

    def lens(self, sentence: str, step: Index, experiment: Any = UNCHANGED) -> str:
        """A step's state and logits, what each layer would predict, and the lengths in both residual streams."""
        return json.dumps(lens_json(self.forward_pass(sentence, experiment), step))

    def norms(self, sentence: str, kind: Kind) -> str:
        """||v W_O|| of every layer, head and key: the length of what a key adds for each unit of weight."""
        return json.dumps({"norms": tensor_json(value_norms(self.recordings.forward_pass(sentence), kind))})

    def contributions(self, sentence: str) -> str:
        """The share [step, src] of each source piece in every prediction; the rest is of the target pieces before."""
        return json.dumps({"source": tensor_json(contributions(self.recordings.forward_pass(sentence)).source)})

    def scores(self, sentence: str, heads: Heads, by: Off, hidden: Pieces, neurons: list[NeuronAt] = NO_NEURONS) -> str:
        """What one change alone does to the translation's log-probabilities, in nats: the changes [row, step].

        The rows: first each of some heads is off, then each of some source pieces is hidden, then each of some neurons
        is held.
        """
        trace = self.recordings.trace(sentence)
        for head in heads:
            validate_head(head, self.translator)
        for place in hidden:
            require_index("piece", place, len(trace.source))
        validate_neurons(neurons, self.translator, len(trace.source))
        ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
        means = self.laboratory.means() if heads and by == "mean" else None
        rows = [-head_drops(self.translator, *ids, heads, by=by, means=means)]
        rows.append(self.laboratory.omitted(sentence, tuple(hidden)).T)
        if neurons:
            rows.append(-HeldRuns(self.recordings.forward_pass(sentence)).drops(neurons))
        return json.dumps({"changes": tensor_json(np.concatenate(rows))})

    def neurons(self, sentence: str) -> str:
        """By how much each neuron moves the stream after its layer at most: [layer, d_ff] of each stack."""
        forward_pass = self.recordings.forward_pass(sentence)
        return json.dumps({stack: tensor_json(neuron_reach(forward_pass, stack)) for stack in STACKS})

    def patching(self, sentence: str, donor: str, grid: Grid, start: Index) -> str:
        """Activation patching at some sites of a grid, from the one numbered `start` on.

        `step` is the first at which the translations differ; a preference is the log-probability of the donor's piece
        there minus that of the sentence's own, in nats: of both unpatched runs, and with each site patched.
        """
        first, second = self.recordings.trace(donor), self.recordings.trace(sentence)
        divergence = find_divergence(self.translator, first, second)
        sites, rows = grid_targets(divergence, grid), len(second.source) + len(divergence.tgt_in)
        both_runs = runs(divergence)
        part = sites[start : start + max(MIN_SITES_PER_PART, ROWS_PER_PART // rows)]
        return json.dumps(
            {
                "step": divergence.step,
                "sites": len(sites),
                "donor_preference": both_runs.donor_preference,
                "recipient_preference": both_runs.recipient_preference,
                "preferences": both_runs.patched(part).tolist(),
            }
        )

    def beam(self, sentence: str, width: int) -> str:
        """A beam search as a tree (explorer/experiments/searching.py)."""
        return json.dumps(beam_json(self.translator, self.recordings.trace(sentence).sentence, width))

    def sample(self, sentence: str, sampling: SamplingOptions, seed: int) -> str:
        """Sampled translations with consecutive seeds (explorer/experiments/searching.py)."""
        options = Sampling(sampling["temperature"], sampling["top_k"], sampling["top_p"])
        src = [piece.id for piece in self.recordings.trace(sentence).source]
        samples = draw(self.translator, src, options, range(seed, seed + SAMPLES), max_steps=MAX_PIECES)
        return json.dumps({"samples": [sample_json(self.translator, sample) for sample in samples]})

    def tokenize(self, text: str) -> str:
        """The ids of a text in the target language, without its end, and the id of the end."""
        return json.dumps({"ids": self.laboratory.target_ids(text), "end": self.translator.tokenizer.eos_id})


def no_positions(site: Site, tensor: Tensor) -> Tensor | None:
    """A probe's visit that replaces the encoder's positions by zeros."""
    return torch.zeros_like(tensor) if site == ENCODER_POSITIONS else None


def root_mean_square(tensor: np.ndarray) -> float | None:
    """The root mean square of the finite elements; None for ids and masks."""
    if not np.issubdtype(tensor.dtype, np.floating):
        return None
    return float(np.sqrt(np.square(tensor[np.isfinite(tensor)]).mean()))
