"""What a training tells on its way, a line of JSON each time."""

from typing import Annotated, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field

from explorer.toys.toy_trainer import ToyMetrics, ToyTrainer
from model.probe import KINDS, Kind
from model.tokenizer import WORD_START
from model.training.data import Pair

State = Literal["learning", "stopped", "finished"]
Why = Literal["reached", "time", "ended", "idle", "memory"]

Weights = list[list[list[list[float]]]]  # [layer][head][query][key], three digits behind the point


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Seen(Told):
    """The example while it is learnt: what attends to what where the right answer is fed, whatever the model says.

    So the axes stay the same from report to report. "encoder": source to source; "decoder": fed to fed; "cross": fed
    to source. Row t of the last two was fed `fed[t]`, should predict `right[t]`, and predicts `predicted[t]`.
    """

    source: list[str]  # pieces, the end of the sentence included
    fed: list[str]
    right: list[str]
    predicted: list[str]
    weights: dict[Kind, Weights]


class Report(Told):
    """How far a training has come."""

    number: Annotated[int, Field(ge=1)]  # of the report
    state: State
    why: Why | None = None  # it is finished
    step: int
    seconds: float  # of training, pauses not counted
    examples: int  # that were learnt from
    loss: float | None  # of the updates since the last report, in nats per piece; None before the first
    test_loss: float
    right: float  # the part of the held-out pairs that comes out wholly right, 0 to 1
    pieces_right: float
    saved: bool = False  # a checkpoint of this moment lies in the folder
    seen: Seen | None  # the workshop keeps that of the newest report alone


@torch.inference_mode()
def seen(trainer: ToyTrainer) -> Seen:
    """The task's example as the model has it now."""
    source, tokenizer = trainer.task.example, trainer.tokenizer
    batch = trainer.collated([Pair(source, trainer.task.answer(source))])
    trainer.model.eval()
    encoded = trainer.model.encode(batch.src)
    decoded = trainer.model.decode(batch.tgt_in, encoded)
    attention = {"encoder": encoded.attention, "decoder": decoded.self_attention, "cross": decoded.cross_attention}
    logits = decoded.logits[0]
    logits[:, trainer.translator.excluded_ids] = -torch.inf

    def labels(ids: torch.Tensor) -> list[str]:
        return [piece.removeprefix(WORD_START) for piece in tokenizer.pieces(ids.tolist())]

    return Seen(
        source=labels(batch.src[0]),
        fed=labels(batch.tgt_in[0]),
        right=labels(batch.tgt_out[0]),
        predicted=labels(logits.argmax(dim=-1)),
        weights={kind: rounded(torch.cat(attention[kind])) for kind in KINDS},
    )


def rounded(weights: torch.Tensor) -> Weights:
    return [[[[round(w, 3) for w in row] for row in head] for head in layer] for layer in weights.tolist()]


def report(trainer: ToyTrainer, metrics: ToyMetrics, **more) -> Report:
    """Of this moment."""
    return Report(
        step=trainer.step,
        examples=trainer.examples,
        test_loss=metrics.loss,
        right=metrics.right,
        pieces_right=metrics.pieces_right,
        seen=seen(trainer),
        **more,
    )
