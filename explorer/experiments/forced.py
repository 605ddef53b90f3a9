"""The probability of a forced translation in a batch of runs, each with its own interventions."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from model.decoding import Translator
from model.probe import NO_PROBE, Probe

T = TypeVar("T")
MAX_BATCH_POSITIONS = 2**11  # source and target positions: 0.1 GB in the shipped model


def in_batches(rows: Sequence[T], src: Sequence[int], tgt_out: Sequence[int]) -> list[Sequence[T]]:
    """Splits rows into batches that `log_probabilities` has memory for."""
    size = max(1, MAX_BATCH_POSITIONS // (len(src) + len(tgt_out)))
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def log_probabilities(
    translator: Translator,
    src: Sequence[int],
    tgt_out: Sequence[int],
    memory_of: Sequence[int] = (0,),
    *,
    encoder: Probe = NO_PROBE,
    decoder: Probe = NO_PROBE,
) -> Float[np.ndarray, "row step"]:
    """The log-probability of every piece of a forced translation, in nats, in double precision.

    Row r of the decoder reads row memory_of[r] of the encoder, which has max(memory_of) + 1 rows; the probes intervene
    per row. Excluded pieces have probability 0, as in `Translator.steps`.
    """
    with translator.inference():
        device = translator.device
        ids = torch.tensor([*src], device=device).expand(max(memory_of) + 1, -1)
        encoded = translator.model.encode(ids, encoder).select(torch.tensor([*memory_of], device=device))
        tgt_in = torch.tensor([translator.tokenizer.bos_id, *tgt_out[:-1]], device=device).expand(len(memory_of), -1)
        return read_pieces(translator, translator.model.decode(tgt_in, encoded, probe=decoder).logits, tgt_out)


def read_pieces(
    translator: Translator, logits: Float[Tensor, "row step vocab"], tgt_out: Sequence[int]
) -> Float[np.ndarray, "row step"]:
    """The log-probability of each of some pieces by its row of logits, which this changes."""
    logits[..., translator.excluded_ids] = -torch.inf
    targets = torch.tensor([*tgt_out], device=logits.device).expand(len(logits), -1)[..., None]
    return logits.log_softmax(dim=-1).gather(2, targets)[..., 0].double().cpu().numpy()
