"""The translator: an encoder-decoder Transformer written from scratch; it knows nothing of screens.

Read it in this order: attention, layers, transformer, probe, config, cache, decoding, beam, sampling, tokenizer,
translate. Then come `training/`, `checkpoints/` and `opus/`. The other files here are commands (checksums, parameters,
train) and what all share (command, files, hardware, languages, tidying).
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """`from model import checkpoint`, which programs and published model cards say."""
    if name == "checkpoint":
        from model.checkpoints import checkpoint

        return checkpoint
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
