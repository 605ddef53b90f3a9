"""Every tensor of a forward pass over finished translations, read through the model's probe.

One pass over a finished translation is enough: with a causal mask, its row t equals the last row of decoding step t.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from torch import Tensor

from explorer.recording.trace import Trace
from model.decoding import Translator, distribution
from model.probe import Probe, Site, Visit
from model.tokenizer import pad
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """A batch of translations with the tensors of its forward pass, in the order of computation."""

    translator: Translator
    traces: tuple[Trace, ...]
    src: Int[np.ndarray, "batch src"]
    tgt_in: Int[np.ndarray, "batch tgt"]
    tensors: dict[Site, np.ndarray]

    @property
    def model(self) -> Transformer:
        return self.translator.model

    def memory(self) -> int:
        """Bytes of the tensors and traces; tensors that start at one address are views and count once."""
        sizes: dict[int, int] = {}
        for tensor in self.tensors.values():
            address = tensor.__array_interface__["data"][0]
            sizes[address] = max(tensor.nbytes, sizes.get(address, 0))
        return sum(sizes.values()) + sum(trace.memory() for trace in self.traces)


def record_pass(translator: Translator, *traces: Trace, intervention: Visit | None = None) -> ForwardPass:
    """Runs the model on whole translations, padded to the longest, and records every tensor.

    An `intervention` replaces tensors; what it returns is recorded.
    """
    tensors: dict[Site, np.ndarray] = {}

    def visit(site: Site, tensor: Tensor) -> Tensor:
        changed = intervention(site, tensor) if intervention else None
        kept = tensor if changed is None else changed
        tensors[site] = kept.cpu().numpy()
        return kept

    pad_id, probe = translator.tokenizer.pad_id, Probe(visit)
    src = pad([[piece.id for piece in trace.source] for trace in traces], pad_id)
    tgt_in = pad([[piece.id for piece in trace.target] for trace in traces], pad_id)
    with translator.inference():
        decoded = translator.model(src.to(translator.device), tgt_in.to(translator.device), probe)
        distribution(decoded.logits, probe)
    return ForwardPass(translator, traces, src.numpy(), tgt_in.numpy(), tensors)
