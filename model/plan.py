"""How far a run has come, and what its recipe plans for there (section 5.3 of the paper)."""

from dataclasses import dataclass

from model.recipe import TrainConfig


@dataclass
class Position:
    """How far a run has come."""

    step: int = 0
    epoch: int = 0
    batch_of_epoch: int = 0
    tokens: int = 0  # target pieces
    seconds: float = 0.0


def progress(config: TrainConfig, position: Position) -> float:
    """How much of the plan is done, 0 to 1."""
    if config.minutes:
        return min(1.0, position.seconds / (60 * config.minutes))
    return min(1.0, position.step / config.steps if config.steps else position.tokens / config.tokens)


def learning_rate(config: TrainConfig, position: Position) -> float:
    """Linear warm-up, and a linear decay that reaches 0 with the plan's end."""
    return config.peak_lr * min(1.0, (position.step + 1) / config.warmup_steps) * (1 - progress(config, position))


def is_average_due(config: TrainConfig, position: Position, count: int) -> bool:
    """Whether the next of the moments whose weights are averaged has come; `count` are in the average already.

    The moments are spread evenly over the last part of the run.
    """
    left = config.average_count - count - 1
    return left >= 0 and progress(config, position) >= 1 - config.average_part * left / config.average_count
