"""The translator: an encoder-decoder Transformer written from scratch; it knows nothing of screens.

Read it in this order: attention, layers, transformer, probe, config, cache, decoding, beam, sampling, tokenizer,
translate. Then come `training/`, `checkpoints/` and `opus/`; `evaluation/` has the commands that measure a model or
write pairs for it. The other files here are commands (checksums, parameters, publish, train) and what all share
(command, files, hardware, languages, tidying).
"""

from typing import Any

# So that `python -m model.evaluate` and its like are found in evaluation/; code imports them as model.evaluation.NAME.
__path__.append(f"{__path__[0]}/evaluation")


def __getattr__(name: str) -> Any:
    """`from model import checkpoint`, which programs and published model cards say."""
    if name == "checkpoint":
        from model.checkpoints import checkpoint

        return checkpoint
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
