"""A training run under way: its model and optimiser, one update after another (section 5 of the paper)."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model import checkpoint, hardware, plan, processes
from model.average import WeightAverage
from model.config import ModelConfig
from model.data import Batch, EncodedPair, batches
from model.flops import training_flops
from model.languages import in_words
from model.loss import BatchLoss
from model.plan import Position
from model.recipe import TrainConfig
from model.record import in_all, runs_of
from model.tidying import tidying_of
from model.tokenizer import Tokenizer
from model.transformer import Transformer
from model.window import Window


class Experience(NamedTuple):
    """What a model has learnt from so far."""

    steps: int
    tokens: int


class Trainer:
    """A run under way: model, optimiser, and how far it has come."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, sizes: ModelConfig | None = None):
        """Random weights; `sizes` are those of the recipe's preset unless given."""
        self.config = config
        self.tokenizer = tokenizer
        self.device = hardware.pick_device(config.device, processes.local_rank())
        hardware.prepare(self.device)
        self.bfloat16 = hardware.uses_bfloat16(config.precision, self.device)
        torch.manual_seed(config.seed)
        if sizes is None:
            vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
            sizes = ModelConfig.preset(config.preset, pad_id=tokenizer.pad_id, **vocab)
        self.model = Transformer(replace(sizes, dropout=config.dropout)).to(self.device)
        compiled = config.compile == "yes" or (config.compile == "auto" and self.device.type == "cuda")
        self.batch_loss = processes.averaging_gradients(
            BatchLoss(self.model, bfloat16=self.bfloat16, compiled=compiled)
        )
        if not processes.is_first():
            torch.manual_seed(config.seed + processes.rank())  # equal weights, but each process's own dropout
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=self.device.type != "mps"
        )
        self.average = WeightAverage()
        self.previous_runs: list[dict[str, Any]] = []  # records of those that made the weights it started from
        self.position = Position()
        self.window = Window(self.device)

    @property
    def progress(self) -> float:
        """How much of the plan is done, 0 to 1."""
        return plan.progress(self.config, self.position)

    @property
    def lr(self) -> float:
        """The learning rate of the next update."""
        return plan.learning_rate(self.config, self.position)

    @property
    def in_all(self) -> Experience:
        """The steps and target pieces of this run and of those before it."""
        step, tokens = self.position.step, self.position.tokens
        return Experience(step + in_all(self.previous_runs, "steps"), tokens + in_all(self.previous_runs, "tokens"))

    def loss(self, batch: Batch, smoothing: float) -> tuple[Tensor, int]:
        """The summed loss in nats of this process's share, and the target pieces of the whole batch, EOS included."""
        return self.batch_loss(batch.to(self.device), smoothing), batch.pieces

    def train_step(self, batch: Batch) -> None:
        """One update of the weights. The host only says what is to be done and does not wait until it is."""
        loss, pieces = self.loss(batch, self.config.label_smoothing)
        (loss * processes.count() / pieces).backward()  # the mean over the processes is the whole batch's gradient
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip_norm)
        for group in self.optimizer.param_groups:
            group["lr"] = self.lr
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.position.step += 1
        self.position.batch_of_epoch += 1
        self.position.tokens += pieces
        (rows, src), tgt = batch.src.shape, batch.tgt_in.size(1)
        flops = training_flops(self.model.config, rows=rows, src=src, tgt=tgt, pieces=len(batch.places))
        self.window.add(loss, pieces=pieces, flops=flops)

    def add_to_average(self) -> None:
        """Counts the weights in when the next of the planned moments has come."""
        if plan.is_average_due(self.config, self.position, self.average.count):
            self.average.add(self.model)


def from_checkpoint(config: TrainConfig) -> Trainer:
    """A trainer with the weights, sizes and tokenizer of the checkpoint `config.start`.

    It goes on between that one's languages and by its rules of tidying, unless the recipe names other languages.
    Raises ValueError where it is a converted one.
    """
    translator = checkpoint.load(config.start)
    if "origin" in translator.record:
        raise ValueError(
            f"{config.start} is a converted model with a tokenizer of another kind, and cannot be trained further: "
            "--start takes a checkpoint that python -m model.train made"
        )
    if not config.languages:
        tidying = config.tidying or tidying_of(translator.record)
        config = replace(config, languages=in_words(translator.languages), tidying=tidying)
    trainer = Trainer(config, translator.tokenizer, translator.model.config)
    trainer.model.load_state_dict(translator.model.state_dict())
    trainer.previous_runs = runs_of(translator.record)
    return trainer


@torch.no_grad()
def validate(trainer: Trainer, dev: Sequence[EncodedPair]) -> float:
    """Cross-entropy on held-out pairs, in nats per piece; each process takes every so many-th batch."""
    trainer.model.eval()
    every = batches(dev, trainer.tokenizer, trainer.config.batch_tokens, seed=0)
    own = itertools.islice(every, processes.rank(), None, processes.count())
    results = [trainer.loss(batch, 0.0) for batch in own]
    trainer.model.train()
    loss, pieces = processes.total(sum(float(loss) for loss, _ in results), sum(pieces for _, pieces in results))
    return loss / pieces
