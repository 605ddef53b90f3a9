"""Greedy decoding of several sentences together, each as if it were alone.

Padding is masked, so that it changes no number beyond the rounding of larger matrix products.
"""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from model.cache import Cache
from model.data import pad
from model.decoding import Step, Translator, steps_of
from model.transformer import Encoded


def cut(encoded: Encoded, row: int, n_src: int) -> Encoded:
    """One sentence of a batch, without the padding behind it; a view."""
    rows = slice(row, row + 1)
    attention = [weights[rows, :, :n_src, :n_src] for weights in encoded.attention]
    return Encoded(encoded.memory[rows, :n_src], encoded.mask[rows, :, :, :n_src], attention)


@torch.inference_mode()
def steps_together(
    translator: Translator, sources: Sequence[Sequence[int]], max_steps: Sequence[int]
) -> list[tuple[Encoded, list[Step]]]:
    """What `Translator.encode` and `Translator.steps` give for each source alone, each with its own limit.

    A row whose sentence is finished leaves the batch.
    """
    tokenizer, lengths = translator.tokenizer, [len(src) for src in sources]
    whole = translator.model.encode(pad([list(src) for src in sources], tokenizer.pad_id).to(translator.device))
    steps: list[list[Step]] = [[] for _ in sources]
    going = [row for row, limit in enumerate(max_steps) if limit > 0]
    cache = Cache(translator.model.config.n_decoder_layers)
    encoded = Encoded(whole.memory, whole.mask, [])  # the encoder's weights are not decoded from
    if len(going) < len(sources):
        encoded = encoded.select(torch.tensor(going, dtype=torch.long, device=translator.device))
    fed = torch.full((len(going), 1), tokenizer.bos_id, device=translator.device)
    while going:
        new = next_steps(translator, encoded, cache, fed, [lengths[row] for row in going])
        for row, step in zip(going, new, strict=True):
            steps[row].append(step)
        kept = [
            place
            for place, (row, step) in enumerate(zip(going, new, strict=True))
            if step.id != tokenizer.eos_id and len(steps[row]) < max_steps[row]
        ]
        if 0 < len(kept) < len(going):
            places = torch.tensor(kept, device=translator.device)
            cache.select(places)
            encoded = encoded.select(places)
        going = [going[place] for place in kept]
        fed = torch.tensor([[new[place].id] for place in kept], device=translator.device)
    return [(cut(whole, row, n_src), steps[row]) for row, n_src in enumerate(lengths)]


def next_steps(
    translator: Translator, encoded: Encoded, cache: Cache, fed: Int[Tensor, "row 1"], lengths: Sequence[int]
) -> list[Step]:
    """The next step of every row; `lengths` are those of the sources without their padding."""
    decoded = translator.model.decode(fed, encoded, cache)
    logits = decoded.logits[:, 0]
    logits[:, translator.never_chosen] = -math.inf
    own, cross = (torch.stack(weights)[..., 0, :] for weights in (decoded.self_attention, decoded.cross_attention))
    return steps_of(
        logits,
        self_attention=own.unbind(dim=1),
        cross_attention=[row[..., :n_src] for row, n_src in zip(cross.unbind(dim=1), lengths, strict=True)],
    )
