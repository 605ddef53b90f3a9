"""Times training steps of our model and of a peer, `torch.nn.Transformer`, and how their cost grows with length.

The peer is what a careful user of PyTorch would write: tied embeddings, cross-entropy with label smoothing, the same
optimiser, clipping, precision and batch. Training memory counts the tensors saved for the backward pass; decoding
memory counts the cached keys and values.
"""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from model.cache import Cache
from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.hardware import keep_freed_memory
from model.layers import sinusoidal_positions
from model.tokenizer import Tokenizer
from model.training.data import Batch, EncodedPair, collate
from model.training.recipe import TrainConfig
from model.training.trainer import Trainer

WARM_UP_RUNS = 3
LENGTHS = (32, 64, 128, 256, 512)
FIRST_ID = 4  # the first id after the special pieces


def measure_medians(functions: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Measures functions in turn, so that changes of the machine's speed affect all; returns median seconds of each."""
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for run in range(runs + WARM_UP_RUNS):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            if run >= WARM_UP_RUNS:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


class TorchTransformer(nn.Module):
    """The peer: our configuration with `torch.nn.Transformer`."""

    positions: Tensor

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.src_vocab_size, config.d_model)
        self.transformer = nn.Transformer(
            config.d_model,
            config.n_heads,
            config.layers("encoder"),
            config.layers("decoder"),
            config.d_ff,
            config.dropout,
            config.activation,
            batch_first=True,
        )
        self.projection = nn.Linear(config.d_model, config.tgt_vocab_size)
        self.projection.weight = self.embedding.weight
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("positions", sinusoidal_positions(config.max_len, config.d_model))

    def embed(self, ids: Tensor) -> Tensor:
        return self.dropout(self.embedding(ids) * self.config.d_model**0.5 + self.positions[: ids.size(1)])

    def forward(self, src: Tensor, tgt_in: Tensor) -> Tensor:
        padding = src == self.config.pad_id
        states = self.transformer(
            self.embed(src),
            self.embed(tgt_in),
            tgt_mask=nn.Transformer.generate_square_subsequent_mask(tgt_in.size(1), device=src.device).isinf(),
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
            tgt_key_padding_mask=tgt_in == self.config.pad_id,
            tgt_is_causal=True,
        )
        return self.projection(states)


def random_batch(trainer: Trainer, length: int) -> Batch:
    """A batch of random ids, padded to `length`; a quarter of the pairs is shorter."""
    rows = max(1, trainer.config.batch_tokens // length)
    ids = torch.randint(FIRST_ID, trainer.tokenizer.vocab_size, (rows, length)).tolist()
    rows_of_ids = [row[: length * 3 // 4] if number < rows // 4 else row for number, row in enumerate(ids)]
    pairs = [EncodedPair(row, row[:-1]) for row in rows_of_ids]
    return collate(pairs, trainer.tokenizer).to(trainer.device)


def peer_step(trainer: Trainer, batch: Batch) -> Callable[[], object]:
    """A function that trains the peer for one step, with the trainer's recipe."""
    config, recipe, device = trainer.model.config, trainer.config, trainer.device
    model = TorchTransformer(config).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=device.type != "mps")
    criterion = nn.CrossEntropyLoss(ignore_index=config.pad_id, label_smoothing=recipe.label_smoothing)

    def step() -> None:
        with torch.autocast(device.type, torch.bfloat16, enabled=trainer.bfloat16):
            logits = model(batch.src, batch.tgt_in)
            loss = criterion(logits.flatten(0, 1), batch.tgt_out.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), recipe.clip_norm)
        optimizer.step()
        optimizer.zero_grad()

    return step


def our_step(trainer: Trainer, batch: Batch) -> Callable[[], object]:
    """A function that trains our model for one step."""

    def step() -> None:
        trainer.train_step(batch)

    return step


def saved_bytes(trainer: Trainer, batch: Batch) -> int:
    """Bytes of the tensors that a forward pass saves for the backward pass, without weights."""
    weights = {weight.untyped_storage().data_ptr() for weight in trainer.model.parameters()}
    sizes: dict[int, int] = {}  # by address
    alive = []  # keeps storages, because a freed address may be used again

    def save(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            sizes[storage.data_ptr()] = storage.nbytes()
            alive.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(save, lambda tensor: tensor):
        trainer.loss(batch, trainer.config.label_smoothing)
    return sum(sizes.values())


@torch.inference_mode()
def measure_decoding(trainer: Trainer, length: int) -> tuple[float, int]:
    """Decodes `length` pieces from a source of that length; returns seconds per piece and bytes of the cache."""
    model, cache = trainer.model, Cache(trainer.model.config.layers("decoder"))
    src = torch.randint(FIRST_ID, model.config.src_vocab_size, (1, length), device=trainer.device)
    encoded = model.encode(src)
    start = time.perf_counter()
    for position in range(length):
        model.decode(src[:, position : position + 1], encoded, cache)
    seconds = (time.perf_counter() - start) / length
    cached = [tensor for layer in cache.layers for pair in (layer.fed, layer.memory) if pair for tensor in pair]
    return seconds, sum(tensor.nbytes for tensor in cached)


def new_trainer(preset: str, tokenizer: Tokenizer) -> Trainer:
    vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    sizes = ModelConfig.preset(preset, pad_id=tokenizer.pad_id, max_len=max(LENGTHS), **vocab)
    recipe = TrainConfig(pairs=("random",), steps=10**6, preset=preset, device="cpu")
    trainer = Trainer(recipe, tokenizer, replace(sizes, dropout=recipe.dropout))
    trainer.model.train()
    return trainer


def compare_training(runs: int, preset: str, length: int = 16) -> None:
    """Prints target pieces per second of our training step, of the peer's, and their ratio."""
    keep_freed_memory()
    trainer = new_trainer(preset, checkpoint.load().tokenizer)
    batch = random_batch(trainer, length)
    seconds = measure_medians({"ours": our_step(trainer, batch), "nn.Transformer": peer_step(trainer, batch)}, runs)
    print(f"  {batch.pieces} target tokens a step, sentences of {length}")
    for name, median in seconds.items():
        print(f"  {name:14} {1000 * median:8.1f} ms  {batch.pieces / median:9,.0f} tokens/s")
    print(f"  ratio          {seconds['nn.Transformer'] / seconds['ours']:8.2f}")


def print_growth(runs: int) -> None:
    """Prints time and memory per target piece of training and decoding, for 32 to 512 pieces."""
    keep_freed_memory()
    tokenizer = checkpoint.load().tokenizer
    for preset in ("small", "base"):
        trainer = new_trainer(preset, tokenizer)
        print(f"  {preset}: {sum(weight.numel() for weight in trainer.model.parameters()):,} parameters")
        print("  tokens   training ms   training kB   decoding ms   decoding kB (cache)")
        for length in LENGTHS:
            batch = random_batch(trainer, length)
            step = measure_medians({"step": our_step(trainer, batch)}, max(1, runs // 5))["step"]
            saved = saved_bytes(trainer, batch)
            seconds, cached = measure_decoding(trainer, length)
            print(
                f"  {length:6} {1000 * step / batch.pieces:13.3f} {saved / batch.pieces / 1e3:13.0f}"
                f" {1000 * seconds:13.2f} {cached / length / 1e3:13.1f}"
            )
