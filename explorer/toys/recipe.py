"""The configuration of a toy that visitors choose, in words too, and the fixed training settings.

With these settings every task reaches its goal in 200 to 560 updates (docs/experiments.md, "Toys"). Without positions,
a model cannot learn to reverse or copy, where answers depend on order alone, and learns numbers only if their words
have one possible order ("forty two"). It can learn sorting and dates, where digits and parts of a date determine their
own place.
"""

from typing import Annotated, Literal

from pydantic import Field

from explorer.toys.tasks import TASKS, Task
from explorer.ui.language import join_list
from explorer.ui.questions import StrictModel
from explorer.ui.translations import Translations
from model.config import ModelConfig

words = Translations(__file__)
Name = Literal["reverse", "copy", "sort", "numbers", "dates"]

D_MODEL, D_FF = 48, 96  # d_model is divisible by 1 to 4 heads
MAX_LEN = 48  # pieces
BATCH_SIZE = 128  # pairs per update
PEAK_LR, WARMUP_STEPS = 3e-3, 100  # linear warm-up, then inverse square root decay
CLIP_NORM = 1.0
TEST_PAIRS = 256  # held-out
TEST_STEPS = 20  # updates between tests that may end the training
REPORT_STEPS = 5  # minimum updates between reports, because a test takes as long as one
GOAL_ACCURACY = 0.99  # fraction of right targets at which training ends
MAX_SECONDS = 180.0  # of training


class ToyConfig(StrictModel):
    """The visitor's choices."""

    task: Name = "reverse"
    layers: Annotated[int, Field(ge=1, le=3)] = 2
    heads: Annotated[int, Field(ge=1, le=4)] = 2
    positions: bool = True
    seed: Annotated[int, Field(ge=0, le=999_999)] = 0

    @property
    def task_definition(self) -> Task:
        return TASKS[self.task]

    def transformer_config(self) -> ModelConfig:
        """The configuration of the Transformer."""
        tokenizer = self.task_definition.tokenizer
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
    """The learning rate at a zero-based step: linear warm-up, then inverse square root (section 5.3 of the paper)."""
    return PEAK_LR * min((step + 1) / WARMUP_STEPS, (WARMUP_STEPS / (step + 1)) ** 0.5)


def about(config: ToyConfig) -> str:
    """The task and the sizes of a toy in words, on one line."""
    layers = words.ABOUT["layer" if config.layers == 1 else "layers"].format(count=config.layers)
    heads = words.ABOUT["head" if config.heads == 1 else "heads"].format(count=config.heads)
    parts = [words.TASKS[config.task], layers, heads]
    return join_list(parts if config.positions else [*parts, words.ABOUT["without"]])
