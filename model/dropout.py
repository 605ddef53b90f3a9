"""Dropout, with random numbers that cost a CPU little (section 5.4; Srivastava et al. 2014)."""

import math

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Sets each element to zero with probability `p` while training and scales the others by 1 / (1 - p).

    On a CPU most of dropout's time goes into random numbers, so eight elements share one 64-bit number
    there, a byte each, and `p` is rounded to a multiple of 1/256 between 1/256 and 255/256.
    """

    def __init__(self, p: float):
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return nn.functional.dropout(x, self.p)
        threshold = min(max(round(256 * self.p), 1), 255)
        numbers = torch.empty(math.ceil(x.numel() / 8), dtype=torch.int64).random_(-(2**63), None)
        keep = numbers.view(torch.uint8)[: x.numel()].view(x.shape) >= threshold
        return x * keep.to(x.dtype).mul_(256 / (256 - threshold))
