"""What is counted between two lines of a run's log."""

import torch
from torch import Tensor

from model import processes


class Window:
    """Sums since they were last read; the loss stays on the device until then, so that no step waits for it."""

    def __init__(self, device: torch.device):
        self.loss = torch.zeros((), device=device)
        self.pieces = 0
        self.flops = 0

    def add(self, loss: Tensor, *, pieces: int, flops: int) -> None:
        """The loss and FLOPs of this process's share of a batch, and the target pieces of the whole batch."""
        self.loss += loss.detach()
        self.pieces += pieces
        self.flops += flops

    def read(self) -> tuple[float, float]:
        """The mean loss per piece and the FLOPs of all processes since it was last read; waits for the device."""
        loss, flops = processes.total(float(self.loss), self.flops)
        loss /= self.pieces
        self.loss, self.pieces, self.flops = torch.zeros_like(self.loss), 0, 0
        return loss, flops
