"""How fast a training step is, and what it takes as sentences grow.

    python -m explorer.bench.training

First, `Trainer.train_step` against the same configuration built from `torch.nn.Transformer`, as a careful user
of PyTorch would write it: tied embeddings, cross-entropy with label smoothing, the same optimiser, clipping,
precision and batch. Steps take turns, medians are compared; the ratio is ours to theirs in target pieces a second.

Then, for `small` and `base` and sentences of 32 to 512 pieces: time and memory of a training step for each target
piece, and of decoding. Memory of training counts the tensors that a step keeps for its backward pass; memory of
decoding is that of the cached keys and values.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor, nn

from explorer.bench.timing import interleaved
from model.cache import Cache
from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.hardware import keep_freed_memory
from model.layers import sinusoidal_positions
from model.tokenizer import Tokenizer
from model.training.data import Batch, EncodedPair, collate
from model.training.recipe import TrainConfig
from model.training.trainer import Trainer

LENGTHS = (32, 64, 128, 256, 512)
FIRST_ID = 4  # the first id that is not a special piece


class TorchTransformer(nn.Module):
    """The peer: our configuration around `torch.nn.Transformer`."""

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


def sentences(trainer: Trainer, length: int) -> Batch:
    """Random ids, every sentence as long; a quarter of the pairs end early, so that there is padding."""
    rows = max(1, trainer.config.batch_tokens // length)
    ids = torch.randint(FIRST_ID, trainer.tokenizer.vocab_size, (rows, length)).tolist()
    kept = [row[: length * 3 // 4] if number < rows // 4 else row for number, row in enumerate(ids)]
    pairs = [EncodedPair(row, row[:-1]) for row in kept]
    return collate(pairs, trainer.tokenizer).to(trainer.device)


def peer_step(trainer: Trainer, batch: Batch) -> Callable[[], object]:
    """A step of the peer on the same batch, with the trainer's recipe."""
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
        finish(device)

    return step


def our_step(trainer: Trainer, batch: Batch) -> Callable[[], object]:
    def step() -> None:
        trainer.train_step(batch)
        finish(trainer.device)

    return step


def finish(device: torch.device) -> None:
    """Waits for a GPU's queue, so that a step is timed and not its start."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def kept_bytes(trainer: Trainer, batch: Batch) -> int:
    """Bytes of the tensors that a forward pass keeps for the backward pass, weights not counted."""
    weights = {weight.untyped_storage().data_ptr() for weight in trainer.model.parameters()}
    kept: dict[int, int] = {}
    alive = []  # a freed storage would lend its address to another

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage.nbytes()
            alive.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        trainer.loss(batch, trainer.config.label_smoothing)
    return sum(kept.values())


@torch.inference_mode()
def decoding(trainer: Trainer, length: int) -> tuple[float, int]:
    """Seconds a piece to decode `length` pieces from a source of `length`, and the bytes of the cache then."""
    model, cache = trainer.model.eval(), Cache(trainer.model.config.layers("decoder"))
    src = torch.randint(FIRST_ID, model.config.src_vocab_size, (1, length), device=trainer.device)
    encoded = model.encode(src)
    start = time.perf_counter()
    for position in range(length):
        model.decode(src[:, position : position + 1], encoded, cache)
    finish(trainer.device)
    seconds = (time.perf_counter() - start) / length
    model.train()
    held = [tensor for layer in cache.layers for pair in (layer.fed, layer.memory) if pair for tensor in pair]
    return seconds, sum(tensor.nbytes for tensor in held)


def new_trainer(preset: str, tokenizer: Tokenizer, device: str, max_len: int = 512) -> Trainer:
    vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    sizes = ModelConfig.preset(preset, pad_id=tokenizer.pad_id, max_len=max_len, **vocab)
    recipe = TrainConfig(pairs=("random",), steps=10**6, preset=preset, device=device)
    trainer = Trainer(recipe, tokenizer, replace(sizes, dropout=recipe.dropout))
    trainer.model.train()
    return trainer


def print_ratio(trainer: Trainer, length: int, runs: int) -> None:
    batch = sentences(trainer, length)
    seconds = interleaved({"ours": our_step(trainer, batch), "nn.Transformer": peer_step(trainer, batch)}, runs)
    print(f"{batch.pieces} target pieces a step, sentences of {length}, median of {runs}")
    for name, median in seconds.items():
        print(f"  {name:14} {1000 * median:8.1f} ms  {batch.pieces / median:9,.0f} pieces/s")
    print(f"  ratio          {seconds['nn.Transformer'] / seconds['ours']:8.2f}  (target 1.2)")


def print_growth(trainer: Trainer, runs: int) -> None:
    parameters = sum(weight.numel() for weight in trainer.model.parameters())
    print(f"{trainer.config.preset}: {parameters:,} parameters; a target piece takes")
    print("  pieces   training ms   training kB   decoding ms   decoding kB (cache)")
    for length in LENGTHS:
        batch = sentences(trainer, length)
        step = interleaved({"step": our_step(trainer, batch)}, runs)["step"]
        kept = kept_bytes(trainer, batch)
        seconds, cached = decoding(trainer, length)
        print(
            f"  {length:6} {1000 * step / batch.pieces:13.3f} {kept / batch.pieces / 1e3:13.0f} {1000 * seconds:13.2f} "
            f"{cached / length / 1e3:13.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser("python -m explorer.bench.training", description="Speed and memory of training.")
    parser.add_argument("--preset", default="small", help="model sizes of the comparison (default small)")
    parser.add_argument("--length", type=int, default=16, help="pieces of its sentences (default 16, as the data's)")
    parser.add_argument("--runs", type=int, default=15, help="counted steps of each (default 15)")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch on a CPU (default 2)")
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")
    parser.add_argument("--ratio-only", action="store_true", help="leave out the growth with the sentences' length")
    options = parser.parse_args()
    keep_freed_memory()
    torch.set_num_threads(options.threads)
    tokenizer = checkpoint.load().tokenizer
    print_ratio(new_trainer(options.preset, tokenizer, options.device), options.length, options.runs)
    if not options.ratio_only:
        for preset in ("small", "base"):
            print_growth(new_trainer(preset, tokenizer, options.device), max(1, options.runs // 5))


if __name__ == "__main__":
    main()
