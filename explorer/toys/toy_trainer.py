"""A toy model that learns: one update after another, and tests on pairs that it never learns from."""

import random
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import torch
from torch import nn

from explorer.toys import recipe
from explorer.toys.recipe import ToyConfig
from model.decoding import Translator
from model.training.data import Batch, EncodedPair, Pair, collate
from model.training.loss import BatchLoss
from model.transformer import Transformer


class ToyMetrics(NamedTuple):
    """Of a test: the part of the pairs that came out wholly right, the part of the pieces, and the loss."""

    right: float
    pieces_right: float
    loss: float  # nats per piece


class ToyTrainer:
    """A model under way. The same config gives the same numbers, update by update."""

    def __init__(self, config: ToyConfig):
        self.config, self.task = config, config.learnt
        self.tokenizer = self.task.tokenizer
        torch.manual_seed(config.seed)
        self.model = Transformer(config.sizes())
        self.batch_loss = BatchLoss(self.model, bfloat16=False, compiled=False)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.pairs = self.task.pairs(random.Random(f"train {config.task} {config.seed}"))
        self.test = self.collated(self.task.test(recipe.TESTED))
        self.step = self.examples = self.pieces = 0

    @property
    def translator(self) -> Translator:
        return Translator(self.model, self.tokenizer)

    def collated(self, pairs: Sequence[Pair]) -> Batch:
        """A batch of pairs."""
        sides = (self.tokenizer.encode_all([pair[side] for pair in pairs]) for side in (0, 1))
        encoded = [EncodedPair([*src, self.tokenizer.eos_id], tgt) for src, tgt in zip(*sides, strict=True)]
        return collate(encoded, self.tokenizer)

    def learn(self) -> float:
        """One update; gives its loss before it, in nats per piece."""
        batch = self.collated(list(islice(self.pairs, recipe.ROWS)))
        self.model.train()
        loss = self.batch_loss(batch, 0.0) / batch.pieces
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), recipe.CLIP_NORM)
        for group in self.optimizer.param_groups:
            group["lr"] = recipe.learning_rate(self.step)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        self.examples += recipe.ROWS
        self.pieces += batch.pieces
        return float(loss.detach())

    @torch.inference_mode()
    def examine(self) -> ToyMetrics:
        """A test. A target is wholly right if every piece is predicted that follows the right ones before it.

        Greedy decoding then writes it: it feeds the same pieces, one after another.
        """
        self.model.eval()
        logits = self.model(self.test.src, self.test.tgt_in).logits
        logits[..., self.translator.excluded_ids] = -torch.inf
        log_probability = logits.log_softmax(dim=-1).gather(-1, self.test.tgt_out[..., None])[..., 0]
        counts = self.test.tgt_out != self.tokenizer.pad_id
        right = (logits.argmax(dim=-1) == self.test.tgt_out) & counts
        return ToyMetrics(
            right=float((right | ~counts).all(dim=1).float().mean()),
            pieces_right=float(right.sum() / counts.sum()),
            loss=float(-log_probability[counts].mean()),
        )
