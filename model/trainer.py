"""A training run under way: its model and optimiser, and how far it has come (section 5 of the paper)."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor, nn

from model import checkpoint
from model.config import ModelConfig
from model.data import Batch, EncodedPair, Pair, batches, encode_pairs
from model.hardware import pick_device, uses_bfloat16
from model.loss import smoothed_cross_entropy
from model.recipe import TrainConfig
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


class Trainer:
    """A run under way: model, optimiser, and how far it has come."""

    def __init__(self, config: TrainConfig, tokenizer: Tokenizer, sizes: ModelConfig | None = None):
        """Random weights; `sizes` are those of the recipe's preset unless given."""
        self.config = config
        self.tokenizer = tokenizer
        self.device = pick_device(config.device)
        self.bfloat16 = uses_bfloat16(config.precision, self.device)
        torch.manual_seed(config.seed)
        if sizes is None:
            vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
            sizes = ModelConfig.preset(config.preset, pad_id=tokenizer.pad_id, **vocab)
        self.model = Transformer(replace(sizes, dropout=config.dropout)).to(self.device)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=self.device.type != "mps"
        )
        self.average = WeightAverage()
        self.step = 0
        self.epoch = 0
        self.batch_of_epoch = 0
        self.tokens = 0
        self.seconds = 0.0
        self.window_loss = torch.zeros((), device=self.device)  # summed since the last log line, like window_pieces
        self.window_pieces = 0

    @property
    def progress(self) -> float:
        """How much of the plan is done, 0 to 1."""
        config = self.config
        if config.minutes:
            return min(1.0, self.seconds / (60 * config.minutes))
        return min(1.0, self.step / config.steps if config.steps else self.tokens / config.tokens)

    @property
    def lr(self) -> float:
        """Linear warm-up, and a linear decay that reaches 0 with the plan's end."""
        return self.config.peak_lr * min(1.0, (self.step + 1) / self.config.warmup_steps) * (1 - self.progress)

    def encode_pairs(self, pairs: Sequence[Pair], seed: int) -> list[EncodedPair]:
        """The pairs of one epoch as ids, roughened as the recipe says. Raises ValueError if none is short enough."""
        config = self.config
        encoded = encode_pairs(
            pairs,
            self.tokenizer,
            config.max_pieces,
            sampling=config.sampling,
            as_typed_part=config.as_typed,
            seed=seed,
        )
        if not encoded:
            raise ValueError(f"no pair has at most max_pieces {config.max_pieces} pieces a side")
        return encoded

    def loss(self, batch: Batch, smoothing: float) -> tuple[Tensor, int]:
        """The summed loss of a batch in nats, and how many target pieces it has, EOS included."""
        kept = batch.tgt_out != self.tokenizer.pad_id
        src, tgt_in, target = (x.to(self.device) for x in (batch.src, batch.tgt_in, batch.tgt_out[kept]))
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            states = self.model.decoder(tgt_in, self.model.encode(src)).states
            loss = smoothed_cross_entropy(states[kept.to(self.device)], self.model.projection, target, smoothing)
        return loss, len(target)

    def train_step(self, batch: Batch) -> None:
        """One update of the weights."""
        loss, pieces = self.loss(batch, self.config.label_smoothing)
        (loss / pieces).backward()
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

    def read_window(self) -> float:
        """The mean loss per piece since it was last read."""
        loss = float(self.window_loss) / self.window_pieces
        self.window_loss, self.window_pieces = torch.zeros_like(self.window_loss), 0
        return loss

    @torch.no_grad()
    def validate(self, dev: Sequence[EncodedPair]) -> float:
        """Cross-entropy on held-out pairs, in nats per piece."""
        self.model.eval()
        results = [self.loss(batch, 0.0) for batch in batches(dev, self.tokenizer, self.config.batch_tokens, seed=0)]
        self.model.train()
        return sum(float(loss) for loss, _ in results) / sum(pieces for _, pieces in results)

    def add_to_average(self) -> None:
        """Counts the weights in when the next of the planned moments, evenly spread, has come."""
        config = self.config
        left = config.average_count - self.average.count - 1
        if left >= 0 and self.progress >= 1 - config.average_part * left / config.average_count:
            self.average.add(self.model)

    def save(self, path: Path) -> None:
        """Writes all that resuming needs; a run killed meanwhile keeps its last state."""
        state = {
            "config": asdict(self.config),
            "sizes": asdict(self.model.config),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": (self.average.count, self.average.total),
            "rng": torch.get_rng_state(),
            "cuda_rng": torch.cuda.get_rng_state_all() if self.device.type == "cuda" else [],
            "position": (self.step, self.epoch, self.batch_of_epoch, self.tokens, self.seconds),
            "window": (self.window_loss, self.window_pieces),
        }
        torch.save(state, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    @classmethod
    def start(cls, config: TrainConfig) -> "Trainer":
        """A trainer with the weights, sizes and tokenizer of the checkpoint `config.start`."""
        translator = checkpoint.load(config.start)
        trainer = cls(config, translator.tokenizer, translator.model.config)
        trainer.model.load_state_dict(translator.model.state_dict())
        return trainer

    @classmethod
    def resume(cls, folder: Path) -> "Trainer":
        """The trainer as it was last saved, with the plan that it was started with."""
        state = torch.load(folder / STATE, weights_only=True)
        sizes = ModelConfig(**state["sizes"])
        trainer = cls(TrainConfig(**state["config"]), Tokenizer.load(folder / TOKENIZER), sizes)
        trainer.model.load_state_dict(state["model"])
        trainer.optimizer.load_state_dict(state["optimizer"])
        trainer.average.count, trainer.average.total = state["average"]
        torch.set_rng_state(state["rng"])
        if trainer.device.type == "cuda":
            torch.cuda.set_rng_state_all(state["cuda_rng"])
        trainer.step, trainer.epoch, trainer.batch_of_epoch, trainer.tokens, trainer.seconds = state["position"]
        trainer.window_loss, trainer.window_pieces = state["window"]
        return trainer


def stream(trainer: Trainer, pairs: Sequence[Pair]) -> Iterator[Batch]:
    """Batches without end, from where the trainer stands."""
    config, encoded = trainer.config, list[EncodedPair]()
    while True:
        seed = config.seed * 10_007 + trainer.epoch
        if not encoded or config.sampling or config.as_typed:
            encoded = trainer.encode_pairs(pairs, seed)
        yield from batches(encoded, trainer.tokenizer, config.batch_tokens, seed=seed, start=trainer.batch_of_epoch)
        trainer.epoch += 1
        trainer.batch_of_epoch = 0
