"""The logit lens: what every layer of the decoder would predict at a step, and what each sub-layer adds to the stream.

The logit lens (nostalgebraist 2020) reads the stream after every decoder layer through the model's own output
projection, which was trained to read the last one only.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Float

from explorer.recording.forward_pass import ForwardPass
from explorer.recording.payload import candidate_json, tensor_json
from explorer.recording.trace import Piece, ShownCandidate, Trace, pieces
from explorer.ui.questions import require_index
from model.decoding import Translator
from model.probe import Site, Stack

LENS_CANDIDATES = 4  # of each layer
MAX_CANDIDATES = 10  # of a step


class Sublayer(NamedTuple):
    """A sub-layer that adds to the stream; `layer` is zero-based."""

    layer: int
    name: Literal["self_attention", "cross_attention", "feed_forward"]


@dataclass(frozen=True, eq=False)
class Residual:
    """The residual stream of one side: the norm of each piece's vector, and of what each sub-layer adds to it."""

    pieces: tuple[Piece, ...]
    sublayers: tuple[Sublayer, ...]
    norms: Float[np.ndarray, "stage piece"]  # of the stream: at the embedding, then after each sub-layer
    outputs: Float[np.ndarray, "sublayer piece"]  # of what the sub-layer adds to the stream before it


class Reading(NamedTuple):
    """The prediction of a step if the decoder ended after a layer."""

    candidates: tuple[ShownCandidate, ...]  # best first
    rank: int  # of the piece that was finally chosen: 1 is the most probable
    probability: float  # of that piece
    entropy: float  # bits


class Leader(NamedTuple):
    """A piece that is the most probable one of some layer, followed through all layers; the first is the embedding."""

    piece: Piece
    ranks: tuple[int, ...]  # 1 is the most probable
    probabilities: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Predictions:
    """The decoder's states at every step, after the embedding (first) and after each layer; both residual streams."""

    translator: Translator
    trace: Trace
    states: Float[np.ndarray, "layer step d_model"]
    logits: Float[np.ndarray, "step vocab"]  # of the real pass; minus infinity for pieces that are never chosen
    encoder: Residual
    decoder: Residual

    def distributions(self, step: int) -> list[Float[np.ndarray, "vocab"]]:
        """The probabilities of a step after the embedding and then after every layer; the last are the real ones."""
        return [softmax(row) for row in project_states(self.translator, self.states[:, step])]

    def lens(self, step: int) -> tuple[Reading, ...]:
        """The readings of a step, one for each distribution."""
        chosen = self.trace.steps[step].predicted.id
        return tuple(self.reading(probabilities, chosen) for probabilities in self.distributions(step))

    def leaders(self, step: int) -> tuple[Leader, ...]:
        """The pieces that lead in some layer, in this order, and the chosen piece, also where it never leads."""
        layers = self.distributions(step)
        ids = dict.fromkeys([*(int(row.argmax()) for row in layers), self.trace.steps[step].predicted.id])
        return tuple(
            Leader(piece, tuple(rank(row, piece.id) for row in layers), tuple(float(row[piece.id]) for row in layers))
            for piece in pieces(self.translator, list(ids))
        )

    def reading(self, probabilities: Float[np.ndarray, "vocab"], chosen: int) -> Reading:
        best = np.argsort(-probabilities, kind="stable")[:LENS_CANDIDATES]
        return Reading(
            shown_candidates(self.translator, best.tolist(), probabilities),
            rank(probabilities, chosen),
            float(probabilities[chosen]),
            entropy(probabilities),
        )

    def candidates(self, step: int, count: int) -> tuple[ShownCandidate, ...]:
        """The most probable pieces of a step."""
        probabilities = softmax(self.logits[step])
        best = np.argsort(-probabilities, kind="stable")[:count]
        return shown_candidates(self.translator, best.tolist(), probabilities)


def predictions_of(forward_pass: ForwardPass) -> Predictions:
    """The predictions of a pass over one translation."""
    (trace,) = forward_pass.traces
    ends = [
        Site("decoder", layer, "feed_forward", "stream") for layer in range(forward_pass.model.config.layers("decoder"))
    ]
    return Predictions(
        forward_pass.translator,
        trace,
        np.stack([forward_pass.tensors[site][0] for site in (Site("decoder", tensor="stream"), *ends)]),
        mask_excluded(forward_pass.translator, forward_pass.tensors[Site("decoder", tensor="logits")][0]),
        residual_stream(trace.source, {site: x for site, x in forward_pass.tensors.items() if site.stack == "encoder"}),
        residual_stream(trace.target, {site: x for site, x in forward_pass.tensors.items() if site.stack == "decoder"}),
    )


def residual_stream(side: tuple[Piece, ...], tensors: dict[Site, np.ndarray]) -> Residual:
    """The residual stream from the tensors of one stack, in the order of computation."""
    streams = [np.linalg.norm(x[0], axis=1) for site, x in tensors.items() if site.tensor == "stream"]
    outputs = {site: np.linalg.norm(x[0], axis=1) for site, x in tensors.items() if site.tensor == "output"}
    sublayers = tuple(
        Sublayer(site.layer, site.sublayer) for site in outputs if site.layer is not None and site.sublayer
    )
    return Residual(side, sublayers, np.stack(streams), np.stack([*outputs.values()]))


def project_states(translator: Translator, states: Float[np.ndarray, "row d_model"]) -> Float[np.ndarray, "row vocab"]:
    """States through the model's own output projection."""
    with translator.inference():
        logits = translator.model.projection(torch.from_numpy(states).to(translator.device))
    return mask_excluded(translator, logits.cpu().numpy())


def mask_excluded(translator: Translator, logits: Float[np.ndarray, "row vocab"]) -> Float[np.ndarray, "row vocab"]:
    """The logits as decoding uses them: minus infinity for pieces that are never chosen."""
    logits = logits.copy()
    logits[:, translator.excluded_ids] = -math.inf
    return logits


def softmax(logits: Float[np.ndarray, "vocab"]) -> Float[np.ndarray, "vocab"]:
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return powers / powers.sum()


def rank(probabilities: Float[np.ndarray, "vocab"], piece: int) -> int:
    """1 is the most probable piece."""
    return 1 + int((probabilities > probabilities[piece]).sum())


def entropy(probabilities: Float[np.ndarray, "vocab"]) -> float:
    """In bits: 0 where one piece is certain, 1 where two are equally probable."""
    positive = probabilities[probabilities > 0]
    return float(-(positive * np.log2(positive)).sum())


def shown_candidates(
    translator: Translator, ids: list[int], probabilities: Float[np.ndarray, "vocab"]
) -> tuple[ShownCandidate, ...]:
    return tuple(map(ShownCandidate, pieces(translator, ids), probabilities[ids].tolist()))


def lens_json(forward_pass: ForwardPass, step: int) -> dict[str, Any]:
    """A step: its state, all its logits, the layers' readings, the pieces that lead there, both residual streams.

    Raises UserError if there is no such step.
    """
    predictions = predictions_of(forward_pass)
    require_index("step", step, len(predictions.logits))
    return {
        "state": tensor_json(predictions.states[-1, step]),
        "logits": tensor_json(predictions.logits[step]),
        "best": [candidate_json(candidate) for candidate in predictions.candidates(step, MAX_CANDIDATES)],
        "layers": [reading_json(reading) for reading in predictions.lens(step)],
        "leaders": [leader_json(leader) for leader in predictions.leaders(step)],
        **residual_json("encoder", predictions.encoder),
        **residual_json("decoder", predictions.decoder),
    }


def reading_json(reading: Reading) -> dict[str, Any]:
    return {**reading._asdict(), "candidates": [candidate_json(candidate) for candidate in reading.candidates]}


def leader_json(leader: Leader) -> dict[str, Any]:
    return {**leader._asdict(), "piece": {"text": leader.piece.text, "id": leader.piece.id}}


def residual_json(side: Stack, stream: Residual) -> dict[str, Any]:
    return {f"{side}_norms": tensor_json(stream.norms), f"{side}_outputs": tensor_json(stream.outputs)}
