"""What enters the first layer: each piece's embedding, its position, and their sum (sections 3.4 and 3.5)."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Float
from torch import Tensor

from explorer.trace import Piece, Trace
from model.decoding import Translator
from model.probe import Probe, Site

Stack = Literal["encoder", "decoder"]
Rows = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True, eq=False)
class Embedded:
    """The pieces of one side, with the three vectors of each."""

    pieces: tuple[Piece, ...]
    embedding: Rows  # times `scale`
    positions: Rows
    stream: Rows  # their sum
    scale: float  # sqrt(d_model), or 1 where it was left out

    @property
    def norms(self) -> tuple[Float[np.ndarray, "position"], ...]:
        """The lengths of the embeddings, the positions and the sums."""
        embedding, positions, stream = (
            np.linalg.norm(rows, axis=1) for rows in (self.embedding, self.positions, self.stream)
        )
        return embedding, positions, stream

    def unscaled(self) -> "Embedded":
        """What the sum would be had the factor been forgotten."""
        embedding = self.embedding / self.scale
        return replace(self, embedding=embedding, stream=embedding + self.positions, scale=1.0)


def embedded(translator: Translator, trace: Trace, stack: Stack) -> Embedded:
    """The source (encoder) or what was fed of the target (decoder), read in the pass over the finished translation."""
    seen: dict[str, np.ndarray] = {}

    def visit(site: Site, tensor: Tensor) -> None:
        if site.stack == stack and site.layer is None and site.tensor in ("embedding", "positions", "stream"):
            seen[site.tensor] = tensor.squeeze(0).cpu().numpy()

    probe = Probe(visit)
    encoded = translator.encode([piece.id for piece in trace.source], probe)
    if stack == "decoder":
        translator.decode([piece.id for piece in trace.target], encoded, probe)
    pieces = trace.source if stack == "encoder" else trace.target
    return Embedded(pieces, **seen, scale=getattr(translator.model, stack).embedding.scale)
