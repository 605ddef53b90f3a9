"""A training run under way: its model and optimiser, one update after another (section 5 of the paper)."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model import hardware
from model.checkpoints import checkpoint
from model.checkpoints.record import runs_of, total_over_runs
from model.config import ModelConfig
from model.errors import UserError
from model.hardware import training_flops
from model.languages import languages_arguments
from model.tidying import rules_of
from model.tokenizer import Tokenizer
from model.training import distributed
from model.training.data import Batch, EncodedPair, batches
from model.training.loss import BatchLoss
from model.training.recipe import TrainConfig
from model.transformer import Transformer


@dataclass
class Position:
    """How far a run has come."""

    step: int = 0
    epoch: int = 0
    batch_of_epoch: int = 0
    tokens: int = 0  # target pieces
    seconds: float = 0.0


def progress(config: TrainConfig, position: Position) -> float:
    """The part of the plan that is done, 0 to 1."""
    if config.minutes:
        return min(1.0, position.seconds / (60 * config.minutes))
    return min(1.0, position.step / config.steps if config.steps else position.tokens / config.tokens)


def learning_rate(config: TrainConfig, position: Position) -> float:
    """Linear warm-up; then a linear decay to 0 at the end of the plan, or the inverse square root of the step.

    The second is the paper's: d_model^-0.5 * min(step^-0.5, step * warmup_steps^-1.5), with a peak of
    (d_model * warmup_steps)^-0.5 (section 5.3).
    """
    warmup = (position.step + 1) / config.warmup_steps
    if config.schedule == "inverse_sqrt":
        return config.peak_lr * min(warmup, warmup**-0.5)
    return config.peak_lr * min(1.0, warmup) * (1 - progress(config, position))


def is_average_due(config: TrainConfig, position: Position, count: int) -> bool:
    """Whether it is time to add the weights to the average, which has `count` already.

    The times are spread evenly over the last part of the run (`average_part`).
    """
    left = config.average_count - count - 1
    return left >= 0 and progress(config, position) >= 1 - config.average_part * left / config.average_count


class WeightAverage:
    """The mean of the weights at several moments of a run (section 6.1 of the paper)."""

    def __init__(self):
        self.count = 0
        self.total: dict[str, Tensor] = {}

    def add(self, model: nn.Module) -> None:
        """Adds the current weights."""
        for name, weight in model.state_dict().items():
            self.total[name] = self.total[name] + weight if self.count else weight.clone()
        self.count += 1

    def apply_to(self, model: nn.Module) -> None:
        """Replaces the weights by the mean, if there is one."""
        if self.count:
            model.load_state_dict({name: total / self.count for name, total in self.total.items()})


class RunningLoss:
    """Loss, pieces and FLOPs summed since the last reading.

    The loss stays on the device until it is read, so that no step waits for it.
    """

    def __init__(self, device: torch.device):
        self.loss = torch.zeros((), device=device)
        self.pieces = 0
        self.flops = 0

    def add(self, loss: Tensor, *, pieces: int, flops: int) -> None:
        """Adds the loss and FLOPs of this process's part of a batch, and the target pieces of the whole batch."""
        self.loss += loss.detach()
        self.pieces += pieces
        self.flops += flops

    def read(self) -> tuple[float, float]:
        """The mean loss per piece and the FLOPs of all processes since the last reading; waits for the device."""
        loss, flops = distributed.sum_over_processes(float(self.loss), self.flops)
        loss /= self.pieces
        self.loss, self.pieces, self.flops = torch.zeros_like(self.loss), 0, 0
        return loss, flops


class TotalProgress(NamedTuple):
    """The steps and target pieces of a run and of those before it."""

    steps: int
    tokens: int


def with_width(config: TrainConfig, sizes: ModelConfig) -> ModelConfig:
    """Sizes with the recipe's `d_ff`, if it has one."""
    return replace(sizes, d_ff=config.d_ff or sizes.d_ff)


class Trainer:
    """A run under way: model, optimiser, and how far it has come."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, sizes: ModelConfig | None = None):
        """Initialises random weights; without `sizes` the model has those of the recipe's preset."""
        self.config = config
        self.tokenizer = tokenizer
        self.device = hardware.pick_device(config.device, distributed.local_rank())
        hardware.prepare_device(self.device)
        self.bfloat16 = hardware.uses_bfloat16(config.precision, self.device)
        torch.manual_seed(config.seed)
        if sizes is None:
            vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
            sizes = with_width(config, ModelConfig.preset(config.preset, pad_id=tokenizer.pad_id, **vocab))
        self.model = Transformer(replace(sizes, dropout=config.dropout)).to(self.device)
        compiled = config.compile == "yes" or (config.compile == "auto" and self.device.type == "cuda")
        batch_loss = BatchLoss(self.model, bfloat16=self.bfloat16, compiled=compiled, r_drop=config.r_drop)
        self.batch_loss = distributed.data_parallel(batch_loss)
        if not distributed.is_first():
            torch.manual_seed(config.seed + distributed.rank())  # equal weights, but different dropout
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=self.device.type != "mps"
        )
        self.average = WeightAverage()
        self.previous_runs: list[dict[str, Any]] = []  # records of the runs behind the initial weights
        self.position = Position()
        self.running_loss = RunningLoss(self.device)

    @property
    def progress(self) -> float:
        """The part of the plan that is done, 0 to 1."""
        return progress(self.config, self.position)

    @property
    def lr(self) -> float:
        """The learning rate of the next update."""
        return learning_rate(self.config, self.position)

    @property
    def total_progress(self) -> TotalProgress:
        """The steps and target pieces of this run and of those before it."""
        steps, tokens = (total_over_runs(self.previous_runs, name) for name in ("steps", "tokens"))
        return TotalProgress(self.position.step + steps, self.position.tokens + tokens)

    def loss(self, batch: Batch, smoothing: float) -> tuple[Tensor, int]:
        """The summed loss in nats of this process's part, and the target pieces of the whole batch, EOS included."""
        return self.batch_loss(batch.to(self.device), smoothing), batch.pieces

    def train_step(self, batch: Batch) -> None:
        """Updates the weights once. The host only queues the work and does not wait for the device."""
        loss, pieces = self.loss(batch, self.config.label_smoothing)
        # The mean over the processes is then the gradient of the whole batch.
        (loss * distributed.process_count() / pieces).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip_norm)
        for group in self.optimizer.param_groups:
            group["lr"] = self.lr
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.position.step += 1
        self.position.batch_of_epoch += 1
        self.position.tokens += pieces
        (rows, src), tgt = batch.src.shape, batch.tgt_in.size(1)
        passes = 2 if self.config.r_drop else 1
        flops = passes * training_flops(self.model.config, rows=rows, src=src, tgt=tgt, pieces=len(batch.piece_indices))
        self.running_loss.add(loss, pieces=pieces, flops=flops)

    def add_to_average(self) -> None:
        """Adds the weights to the average if it is time."""
        if is_average_due(self.config, self.position, self.average.count):
            self.average.add(self.model)


def from_checkpoint(config: TrainConfig) -> Trainer:
    """A trainer with the weights, sizes and tokenizer of the checkpoint `config.start`.

    It keeps that checkpoint's languages and tidying rules, unless the recipe names other languages. Raises UserError
    if the checkpoint is a converted one, or wider than the recipe's `d_ff`.
    """
    translator = checkpoint.load(config.start)
    if "origin" in translator.record:
        raise UserError(
            f"{config.start} is a converted model with a tokenizer of another kind, and cannot be trained further: "
            "--start takes a checkpoint that python -m model.train made"
        )
    if not config.languages:
        tidying = config.tidying or rules_of(translator.record)
        config = replace(config, languages=languages_arguments(translator.languages), tidying=tidying)
    sizes = translator.model.config
    if 0 < config.d_ff < sizes.d_ff:
        raise UserError(
            f"d_ff {config.d_ff} is less than the {sizes.d_ff} of {config.start}; a model only becomes wider"
        )
    trainer = Trainer(config, translator.tokenizer, with_width(config, sizes))
    copy_weights(translator.model, trainer.model)
    trainer.previous_runs = runs_of(translator.record)
    return trainer


@torch.no_grad()
def copy_weights(narrow: nn.Module, wide: nn.Module) -> None:
    """Copies weights into a model with as many or more neurons in its feed-forward networks.

    The outgoing weights of the neurons that are added are 0, so that both models compute the same; their incoming ones
    stay random, so that no two learn the same.
    """
    for name, weight in wide.state_dict().items():
        given = narrow.state_dict()[name]
        if name.endswith("w_2.weight"):
            weight.zero_()
        weight[tuple(slice(size) for size in given.shape)] = given


@torch.no_grad()
def validate(trainer: Trainer, dev: Sequence[EncodedPair]) -> float:
    """The cross-entropy on held-out pairs, in nats per piece; the processes share the batches."""
    all_batches = batches(dev, trainer.tokenizer, trainer.config.batch_tokens, seed=0)
    share = itertools.islice(all_batches, distributed.rank(), None, distributed.process_count())
    results = [trainer.loss(batch, 0.0) for batch in share]
    share_loss, share_pieces = sum(float(loss) for loss, _ in results), sum(pieces for _, pieces in results)
    loss, pieces = distributed.sum_over_processes(share_loss, share_pieces)
    return loss / pieces
