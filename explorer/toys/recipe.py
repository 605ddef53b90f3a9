"""What may be chosen of a toy, and the recipe, which is all the rest.

With these settings every task reaches its goal in 200 to 560 updates (docs/experiments.md, "Toys"). Without positions
reversing and copying cannot be learned, for their answers follow from the order alone, and numbers only where their
words have one order ("forty two"); sorting and dates can, for a digit and a part of a date say by themselves where they
belong.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from explorer.toys.tasks import TASKS, Task
from model.config import ModelConfig

Name = Literal["reverse", "copy", "sort", "numbers", "dates"]

D_MODEL, D_FF = 48, 96  # d_model, which 1 to 4 heads divide, and d_ff
MAX_LEN = 48  # pieces
BATCH_SIZE = 128  # pairs of an update
PEAK_LR, WARMUP_STEPS = 3e-3, 100  # the rate rises over so many updates, then falls with the root of their number
CLIP_NORM = 1.0
TEST_PAIRS = 256  # held-out pairs of a test
TEST_STEPS = 20  # updates from one test that may be the last to the next
REPORT_STEPS = 5  # updates between two tests at the least: a test takes as long as one of them
GOAL_ACCURACY = 0.99  # the part of them that is wholly right when the training has reached what it was for
MAX_SECONDS = 180.0  # of training


class ToyConfig(BaseModel):
    """What a visitor chooses."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    task: Name = "reverse"
    layers: Annotated[int, Field(ge=1, le=3)] = 2
    heads: Annotated[int, Field(ge=1, le=4)] = 2
    positions: bool = True
    seed: Annotated[int, Field(ge=0, le=999_999)] = 0

    @property
    def learnt(self) -> Task:
        return TASKS[self.task]

    def transformer_config(self) -> ModelConfig:
        """Those of the Transformer."""
        tokenizer = self.learnt.tokenizer
        return ModelConfig(
            src_vocab_size=tokenizer.vocab_size,
            tgt_vocab_size=tokenizer.vocab_size,
            n_layers=self.layers,
            n_heads=self.heads,
            d_model=D_MODEL,
            d_ff=D_FF,
            max_len=MAX_LEN,
            dropout=0.0,
            positions="sinusoidal" if self.positions else "none",
            pad_id=tokenizer.pad_id,
        )


def learning_rate(step: int) -> float:
    """Of the update after `step` others: a linear rise, then the inverse square root (section 5.3 of the paper)."""
    return PEAK_LR * min((step + 1) / WARMUP_STEPS, (WARMUP_STEPS / (step + 1)) ** 0.5)
