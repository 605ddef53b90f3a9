"""Every tensor of a forward pass over a finished translation, read through the model's probe.

One pass over a finished translation is enough: with a causal mask, its row t equals the last row of decoding step t.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from explorer.recording.trace import Trace
from model.decoding import Translator, distribution
from model.probe import Probe, Site, Visit
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """A translation with the tensors of its forward pass, in the order of computation, as a batch of one."""

    translator: Translator
    trace: Trace
    tensors: dict[Site, np.ndarray]

    @property
    def model(self) -> Transformer:
        return self.translator.model

    def memory(self) -> int:
        """Bytes of the tensors and the trace; tensors that start at one address are views and count once."""
        sizes: dict[int, int] = {}
        for tensor in self.tensors.values():
            address = tensor.__array_interface__["data"][0]
            sizes[address] = max(tensor.nbytes, sizes.get(address, 0))
        return sum(sizes.values()) + self.trace.memory()


def record_pass(translator: Translator, trace: Trace, intervention: Visit | None = None) -> ForwardPass:
    """Runs the model on a whole translation and records every tensor.

    An `intervention` replaces tensors; what it returns is recorded.
    """
    tensors: dict[Site, np.ndarray] = {}

    def visit(site: Site, tensor: Tensor) -> Tensor:
        changed = intervention(site, tensor) if intervention else None
        kept = tensor if changed is None else changed
        tensors[site] = kept.cpu().numpy()
        return kept

    probe, device = Probe(visit), translator.device
    src, tgt_in = (torch.tensor([[piece.id for piece in side]], device=device) for side in (trace.source, trace.target))
    with translator.inference():
        distribution(translator.model(src, tgt_in, probe).logits, probe)
    return ForwardPass(translator, trace, tensors)
