"""A training run under way: its recipe, its model and optimiser, and how far it has come (section 5 of the paper)."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from model import checkpoint
from model.config import ModelConfig
from model.data import Batch, EncodedPair, Pair, batches, encode_pairs
from model.hardware import pick_device, uses_bfloat16
from model.loss import smoothed_cross_entropy
from model.tokenizer import Tokenizer
from model.transformer import Transformer

STATE, TOKENIZER = "state.pt", "tokenizer.model"


def option(default: Any, text: str) -> Any:
    """A field of TrainConfig, which is a flag of the command too."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class TrainConfig:
    """The recipe; the defaults are that of the shipped checkpoint."""

    pairs: tuple[str, ...] = option((), "TSV or TSV.gz files to learn from: source, tab, target")
    dev: tuple[str, ...] = option((), "TSV or TSV.gz files for the validation loss")
    data_note: str = option("", "a sentence about the data's origin and licences, for the model card")
    start: str = option("", "checkpoint to start from, with its sizes and tokenizer, instead of random weights")
    preset: str = option("small", "model sizes: small, base or seed")
    vocab_size: int = option(8000, "pieces of the tokenizer that both languages share")
    max_pieces: int = option(128, "longer pairs are left out")
    batch_tokens: int = option(2560, "padded positions of a batch, a side")
    peak_lr: float = option(1e-3, "learning rate at the end of the warm-up")
    warmup_steps: int = option(1000, "steps of linear warm-up")
    dropout: float = option(0.1, "on embeddings, attention weights and sub-layer outputs")
    label_smoothing: float = option(0.1, "probability spread over the vocabulary")
    sampling: float = option(0.0, "alpha of subword sampling, the sharper the larger; 0: none")
    as_typed: float = option(0.0, "share of sources without their final mark or in lower case")
    clip_norm: float = option(1.0, "largest norm of the gradient")
    minutes: float = option(0.0, "length of the run on the clock; the learning rate decays with it")
    steps: int = option(0, "length of the run in steps, instead of minutes")
    tokens: int = option(0, "length of the run in target pieces, instead of minutes")
    average_part: float = option(0.1, "last part of the run, whose weights are averaged")
    average_count: int = option(10, "how many moments of that part enter the average; 0: none")
    log_steps: int = option(50, "steps between two log lines")
    dev_steps: int = option(1000, "steps between two validations")
    moments: bool = option(False, "keep the weights at steps 0, 10, 20, 50, 100, ... for python -m explorer.story")
    save_minutes: float = option(3.0, "minutes between two saved states")
    precision: str = option("auto", "float32, bfloat16 (autocast), or auto: bfloat16 where it is faster")
    device: str = option("auto", "cuda, mps, cpu, or auto: the first of them at hand")
    seed: int = option(0, "of initial weights, batches and dropout")

    def __post_init__(self):
        if not self.pairs:
            raise ValueError("training needs at least one file of sentence pairs (--pairs)")
        if sum(length > 0 for length in (self.minutes, self.steps, self.tokens)) != 1:
            raise ValueError(
                f"give one of --minutes, --steps and --tokens, not {self.minutes}, {self.steps} and {self.tokens}"
            )
        for name in ("warmup_steps", "log_steps", "dev_steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.batch_tokens < self.max_pieces:
            raise ValueError(f"batch_tokens {self.batch_tokens} is less than max_pieces {self.max_pieces}")
        if self.precision not in ("auto", "float32", "bfloat16"):
            raise ValueError(f"precision must be auto, float32 or bfloat16, not {self.precision!r}")


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
