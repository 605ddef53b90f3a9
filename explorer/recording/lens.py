"""The logit lens: what every layer of the decoder would predict at a step.

The logit lens (nostalgebraist 2020) reads the stream after every decoder layer through the model's own output
projection, which was trained to read the last one only.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float

from explorer.recording.forward_pass import ForwardPass
from explorer.recording.payload import candidate_json, tensor_json
from explorer.recording.trace import Piece, ShownCandidate, Trace, pieces
from explorer.ui.questions import require_index
from model.decoding import Translator
from model.probe import Site

MAX_CANDIDATES = 10  # of a step


class Leader(NamedTuple):
    """A piece that is the most probable one of some layer, followed through all layers; the first is the embedding."""

    piece: Piece
    ranks: tuple[int, ...]  # 1 is the most probable


@dataclass(frozen=True, eq=False)
class Predictions:
    """The decoder's states at every step, after the embedding (first) and after each layer."""

    translator: Translator
    trace: Trace
    states: Float[np.ndarray, "layer step d_model"]
    logits: Float[np.ndarray, "step vocab"]  # of the real pass; minus infinity for pieces that are never chosen

    def distributions(self, step: int) -> list[Float[np.ndarray, "vocab"]]:
        """The probabilities of a step after the embedding and then after every layer; the last are the real ones."""
        return [softmax(row) for row in project_states(self.translator, self.states[:, step])]

    def lens(self, step: int) -> tuple[ShownCandidate, ...]:
        """What would be chosen after the embedding and then after every layer, if the decoder ended there."""
        layers = self.distributions(step)
        return tuple(shown_candidates(self.translator, [int(row.argmax())], row)[0] for row in layers)

    def leaders(self, step: int) -> tuple[Leader, ...]:
        """The pieces that lead in some layer, in this order, and the chosen piece, also where it never leads."""
        layers = self.distributions(step)
        ids = dict.fromkeys([*(int(row.argmax()) for row in layers), self.trace.steps[step].predicted.id])
        return tuple(
            Leader(piece, tuple(rank(row, piece.id) for row in layers)) for piece in pieces(self.translator, list(ids))
        )

    def candidates(self, step: int, count: int) -> tuple[ShownCandidate, ...]:
        """The most probable pieces of a step."""
        probabilities = softmax(self.logits[step])
        best = np.argsort(-probabilities, kind="stable")[:count]
        return shown_candidates(self.translator, best.tolist(), probabilities)


def predictions_of(forward_pass: ForwardPass) -> Predictions:
    """The predictions of a pass."""
    ends = [
        Site("decoder", layer, "feed_forward", "stream") for layer in range(forward_pass.model.config.layers("decoder"))
    ]
    return Predictions(
        forward_pass.translator,
        forward_pass.trace,
        np.stack([forward_pass.tensors[site][0] for site in (Site("decoder", tensor="stream"), *ends)]),
        mask_excluded(forward_pass.translator, forward_pass.tensors[Site("decoder", tensor="logits")][0]),
    )


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


def shown_candidates(
    translator: Translator, ids: list[int], probabilities: Float[np.ndarray, "vocab"]
) -> tuple[ShownCandidate, ...]:
    return tuple(map(ShownCandidate, pieces(translator, ids), probabilities[ids].tolist()))


def lens_json(forward_pass: ForwardPass, step: int) -> dict[str, Any]:
    """A step: its state, all its logits, what each layer would choose, and the ranks of these pieces.

    Raises UserError if there is no such step.
    """
    predictions = predictions_of(forward_pass)
    require_index("step", step, len(predictions.logits))
    return {
        "state": tensor_json(predictions.states[-1, step]),
        "logits": tensor_json(predictions.logits[step]),
        "best": [candidate_json(candidate) for candidate in predictions.candidates(step, MAX_CANDIDATES)],
        "layers": [candidate_json(candidate) for candidate in predictions.lens(step)],
        "leaders": [leader_json(leader) for leader in predictions.leaders(step)],
    }


def leader_json(leader: Leader) -> dict[str, Any]:
    return {**leader._asdict(), "piece": {"text": leader.piece.text, "id": leader.piece.id}}
