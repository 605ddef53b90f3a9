"""A training run under way: its model and optimiser, and how far it has come (section 5 of the paper)."""

import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model import checkpoint, hardware, processes
from model.config import ModelConfig
from model.data import Batch, EncodedPair, Pair, ahead, batch_indices, batches, encode_pairs, share
from model.flops import training_flops
from model.loss import BatchLoss
from model.mix import Portion, draw, is_drawn_anew
from model.recipe import TrainConfig
from model.record import in_all, runs_of
from model.tokenizer import Tokenizer
from model.transformer import Transformer

STATE, TOKENIZER = "state.pt", "tokenizer.model"


class WeightAverage:
    """The mean of the weights at several moments of a run."""

    def __init__(self):
        self.count = 0
        self.total: dict[str, Tensor] = {}

    def add(self, model: nn.Module) -> None:
        for name, weight in model.state_dict().items():
            self.total[name] = self.total[name] + weight if self.count else weight.clone()
        self.count += 1

    def apply_to(self, model: nn.Module) -> None:
        if self.count:
            model.load_state_dict({name: total / self.count for name, total in self.total.items()})


class Seen(NamedTuple):
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
        self.before: list[dict[str, Any]] = []  # records of the runs that made the weights it started from, in order
        self.step = 0
        self.epoch = 0
        self.batch_of_epoch = 0
        self.tokens = 0
        self.seconds = 0.0
        self.window_loss = torch.zeros((), device=self.device)  # summed since the last log line, like window_pieces
        self.window_pieces = 0
        self.window_flops = 0

    @property
    def progress(self) -> float:
        """How much of the plan is done, 0 to 1."""
        config = self.config
        if config.minutes:
            return min(1.0, self.seconds / (60 * config.minutes))
        return min(1.0, self.step / config.steps if config.steps else self.tokens / config.tokens)

    @property
    def in_all(self) -> Seen:
        """The steps and target pieces of this run and of those before it."""
        return Seen(self.step + in_all(self.before, "steps"), self.tokens + in_all(self.before, "tokens"))

    @property
    def lr(self) -> float:
        """Linear warm-up, and a linear decay that reaches 0 with the plan's end."""
        return self.config.peak_lr * min(1.0, (self.step + 1) / self.config.warmup_steps) * (1 - self.progress)

    def seed_of(self, epoch: int) -> int:
        """What an epoch's batches and roughenings depend on."""
        return self.config.seed * 10_007 + epoch

    def encode_pairs(self, pairs: Sequence[Pair], seed: int) -> list[EncodedPair]:
        """The pairs of one epoch as ids, roughened as the recipe says. Raises ValueError if none is short enough."""
        config = self.config
        # SentencePiece draws differently in every process, so each draws for some and hands the result round.
        rank, count = (processes.rank(), processes.count()) if config.sampling else (0, 1)
        own = encode_pairs(
            pairs[rank::count],
            self.tokenizer,
            config.max_pieces,
            sampling=config.sampling,
            sampled_sources=config.sampled_sources,
            as_typed_part=config.as_typed,
            seed=seed + rank,
        )
        encoded = [pair for part in processes.gather(own) for pair in part] if config.sampling else own
        if not encoded:
            raise ValueError(f"no pair has at most max_pieces {config.max_pieces} pieces a side")
        return encoded

    def epoch_pairs(self, portions: Sequence[Portion], epoch: int) -> list[EncodedPair]:
        """What an epoch holds, as ids; the same in every process and after every resumption."""
        seed = self.seed_of(epoch)
        return self.encode_pairs(draw(portions, joined=self.config.joined, seed=seed), seed)

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
        self.step += 1
        self.batch_of_epoch += 1
        self.tokens += pieces
        self.window_loss += loss.detach()
        self.window_pieces += pieces
        (rows, src), tgt = batch.src.shape, batch.tgt_in.size(1)
        self.window_flops += training_flops(self.model.config, rows=rows, src=src, tgt=tgt, pieces=len(batch.places))

    def read_window(self) -> tuple[float, float]:
        """The mean loss per piece and the FLOPs of all processes since it was last read; waits for the device."""
        loss, flops = processes.total(float(self.window_loss), self.window_flops)
        loss /= self.window_pieces
        self.window_loss, self.window_pieces, self.window_flops = torch.zeros_like(self.window_loss), 0, 0
        return loss, flops

    @torch.no_grad()
    def validate(self, dev: Sequence[EncodedPair]) -> float:
        """Cross-entropy on held-out pairs, in nats per piece; each process takes every so many-th batch."""
        self.model.eval()
        every = batches(dev, self.tokenizer, self.config.batch_tokens, seed=0)
        own = itertools.islice(every, processes.rank(), None, processes.count())
        results = [self.loss(batch, 0.0) for batch in own]
        self.model.train()
        loss, pieces = processes.total(sum(float(loss) for loss, _ in results), sum(pieces for _, pieces in results))
        return loss / pieces

    def add_to_average(self) -> None:
        """Counts the weights in when the next of the planned moments, evenly spread, has come."""
        config = self.config
        left = config.average_count - self.average.count - 1
        if left >= 0 and self.progress >= 1 - config.average_part * left / config.average_count:
            self.average.add(self.model)

    def own_state(self) -> dict[str, Any]:
        """What each process of a run has of its own: random numbers to come, and its part of the loss."""
        own = {"rng": torch.get_rng_state(), "window": (self.window_loss.cpu(), self.window_pieces)}
        return own | ({"device_rng": torch.cuda.get_rng_state(self.device)} if self.device.type == "cuda" else {})

    def restore_own(self, own: dict[str, Any]) -> None:
        """A state from another kind of device has no random numbers for a GPU, which then starts from the seed."""
        torch.set_rng_state(own["rng"])
        if "device_rng" in own and self.device.type == "cuda":
            torch.cuda.set_rng_state(own["device_rng"], self.device)
        loss, self.window_pieces = own["window"]
        self.window_loss = loss.to(self.device)

    def save(self, path: Path) -> None:
        """Writes all that resuming needs, for all processes; a run killed meanwhile keeps its last state."""
        of_processes = processes.gather(self.own_state())
        if not processes.is_first():
            return
        state = {
            "config": asdict(self.config),
            "sizes": asdict(self.model.config),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": (self.average.count, self.average.total),
            "position": (self.step, self.epoch, self.batch_of_epoch, self.tokens, self.seconds),
            "processes": of_processes,
            "before": self.before,
        }
        torch.save(state, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    @classmethod
    def start(cls, config: TrainConfig) -> "Trainer":
        """A trainer with the weights, sizes and tokenizer of the checkpoint `config.start`."""
        translator = checkpoint.load(config.start)
        trainer = cls(config, translator.tokenizer, translator.model.config)
        trainer.model.load_state_dict(translator.model.state_dict())
        trainer.before = runs_of(translator.record)
        return trainer

    @classmethod
    def resume(cls, folder: Path) -> "Trainer":
        """The trainer as it was last saved, with the plan that it was started with.

        Raises ValueError where there are not as many processes as then.
        """
        state = torch.load(folder / STATE, map_location="cpu", weights_only=True)
        of_processes = state.get("processes", [state])  # a state from when there was always one holds that one's own
        if len(of_processes) != processes.count():
            raise ValueError(
                f"the run in {folder} has {len(of_processes)} processes and cannot be continued with "
                f"{processes.count()}; {processes.command(len(of_processes))} --resume --run {folder} goes on with it"
            )
        sizes = ModelConfig(**state["sizes"])
        trainer = cls(TrainConfig(**state["config"]), Tokenizer.load(folder / TOKENIZER), sizes)
        trainer.model.load_state_dict(state["model"])
        trainer.optimizer.load_state_dict(state["optimizer"])
        count, total = state["average"]
        trainer.average.count, trainer.average.total = count, {name: w.to(trainer.device) for name, w in total.items()}
        trainer.step, trainer.epoch, trainer.batch_of_epoch, trainer.tokens, trainer.seconds = state["position"]
        trainer.before = state.get("before", [])
        trainer.restore_own(of_processes[processes.rank()])
        return trainer


def shares(
    trainer: Trainer, encoded: Sequence[EncodedPair], epochs: Iterable[int], start: int
) -> Iterator[tuple[int, Batch]]:
    """Epochs with this process's share of each of their batches, from the `start`-th of the first one on."""
    rank, count = processes.rank(), processes.count()
    for epoch in epochs:
        for indices in batch_indices(encoded, trainer.config.batch_tokens, trainer.seed_of(epoch))[start:]:
            batch = share([encoded[i] for i in indices], trainer.tokenizer, rank=rank, count=count)
            yield epoch, batch.pin() if trainer.device.type == "cuda" else batch
        start = 0


def stream(trainer: Trainer, portions: Sequence[Portion]) -> Iterator[Batch]:
    """What this process computes of batches without end, from where the trainer stands; a thread prepares them."""
    config = trainer.config
    changing = config.sampling or config.as_typed or is_drawn_anew(portions, config.joined)
    while True:
        encoded = trainer.epoch_pairs(portions, trainer.epoch)
        epochs = [trainer.epoch] if changing else itertools.count(trainer.epoch)
        for epoch, batch in ahead(shares(trainer, encoded, epochs, trainer.batch_of_epoch)):
            if epoch != trainer.epoch:
                trainer.epoch, trainer.batch_of_epoch = epoch, 0
            yield batch
        trainer.epoch, trainer.batch_of_epoch = trainer.epoch + 1, 0
