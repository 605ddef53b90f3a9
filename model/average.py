"""The average of the last weights of a run (section 6.1 of the paper)."""

from torch import Tensor, nn


class WeightAverage:
    """The mean of the weights at several moments of a run."""

    def __init__(self):
        self.count = 0
        self.total: dict[str, Tensor] = {}

    def add(self, model: nn.Module) -> None:
        for name, weight in model.state_dict().items():
            self.total[name] = self.total[name] + weight if self.count else weight.clone()
        self.count += 1

    def apply_to(self, model: nn.Module) -> None:
        if self.count:
            model.load_state_dict({name: total / self.count for name, total in self.total.items()})
