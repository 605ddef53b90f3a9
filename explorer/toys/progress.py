"""Progress reports of a training, one line of JSON each."""

from typing import Annotated, Literal

import torch
from pydantic import Field

from explorer.toys.toy_trainer import ToyMetrics, ToyTrainer
from explorer.ui.questions import StrictModel
from model.probe import KINDS, Kind
from model.tokenizer import WORD_START
from model.training.data import Pair

State = Literal["learning", "stopped", "finished"]
EndReason = Literal["reached", "time", "ended", "idle", "memory"]

Weights = list[list[list[list[float]]]]  # [layer][head][query][key], three digits behind the point


class ExampleAttention(StrictModel, allow_inf_nan=False):
    """Attention of the task's example under teacher forcing, so that the axes stay the same in all reports.

    "encoder": source to source; "decoder": fed to fed; "cross": fed
    to source. Row t of the last two was fed `fed[t]`, should predict `right[t]`, and predicts `predicted[t]`.
    """

    source: list[str]  # pieces, the end of the sentence included
    fed: list[str]
    right: list[str]
    predicted: list[str]
    weights: dict[Kind, Weights]


class Report(StrictModel, allow_inf_nan=False):
    """The progress of a training."""

    number: Annotated[int, Field(ge=1)]  # of the report
    state: State
    why: EndReason | None = None  # it is finished
    step: int
    seconds: float  # of training, pauses not counted
    examples: int  # pairs trained on so far
    loss: float | None  # of the updates since the last report, in nats per piece; None before the first
    test_loss: float
    right: float  # the part of the held-out pairs that comes out wholly right, 0 to 1
    pieces_right: float
    saved: bool = False  # a checkpoint of this moment lies in the folder
    seen: ExampleAttention | None  # the workshop keeps that of the newest report alone


@torch.inference_mode()
def example_attention(trainer: ToyTrainer) -> ExampleAttention:
    """The attention and predictions of the current model on the task's example."""
    source, tokenizer = trainer.task.example, trainer.tokenizer
    batch = trainer.collate_pairs([Pair(source, trainer.task.answer(source))])
    encoded = trainer.model.encode(batch.src)
    decoded = trainer.model.decode(batch.tgt_in, encoded)
    attention = {"encoder": encoded.attention, "decoder": decoded.self_attention, "cross": decoded.cross_attention}
    logits = decoded.logits[0]
    logits[:, trainer.translator.excluded_ids] = -torch.inf

    def labels(ids: torch.Tensor) -> list[str]:
        return [piece.removeprefix(WORD_START) for piece in tokenizer.pieces(ids.tolist())]

    return ExampleAttention(
        source=labels(batch.src[0]),
        fed=labels(batch.tgt_in[0]),
        right=labels(batch.tgt_out[0]),
        predicted=labels(logits.argmax(dim=-1)),
        weights={kind: round_weights(torch.cat(attention[kind])) for kind in KINDS},
    )


def round_weights(weights: torch.Tensor) -> Weights:
    return [[[[round(w, 3) for w in row] for row in head] for head in layer] for layer in weights.tolist()]


def make_report(trainer: ToyTrainer, metrics: ToyMetrics, **more) -> Report:
    """The report of the current state."""
    return Report(
        step=trainer.step,
        examples=trainer.examples,
        test_loss=metrics.loss,
        right=metrics.right,
        pieces_right=metrics.pieces_right,
        seen=example_attention(trainer),
        **more,
    )
